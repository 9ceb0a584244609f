import Markup
import Testing
import XML

@Suite struct EncodingTests {
  private func text(_ bytes: [UInt8], _ options: XMLOptions = .strict) throws(XMLError) -> String {
    try XMLDocument(bytes, options).root.text
  }

  private static func utf16(_ text: String, isBig: Bool, hasMark: Bool) -> [UInt8] {
    ((hasMark ? [0xFEFF] : []) + Array(text.utf16)).flatMap {
      isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
  }

  private static func declared(_ label: String, _ content: [UInt8]) -> [UInt8] {
    Array("<?xml version=\"1.0\" encoding=\"\(label)\"?><a>".utf8) + content + Array("</a>".utf8)
  }

  static let samples: [(String, [UInt8], String)] = [
    ("UTF-8", Array("é漢𝕏".utf8), "é漢𝕏"), ("utf8", Array("é".utf8), "é"),
    ("ISO-8859-1", [0xE9, 0xFF], "éÿ"), ("latin1", [0x85], "\u{85}"),
    ("windows-1252", [0x93, 0xE9, 0x94, 0x80], "“é”€"), ("US-ASCII", [0x41], "A"),
    ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("ISO-8859-2", [0xB3], "ł"),
    ("ISO-8859-15", [0xA4], "€"), ("KOI8-R", [0xF0], "П"), ("Shift_JIS", [0x93, 0xFA], "日"),
    ("EUC-JP", [0xC6, 0xFC], "日"), ("GB2312", [0xC8, 0xD5], "日"), ("Big5", [0xA4, 0xE9], "日"),
    ("EUC-KR", [0xC7, 0xD1], "한"),
  ]

  @Test(arguments: samples)
  func `a declared encoding is followed`(label: String, bytes: [UInt8], expected: String) throws {
    #expect(try text(Self.declared(label, bytes)) == expected)
  }

  @Test func `an instruction that only looks like a declaration names no encoding`() {
    let tail = Array("xml encoding=\"ISO-8859-1\"?><a>caf".utf8) + [0xE9] + Array("</a>".utf8)
    for head in [Array("<?".utf8) + [0xE3], Array("<a>\u{1}<?".utf8)] {
      #expect(throws: XMLError.self) { try text(head + tail) }
    }
  }

  @Test func `a declaration in pieces is read to its end, also when a value contains >`() throws {
    let bytes = Array("<?xml version='1.0' encoding='>'?><a>\u{E9}</a>".utf8)
    var rest = bytes[...]
    var reader = XMLReader(.strict) {
      defer { rest = rest.dropFirst() }
      return Array(rest.prefix(1))
    }
    do throws(XMLError) {
      while try reader.next() != nil {}
      Issue.record("the document was read")
    } catch {
      #expect(error.reason == .encoding(.unknown(">")))
    }
  }

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `UTF-16 is read either way round, with a mark or without`(isBig: Bool, hasMark: Bool) throws
  {
    let document = "<?xml version='1.0' encoding='UTF-16'?><a>é漢𝕏</a>"
    let bytes = Self.utf16(document, isBig: isBig, hasMark: hasMark)
    #expect(try text(bytes) == "é漢𝕏")
  }

  @Test func `a byte order mark outranks everything`() throws {
    var options = XMLOptions.strict
    options.charset = "iso-8859-1"
    let bytes = [0xEF, 0xBB, 0xBF] + Self.declared("windows-1252", Array("é".utf8))
    #expect(try text(bytes, options) == "é")
  }

  @Test func `the transport outranks the document`() throws {
    var options = XMLOptions.strict
    options.charset = "windows-1252"
    #expect(try text(Self.declared("UTF-8", [0x93]), options) == "“")
  }

  @Test func `bytes that are not what they are said to be are refused, with their place`() {
    let bytes = Array("<a>\n\n caf".utf8) + [0xE9] + Array("</a>".utf8)
    let error = #expect(throws: XMLError.self) { try text(bytes) }
    #expect(error?.reason == .encoding(.invalidBytes(.utf8)))
    #expect(error?.line == 3)
    #expect(error?.column == 5)
  }

  @Test func `or repaired, with a warning`() throws {
    var options = XMLOptions.strict
    options.encodingFaults = .repaired
    let bytes = Array("<a>é caf".utf8) + [0xE9, 0x92] + Array("</a>".utf8)
    let document = try XMLDocument(bytes, options)
    #expect(document.root.text == "é café’")
    #expect(document.warnings.map(\.reason) == [.encoding(.invalidBytes(.utf8))])
  }

  @Test(
    arguments: [
      [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88],
      [0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xFF], [0xFE],
    ] as [[UInt8]])
  func `UTF-8 in any wrong form is refused`(bytes: [UInt8]) {
    let error = #expect(throws: XMLError.self) { try text(Self.declared("UTF-8", bytes)) }
    #expect(error?.reason == .encoding(.invalidBytes(.utf8)))
  }

  @Test func `half a pair of UTF-16 is refused or replaced`() throws {
    var bytes = Self.utf16("<a>", isBig: false, hasMark: true)
    bytes += [0x00, 0xD8]
    bytes += Self.utf16("</a>", isBig: false, hasMark: false)
    let error = #expect(throws: XMLError.self) { try text(bytes) }
    #expect(error?.reason == .encoding(.invalidBytes(.utf16LittleEndian)))
    #expect(try text(bytes, .recovering) == "\u{FFFD}")
  }

  @Test(arguments: ["UTF-7", "EBCDIC-CP-US", "utf-32", "x-unheard-of", "UTF-16,version=1"])
  func `an encoding nobody should use is refused`(label: String) throws {
    let bytes = Self.declared(label, Array("+ADw-x+AD4-".utf8))
    let error = #expect(throws: XMLError.self) { try text(bytes) }
    #expect(error?.reason == .encoding(.unknown(label)))
    #expect(try text(bytes, .recovering) == "+ADw-x+AD4-")
  }

  @Test func `a document that says UTF-16 and is not is refused or read as it is`() throws {
    let bytes = Self.declared("UTF-16", Array("é".utf8))
    let error = #expect(throws: XMLError.self) { try text(bytes) }
    #expect(error?.reason == .encoding(.contradiction(declared: .utf16LittleEndian)))
    #expect(try text(bytes, .recovering) == "é")
  }

  @Test func `Latin-1 with control codes is windows-1252 where things are repaired`() throws {
    #expect(try text(Self.declared("ISO-8859-1", [0x93, 0x94]), .recovering) == "“”")
  }

  @Test(arguments: samples)
  func `characters may be cut anywhere on the way`(
    label: String, bytes: [UInt8], expected: String
  ) throws {
    var rest = Self.declared(label, bytes)[...]
    var reader = XMLReader(.strict) {
      defer { rest = rest.dropFirst() }
      return Array(rest.prefix(1))
    }
    var found = ""
    while let event = try reader.next() { if case .text(let text) = event { found += text } }
    #expect(found == expected)
  }

  @Test func `the marker and meta of a page are followed`() throws {
    let page: [UInt8] = Array("<meta charset='windows-1251'><p>".utf8) + [0xCF]
    #expect(PlainText.of(try HTMLDocument(page).content) == "П")
    #expect(PlainText.of(try HTMLDocument(page, charset: "koi8-r").content) == "о")
    let old =
      Array("<meta http-equiv=x content=\"text/html; charset=ISO-8859-1\"><p>".utf8) + [0x93]
    #expect(PlainText.of(try HTMLDocument(old).content) == "“")
    #expect(PlainText.of(try HTMLDocument(Array("<p>é".utf8) + [0xE9]).content) == "éé")
  }
}
