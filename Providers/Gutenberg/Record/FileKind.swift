import Circulation

/// What a file is, told by its address: the three kinds of EPUB have one type between them, and
/// half of all types are `application/octet-stream`.
struct FileKind: Sendable, Hashable {
  /// The site's own name of a made file, `epub3.images`, or the path of one that was given.
  let id: String
  let content: Format.Content
  /// Lower comes first.
  let rank: Int
  /// Made by the site of its own text, and so there for nearly every book.
  let isMade: Bool

  var format: Format { Format(id: id, content: content, protection: .none) }

  /// Nil for what nobody reads or hears: archives, pictures, records, parts of books.
  init?(_ file: Record.File, of number: Int) {
    self.init(file, madeUnder: Self.folder(of: number))
  }

  /// What begins the paths of all that the site makes of a book.
  static func folder(of number: Int) -> String { "ebooks/\(number)." }

  init?(_ file: Record.File, madeUnder made: String) {
    guard !file.isArchive else { return nil }
    let path = Self.path(file.address)
    if path.hasPrefix(made) {
      let type = String(Substring(path.utf8.dropFirst(made.utf8.count)))
      guard let known = Self.made[type] else { return nil }
      self.init(id: type, content: known.content, rank: known.rank, isMade: true)
      return
    }
    guard let known = Self.given[Self.suffix(path)], !Self.isPart(path, known.content) else {
      return nil
    }
    self.init(id: path, content: known.content, rank: known.rank, isMade: false)
  }

  private init(id: String, content: Format.Content, rank: Int, isMade: Bool) {
    (self.id, self.content, self.rank, self.isMade) = (id, content, rank, isMade)
  }

  /// Without scheme, host and query.
  static func path(_ address: String) -> String {
    let bytes = address.utf8Span.span
    var start = 0
    while start < bytes.count, bytes[start] != 0x3A { start += 1 }
    if start + 2 < bytes.count, bytes[start + 1] == 0x2F, bytes[start + 2] == 0x2F {
      while start < bytes.count, bytes[start] == 0x3A || bytes[start] == 0x2F { start += 1 }
      while start < bytes.count, bytes[start] != 0x2F { start += 1 }
      while start < bytes.count, bytes[start] == 0x2F { start += 1 }
    } else {
      start = 0
    }
    var end = start
    while end < bytes.count, bytes[end] != 0x3F, bytes[end] != 0x23 { end += 1 }
    let text = address.utf8
    let first = text.index(text.startIndex, offsetBy: start)
    return String(Substring(text[first..<text.index(first, offsetBy: end - start)]))
  }

  static func suffix(_ path: String) -> String {
    var name = path.utf8[...]
    while name.last == 0x2F { name.removeLast() }
    guard let dot = name.lastIndex(of: 0x2E), !name[dot...].contains(0x2F) else { return "" }
    return Substring(name[dot...].dropFirst()).lowercased()
  }

  /// Chapters of a book that is there as a whole, and pages of pictures.
  private static func isPart(_ path: String, _ content: Format.Content) -> Bool {
    switch content {
    case .html:
      let parts = path.utf8.split(separator: 0x2F)
      let name = parts.last ?? path.utf8[...]
      return !ends(name, "-h.htm") && !ends(name, "-h.html") && parts.count > 3
    case .text where ends(path.lowercased().utf8[...], "readme.txt"): return true
    case .text, .pdf:
      let folder = path.utf8.split(separator: 0x2F).dropLast().last
      return folder.map { ends($0, "-page-images") } ?? false
    default: return false
    }
  }

  /// Byte by byte, for parts of texts are compared letter by letter otherwise.
  private static func ends(_ text: Substring.UTF8View, _ end: String) -> Bool {
    text.suffix(end.utf8.count).elementsEqual(end.utf8)
  }

  private static let made: [String: (content: Format.Content, rank: Int)] = [
    "epub3.images": (.epub, 0), "epub.images": (.epub, 1), "epub.noimages": (.epub, 2),
    "kf8.images": (.kindle, 10), "kindle.images": (.mobi, 11), "kindle.noimages": (.mobi, 12),
    "html.images": (.html, 20), "html.noimages": (.html, 21),
    "txt.utf-8": (.text, 30), "txt.us-ascii": (.text, 31), "txt.iso-8859-1": (.text, 32),
    "pdf.images": (.pdf, 40), "pdf.noimages": (.pdf, 41),
  ]

  private static let given: [String: (content: Format.Content, rank: Int)] = [
    "epub": (.epub, 3), "mobi": (.mobi, 13), "azw3": (.kindle, 14), "prc": (.mobi, 15),
    "htm": (.html, 22), "html": (.html, 22), "txt": (.text, 33), "pdf": (.pdf, 42),
    "m4b": (.audiobook, 50), "mp3": (.audiobook, 51), "m4a": (.audiobook, 52),
    "ogg": (.audiobook, 53), "flac": (.audiobook, 54), "spx": (.audiobook, 55),
    "wav": (.audiobook, 56), "mid": (.music, 57), "mpg": (.video, 60), "mpeg": (.video, 60),
    "mp4": (.video, 60), "avi": (.video, 61),
  ]
}

extension Record {
  /// A file that can be handed out, or several of one kind that make one recording.
  struct Offered: Sendable, Hashable {
    let format: Format
    let files: [File]
  }

  /// Best first. What was given is listed where the site made nothing of the kind itself;
  /// recordings have a file for each chapter, and are one offer for each kind of file.
  var offered: [Offered] {
    let made = FileKind.folder(of: number)
    let kinds = files.compactMap { file in FileKind(file, madeUnder: made).map { (file, $0) } }
    let there = Set(kinds.filter(\.1.isMade).map(\.1.content))
    var found: [(kind: FileKind, offered: Offered)] = []
    var recordings: [String: [(File, FileKind)]] = [:]
    for (file, kind) in kinds where kind.isMade || !there.contains(kind.content) {
      if [.audiobook, .music, .video].contains(kind.content) {
        recordings[FileKind.suffix(kind.id), default: []].append((file, kind))
      } else {
        found.append((kind, Offered(format: kind.format, files: [file])))
      }
    }
    for (suffix, parts) in recordings {
      let kind = parts[0].1
      let format = Format(
        id: parts.count == 1 ? kind.id : suffix, content: kind.content,
        protection: parts.count == 1 ? .none : .streaming)
      found.append((kind, Offered(format: format, files: parts.map(\.0))))
    }
    // Sounds come first where there are any but for a text that goes with them.
    let isHeard = type == "Sound"
    return found.sorted { one, other in
      let (a, b) = (one.kind.rank, other.kind.rank)
      let (first, second) = (isHeard && a >= 50 ? a - 100 : a, isHeard && b >= 50 ? b - 100 : b)
      return (first, one.kind.id) < (second, other.kind.id)
    }.map(\.offered)
  }

  var cover: String? { file(endingIn: ".cover.medium.jpg") ?? fields("901").first }
  var smallCover: String? { file(endingIn: ".cover.small.jpg") }

  private func file(endingIn suffix: String) -> String? {
    files.first { $0.address.hasSuffix(suffix) }?.address.secured
  }
}

extension String {
  /// Old records name the site without encryption, which it does not answer any more.
  var secured: String {
    guard hasPrefix("http://") else { return self }
    let rest = dropFirst(7)
    let isOurs = rest.hasPrefix("www.gutenberg.org/") || rest.hasPrefix("gutenberg.org/")
    return isOurs ? "https://" + rest : self
  }
}
