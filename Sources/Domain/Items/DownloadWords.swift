/// What is said of downloads, wherever it is said.
package enum DownloadWords {
  package static func bytes(_ count: Int, point: String = ".") -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    var (value, unit) = (count * 10, 0)
    while value >= 10_000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let whole = unit == 0 || value >= 1000 || value % 10 == 0
    return whole
      ? "\(value / 10) \(units[unit])" : "\(value / 10)\(point)\(value % 10) \(units[unit])"
  }

  /// A reason in words.
  package static func cause(_ reason: String) -> String {
    causes[reason] ?? reason.split(separator: "_").joined(separator: " ")
  }

  package static let causes = [
    "disk_full": "the disk is full",
    "unwritable": "the folder of books cannot be written to",
    "no_room": "the books there are take all the room they may",
    "too_much": "the file is larger than any book",
    "read_at_provider": "it is read at the provider's own page",
    "address_refused": "the library names an address that is not to be reached",
    "link_refused": "the library's link does not work any more",
    "insecure": "the connection is not secure",
    "empty_file": "the library sent an empty file",
    "not_a_book": "the library sent something that is no book",
    "wrong_size": "the file is not as long as the library said",
    "damaged": "the file is damaged",
    "wrong_kind": "the file is not what the library said",
    "malware_found": "the scanner found malware in the file",
    "scanner_away": "the scanner for malware does not answer",
    "unscannable": "the file is larger than the scanner for malware looks at",
    "busy": "another program has it in its hands",
    "stopped": "it was stopped",
    "account_unopened": "the card cannot be used",
    "account_unlinked": "the card was unlinked",
    "": "nobody knows why",
  ]
}
