/// The way from a document's own bytes to UTF-8: finds out the encoding, counts against the size
/// limit, and decodes.
struct Intake {
  private let options: XMLOptions
  private var decoder: Decoder?
  private var head: [UInt8] = []
  private var taken = 0
  private(set) var warnings: [XMLError] = []

  init(_ options: XMLOptions) { self.options = options }

  /// The piece as UTF-8; nothing yet while the encoding is unclear. `place` is where the decoded
  /// text has got to.
  mutating func take(_ piece: [UInt8], isLast: Bool, at place: XMLPosition) throws(XMLError)
    -> [UInt8]
  {
    taken += piece.count
    if taken > options.limits.bytes {
      throw XMLError(.tooLarge(.bytes, limit: options.limits.bytes))
    }
    var bytes = piece[...]
    if decoder == nil {
      head += piece
      guard isLast || Sniffing.isEnough(head) else { return [] }
      let (encoding, mark) = try self.encoding()
      guard let decoder = Decoder(encoding, repairs: options.encodingFaults == .repaired) else {
        throw XMLError(.encoding(.unknown(encoding.name)))
      }
      self.decoder = decoder
      bytes = head.dropFirst(mark)
      head = []
    }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    let before = decoder?.repaired ?? 0
    do {
      try decoder?.decode(bytes, isLast: isLast, into: &out)
    } catch {
      // What was decoded so far tells the line.
      let line = place.line + out.lazy.filter { $0 == 0x0A }.count
      let start = out.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      let column = out[start...].lazy.filter { $0 & 0xC0 != 0x80 }.count
      throw XMLError(
        .encoding(.invalidBytes(decoder?.encoding ?? .utf8)), line: line,
        column: (start == 0 ? place.column : 1) + column)
    }
    if before == 0, let decoder, decoder.repaired > 0 {
      warnings.append(XMLError(.encoding(.invalidBytes(decoder.encoding)), line: place.line))
    }
    return out
  }

  /// The encoding, and the length of the byte order mark.
  private mutating func encoding() throws(XMLError) -> (TextEncoding, mark: Int) {
    // The mark first, then the transport, then the document itself (RFC 7303 §3).
    if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) {
      throw XMLError(.encoding(.unknown("UTF-32")))
    }
    if let mark = TextEncoding.mark(of: head) { return (mark.encoding, mark.length) }
    if let charset = options.charset {
      if let known = TextEncoding(label: charset) { return (known, 0) }
      try object(.encoding(.unknown(String(charset.prefix(40)))))
    }
    let sniffed = Sniffing.withoutMark(head)
    guard let label = Sniffing.declared(head) else { return (sniffed, 0) }
    guard let declared = TextEncoding(label: label) else {
      try object(.encoding(.unknown(String(label.prefix(40)))))
      return (sniffed, 0)
    }
    if declared.isUTF16 != sniffed.isUTF16 {
      try object(.encoding(.contradiction(declared: declared)))
      return (sniffed, 0)
    }
    return (declared.isUTF16 ? sniffed : declared, 0)
  }

  private mutating func object(_ reason: XMLError.Reason) throws(XMLError) {
    if options.encodingFaults == .refused { throw XMLError(reason, line: 1, column: 1) }
    warnings.append(XMLError(reason, line: 1, column: 1))
  }
}

/// What the first bytes of an XML document tell about its encoding (XML 1.0 appendix F).
enum Sniffing {
  /// What lies further on is no declaration, whether the document comes whole or in pieces.
  private static let longestDeclaration = 1024

  static func isEnough(_ head: [UInt8]) -> Bool {
    guard head.count >= 4 else { return false }
    if case .open = declaration(in: head) { return head.count >= longestDeclaration }
    return true
  }

  private enum Declaration {
    case none, open
    case whole([UInt8])
  }

  /// What stands between `<?xml` and `?>`, in any encoding that has ASCII in it.
  private static func declaration(in head: [UInt8]) -> Declaration {
    let text = head.prefix(longestDeclaration).filter { $0 != 0 }
      .drop { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
    let opening = Array("<?xml".utf8)
    guard text.starts(with: opening) else {
      return text.count < opening.count && opening.starts(with: text) ? .open : .none
    }
    let rest = text.dropFirst(opening.count)
    return rest.firstRange(of: Array("?>".utf8)).map { .whole(Array(rest[..<$0.lowerBound])) }
      ?? .open
  }

  static func withoutMark(_ head: [UInt8]) -> TextEncoding {
    if head.count >= 2, head[0] == 0, head[1] != 0 { return .utf16BigEndian }
    if head.count >= 2, head[0] != 0, head[1] == 0 { return .utf16LittleEndian }
    return .utf8
  }

  /// The label in `<?xml … encoding="…"?>`.
  static func declared(_ head: [UInt8]) -> String? {
    guard case .whole(let bytes) = declaration(in: head) else { return nil }
    let declaration = String(decoding: bytes.filter { $0 < 0x80 }, as: UTF8.self)
    guard let key = declaration.firstRange(of: "encoding") else { return nil }
    let value = declaration[key.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = value.first, quote == "\"" || quote == "'" else { return nil }
    let label = value.dropFirst().prefix { $0 != quote }
    return label.isEmpty ? nil : String(label)
  }
}
