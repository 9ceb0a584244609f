/// The words that rules may use, for whoever reads them from a file or a command line.
package enum LaneWords {
  package static let audiences = ["children", "young_adult", "adult"]
  package static let forms = [
    "book", "audiobook", "comic", "magazine", "music", "video", "other",
  ]
  package static let formats = [
    "epub", "pdf", "audiobook", "comic", "kindle", "html", "text", "mobi", "video", "music",
    "other",
  ]

  /// `30d`, `26w`, `1y`, in days.
  package static func days(_ text: String) -> Int? {
    guard let unit = text.last, let count = Int(text.dropLast()), (1...10_000).contains(count)
    else { return nil }
    return switch unit {
    case "d": count
    case "w": 7 * count
    case "y": 365 * count
    default: nil
    }
  }
}
