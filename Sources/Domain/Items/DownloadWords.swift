/// What is said of downloads, wherever it is said.
package enum DownloadWords {
  package static func bytes(_ count: Int) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    var (value, unit) = (count * 10, 0)
    while value >= 10_000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let whole = unit == 0 || value >= 1000 || value % 10 == 0
    return whole ? "\(value / 10) \(units[unit])" : "\(value / 10).\(value % 10) \(units[unit])"
  }

  /// A reason in words.
  package static func cause(_ reason: String) -> String {
    switch reason {
    case "disk_full": "the disk is full"
    case "unwritable": "the folder of books cannot be written to"
    case "no_room": "the books there are take all the room they may"
    case "too_much": "the file is larger than any book"
    case "read_at_provider": "it is read at the provider's own page"
    case "address_refused": "the library names an address that is not to be reached"
    case "link_refused": "the library's link does not work any more"
    case "insecure": "the connection is not secure"
    case "empty_file": "the library sent an empty file"
    case "not_a_book": "the library sent something that is no book"
    case "wrong_size": "the file is not as long as the library said"
    case "damaged": "the file is damaged"
    case "wrong_kind": "the file is not what the library said"
    case "busy": "another program has it in its hands"
    case "stopped": "it was stopped"
    case "account_unopened": "the card cannot be used"
    case "": "nobody knows why"
    default: reason.split(separator: "_").joined(separator: " ")
    }
  }
}
