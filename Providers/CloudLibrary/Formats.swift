import Circulation

/// The formats of the wire and what each means for a reader (§8). There is no plain file among them.
enum Formats {
  /// By `BookFormat`, or by the words that MARC has for it.
  static func named(_ word: String) -> Format {
    let name = word.lowercased()
    return switch name.hasPrefix("adobe ") ? String(name.dropFirst(6)) : name {
    case "epub": Format(id: "epub", content: .epub, protection: .adobe)
    case "epub3": Format(id: "epub3", content: .epub, protection: .adobe)
    case "pdf": Format(id: "pdf", content: .pdf, protection: .adobe)
    // Findaway's own player alone can play it.
    case "mp3": Format(id: "mp3", content: .audiobook, protection: .vendorApp)
    default: Format(id: word.lowercased(), content: .other, protection: .unknown)
    }
  }

  /// The service's own page, where the reader signs in once more and reads or listens.
  static let web = Format(id: "web", content: .html, protection: .streaming)

  static func medium(of format: Format) -> Medium {
    format.content == .audiobook ? .audiobook : .book
  }
}
