import Testing
import Yaml

@Suite struct `What a settings file has no need of is refused with its place` {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let reason: YamlError.Reason
    let line: Int
    let column: Int
    var testDescription: String { "\(text.debugDescription)" }

    init(_ text: String, _ reason: YamlError.Reason, _ line: Int, _ column: Int) {
      (self.text, self.reason, self.line, self.column) = (text, reason, line, column)
    }
  }

  static let rows: [Row] = [
    Row("a: 1\nb: 2\n'a': 3", .duplicateKey("a", first: .start), 3, 1),
    Row(
      "s:\n  p: {x: 1, y: 2, x: 3}",
      .duplicateKey("x", first: YamlPosition(line: 2, column: 7)), 2, 19),
    Row(
      "k\u{e9}: 1\nke\u{301}: 2", .duplicateKey("ke\u{301}", first: .start), 2, 1),
    Row("a: &x 1", .anchor, 1, 4),
    Row("a: &x [1]", .anchor, 1, 4),
    Row("a: &x {b: 1}", .anchor, 1, 4),
    Row("&x a: 1", .anchor, 1, 1),
    Row("a: *x", .alias, 1, 4),
    Row("*x : 1", .alias, 1, 1),
    Row("a: !secret 1", .tag, 1, 4),
    Row("a: !!binary aGk=", .tag, 1, 4),
    Row("a: !!set {b}", .tag, 1, 4),
    Row("a: !<tag:example.org,2000:x> 1", .tag, 1, 4),
    Row("%TAG ! tag:yaml.org,2002:\n---\na: !int 1", .tag, 1, 1),
    Row("%TAG !e! tag:example.org,2000:\n---\na: 1", .tag, 1, 1),
    Row("# note\n%TAG !! tag:example.org,2000:\n---\na: 1", .tag, 2, 1),
    Row("a: !!int abc", .tagMismatch(expected: .int), 1, 4),
    Row("a: !!bool yes", .tagMismatch(expected: .bool), 1, 4),
    Row("a: !!map b", .tagMismatch(expected: .mapping), 1, 4),
    Row("<<: {a: 1}", .mergeKey, 1, 1),
    Row("s:\n  <<: {a: 1}", .mergeKey, 2, 3),
    Row("[a, b]: 1", .keyNotText, 1, 1),
    Row("? {a: 1}\n: 2", .keyNotText, 1, 3),
    Row("? \n: 1", .emptyKey, 1, 2),
    Row("a: \"b\\0c\"", .nulCharacter, 1, 4),
    Row("a: 1\n---\nb: 2", .severalDocuments, 2, 1),
    Row("a: 1\n...\n---\nb: 2", .severalDocuments, 3, 1),
  ]

  @Test(arguments: rows)
  func `the YAML parser refuses unsupported syntax with the reason and the place`(_ row: Row) {
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: row.text) }
    #expect(error?.reason == row.reason)
    #expect(error?.position == YamlPosition(line: row.line, column: row.column))
  }

  @Test func `a quoted merge key in YAML is a key like others`() throws {
    #expect(try YamlNode(parsing: "'<<': 1")["<<"]?.scalar?.value == .int(1))
  }

  @Test(arguments: [
    ("a: \"open\nb: 2\n", 1, 4), ("a: 'open", 1, 4), ("a:\n\tb: 1", 2, 1), ("a: b: c", 1, 5),
    ("a: [1, 2\nb: 3", 2, 2), ("a: {b: 1", 1, 4), (": 1", 1, 1), ("a: @b", 1, 4), ("a: `b`", 1, 4),
    ("a: %b", 1, 4), ("a: \"\\q\"", 1, 5), ("a: \"\\ud800\"", 1, 7), ("- a\nb: 1", 2, 1),
    ("a: 1\n b: 2", 2, 3), ("a\nb: 1", 2, 2), ("}", 1, 1), ("a: ]", 1, 4),
    ("%YAML 2.0\n---\na: 1", 1, 1), ("a: &", 1, 4),
  ])
  func `a YAML syntax error is explained at its place`(_ text: String, line: Int, column: Int) {
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
    guard case .syntax(let words) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!words.isEmpty)
    #expect(error?.position.line == line, "\(String(describing: error))")
    #expect(error?.position.column == column, "\(String(describing: error))")
  }

  @Test(
    arguments: [
      ([0x61, 0x3A, 0x20, 0xFF], 4), ([0x61, 0x3A, 0x20, 0xC0, 0xAF], 4),
      ([0x61, 0x3A, 0x20, 0xED, 0xA0, 0x80], 4), ([0x61, 0x3A, 0x20, 0xE2, 0x82], 4),
      ([0x61, 0x3A, 0x20, 0x07], 4), ([0x61, 0x3A, 0x00], 3), ([0xC3, 0xB6, 0x3A, 0x20, 0x80], 4),
    ] as [([UInt8], Int)])
  func `the YAML parser refuses invalid bytes at their place`(_ bytes: [UInt8], column: Int) {
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: bytes) }
    guard case .badEncoding = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(error?.position == YamlPosition(line: 1, column: column))
  }

  @Test(
    arguments: [
      ("# note\u{2028}key: 1", 1, 7), ("a: 1\n# note\u{2029}key: 1", 2, 7),
      ("# note\u{85}key: 1", 1, 7), ("é: 'x\u{2028}y'", 1, 6), ("a: \"x\u{85}y\"", 1, 6),
      ("\u{FEFF}a\u{2029}", 1, 2), ("a: |\r\n  x\u{2028}  y\r\n", 2, 4),
      ("a: 1\n...\n\u{85}", 3, 1),
    ])
  func `the YAML parser refuses line breaks that an editor does not show`(
    _ text: String, line: Int, column: Int
  ) {
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
    guard case .badEncoding(let words) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(words.contains("in double quotes"))
    #expect(error?.position == YamlPosition(line: line, column: column))
  }

  @Test func `YAML values may contain hidden line breaks as escapes`() throws {
    let node = try YamlNode(parsing: #"a: "\u0085\u2028\u2029\N\L\P""#)
    #expect(node["a"]?.scalar?.text == "\u{85}\u{2028}\u{2029}\u{85}\u{2028}\u{2029}")
  }

  @Test func `characters that share bytes with hidden line breaks are text in YAML`() throws {
    let text = "\u{A0}\u{C5}\u{2027}\u{202F}\u{20A8}\u{4A85}\u{1F4A8}"
    #expect(try YamlNode(parsing: "a: 'x\(text)y'")["a"]?.scalar?.text == "x\(text)y")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x61, 0], [0xFE, 0xFF, 0, 0x61]] as [[UInt8]])
  func `the YAML parser refuses UTF-16 and names it`(_ bytes: [UInt8]) {
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: bytes) }
    #expect(error?.description.contains("UTF-16") == true)
  }

  @Test func `a YAML error never shows a value`() {
    for text in ["pin: \"hunter2", "pin: !x hunter2", "pin: hunter2: x", "pin: &hunter2 1"] {
      let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
      #expect(error?.description.contains("hunter2") == false)
    }
  }

  @Test func `a YAML error shows a key on one line and shortened`() {
    let error = #expect(throws: YamlError.self) {
      try YamlNode(parsing: "\"a\\nb\\e[31m\": 1\n\"a\\nb\\e[31m\": 2")
    }
    #expect(error?.description.contains("\n") == false)
    #expect(error?.description.contains("\u{1B}") == false)
    let long = String(repeating: "k", count: 900)
    let cut = #expect(throws: YamlError.self) {
      try YamlNode(parsing: "{\(long): 1, \(long): 2}")
    }
    #expect((cut?.description.count ?? 0) < 200)
  }
}
