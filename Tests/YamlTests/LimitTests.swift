import Testing
import Yaml

@Suite struct `A document may not ask for more than its share` {
  @Test(arguments: ["[", "{a: ", "- "])
  func `the YAML parser limits the depth in any notation`(_ opening: String) {
    let text = String(repeating: opening, count: 50_000)
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
    #expect(error?.reason == .tooLarge(.depth(64)))
  }

  @Test func `the YAML parser allows sixty-four levels and refuses one more`() throws {
    func nested(_ levels: Int) -> String {
      String(repeating: "[", count: levels - 1) + "x" + String(repeating: "]", count: levels - 1)
    }
    _ = try YamlNode(parsing: nested(64))
    #expect(throws: YamlError.self) { try YamlNode(parsing: nested(65)) }
  }

  @Test func `the YAML parser checks the size before it reads anything`() {
    let limits = YamlLimits(bytes: 10)
    #expect(throws: YamlError(.tooLarge(.bytes(10)), at: .start)) {
      try YamlNode(parsing: "a: 12345678", limits: limits)
    }
    #expect(throws: Never.self) { try YamlNode(parsing: "a: 1234567", limits: limits) }
  }

  @Test func `the YAML parser limits the length of a single value`() {
    let text = "a: 1\nb: " + String(repeating: "x", count: 65_537)
    #expect(throws: YamlError(.tooLarge(.scalarBytes(65_536)), at: .init(line: 2, column: 4))) {
      try YamlNode(parsing: text)
    }
  }

  @Test func `the YAML parser limits the number of values`() {
    let text = String(repeating: "- \n", count: 100_001)
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
    #expect(error?.reason == .tooLarge(.nodes(100_000)))
  }

  @Test func `the YAML parser refuses anchors and thereby documents that expand without end`() {
    let text = """
      a: &a [x, x, x, x, x, x, x, x, x]
      b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
      c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
      """
    let error = #expect(throws: YamlError.self) { try YamlNode(parsing: text) }
    #expect(error?.reason == .anchor)
  }

  @Test func `the YAML parser answers random bytes with a document or an error with its place`() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    let alphabet = Array("ab:- \n\t[]{},'\"#&*!|>%@`?0123.\\x~<é\u{2028}\r".utf8) + [0xFF, 0x00]
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<24 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(alphabet[Int(state >> 33) % alphabet.count])
      }
      do throws(YamlError) {
        _ = try YamlNode(parsing: bytes)
      } catch {
        #expect(error.position >= .start, "\(bytes)")
      }
    }
  }
}
