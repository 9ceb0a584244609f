import Circulation

/// What bytes look like from their first few.
enum Look {
  static func isHTML(_ head: [UInt8]) -> Bool {
    let text = start(head, 1024).lowercased()
    return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
      || text.hasPrefix("<head") || text.hasPrefix("<body")
      || text.hasPrefix("<") && text.contains("<html")
  }

  static func isXML(_ head: [UInt8]) -> Bool { start(head, 16).hasPrefix("<") }
  static func isJSON(_ head: [UInt8]) -> Bool { start(head, 16).hasPrefix("{") }

  /// Behind blanks and the mark of byte order.
  private static func start(_ head: [UInt8], _ count: Int) -> String {
    var rest = head[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
  }

  /// Nil for what is none of these, where it matters.
  static func kind(of head: [UInt8], as content: Format.Content) -> FileKind? {
    func begins(_ text: String, at place: Int = 0) -> Bool {
      head.dropFirst(place).starts(with: text.utf8)
    }
    if begins("PK\u{3}\u{4}") {
      switch content {
      case .epub: return .epub
      case .comic: return .comicZip
      default: return begins("mimetypeapplication/epub+zip", at: 30) ? .epub : .zip
      }
    }
    // Some have a little before their first line.
    if String(decoding: head.prefix(1024), as: UTF8.self).contains("%PDF-") { return .pdf }
    if begins("BOOKMOBI", at: 60) || begins("TEXtREAd", at: 60) { return .mobi }
    if begins("OggS") { return .ogg }
    if begins("fLaC") { return .flac }
    if begins("Rar!") { return .comicRar }
    if begins("ftyp", at: 4) { return content == .video ? .mp4video : .mp4audio }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .matroska }
    if begins("ID3") || head.count > 1 && head[0] == 0xFF && head[1] & 0xE0 == 0xE0 { return .mp3 }
    if content == .text { return head.contains(0) ? nil : .text }
    if content == .html { return head.contains(0) ? nil : .html }
    return content == .other ? .other : nil
  }
}

extension FileKind {
  /// Whether a loan of this kind may turn into it.
  func fits(_ content: Format.Content) -> Bool {
    switch content {
    case .epub: self == .epub
    case .pdf: self == .pdf
    case .audiobook, .music: [.mp3, .mp4audio, .ogg, .flac, .zip].contains(self)
    case .comic: [.comicZip, .comicRar, .pdf, .epub].contains(self)
    case .kindle, .mobi: [.mobi, .zip, .epub, .pdf].contains(self)
    case .html: [.html, .zip, .epub].contains(self)
    case .text: [.text, .zip].contains(self)
    case .video: [.mp4video, .matroska].contains(self)
    case .other: true
    case .paper: false
    }
  }
}
