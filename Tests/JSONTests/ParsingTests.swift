import JSON
import Testing

@Suite struct `Reading JSON` {
  @Test(arguments: [
    "null", "true", " false ", "0", "-1", "[]", "{}", "\"\"", "[[[]]]", "\t[\r\n1 , 2 ]\n",
    #"{"a":1,"b":[true,null]}"#, #""\u0041\n\t\"\\\/\b\f\r""#, "1e5", "1E+5", "-0.5e-3", "-0",
    #""\uD83D\uDE00""#, #"{"":0}"#, "[0,1.0]", "\"\u{7f}\"", "\"é日本😀\"", #""\u0000""#,
  ])
  func `Reading JSON valid text is taken`(_ text: String) throws {
    _ = try JSONValue(parsing: text)
  }

  @Test(arguments: [
    "", " ", "nul", "nulll", "True", "[1,]", "[,1]", "[1 2]", "{,}", #"{"a"}"#, #"{"a":}"#,
    #"{"a":1,}"#, #"{a:1}"#, "{'a':1}", "01", "-", "-a", "+1", ".5", "1.", "1.e5", "1e", "1e+",
    "0x10", "NaN", "Infinity", "-Infinity", "1_000", #""\x41""#, #""\u12""#, #""\u12G4""#,
    "\"a\nb\"", "\"\u{1}\"", "\"open", "[", "{", "[1", #"{"a":1"#, "1 1", "[] []", "//", "/**/1",
    "\u{feff}", "]", "}", "[1}", "{\"a\":1]", "\u{a0}1", "1\u{0}", "[\"a\",\n\"b",
  ])
  func `Reading JSON invalid text is refused`(_ text: String) {
    #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
  }

  @Test func `the JSON parser skips a leading byte order mark`() throws {
    #expect(try JSONValue(parsing: [0xef, 0xbb, 0xbf] + Array("1".utf8)) == 1)
  }

  @Test(
    arguments: [
      [0x22, 0xff, 0x22], [0x22, 0xc3, 0x22], [0x22, 0xc0, 0xaf, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0x22, 0x5c, 0x6e, 0xff, 0x22], [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22],
    ] as [[UInt8]])
  func `the JSON parser refuses bytes that are not UTF-8`(_ bytes: [UInt8]) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
    #expect(error?.reason == .invalidUTF8)
  }

  @Test func `Reading JSON numbers that fit are integers`() throws {
    #expect(try JSONValue(parsing: "9223372036854775807") == .integer(.max))
    #expect(try JSONValue(parsing: "-9223372036854775808") == .integer(.min))
    #expect(try JSONValue(parsing: "-12") == .integer(-12))
    #expect(try JSONValue(parsing: "999999999999999999") == .integer(999_999_999_999_999_999))
  }

  @Test(arguments: [
    "9223372036854775808", "123456789012345678901234567890", "10.10", "1e400", "-0", "1E2",
    "0.1000000000000000055511151231257827",
  ])
  func `a JSON number that is not a plain integer keeps its spelling`(_ text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.text() == text)
    #expect(value.double == Double(text))
  }

  @Test func `a whole JSON number written with a fraction is read as an integer`() throws {
    #expect(try JSONValue(parsing: "3.0").integer == 3)
    #expect(try JSONValue(parsing: "3.5").integer == nil)
    #expect(try JSONValue(parsing: "1e300").integer == nil)
  }

  @Test func `Reading JSON escapes stand for their letters`() throws {
    let value = try JSONValue(parsing: #""a\u00e9\uD83D\uDE00\u0000\"\/z""#)
    #expect(value.string == "aé😀\0\"/z")
  }

  @Test(arguments: [#""\uD800""#, #""\uDC00""#, #""\uD800\uD800""#, #""\uD800x""#, #""\uD83D\n""#])
  func `the JSON parser refuses half a surrogate pair, or replaces it if tolerant`(_ text: String)
    throws
  {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.reason == .loneSurrogate)
    let tolerant = try JSONValue(parsing: text, by: .tolerant)
    #expect(tolerant.string?.contains("\u{fffd}") == true)
  }

  @Test func `the tolerant JSON parser replaces NUL, which no database takes for text`() throws {
    let object = try JSONValue(parsing: #"{"a\u0000b":"\u0000c"}"#, by: .tolerant)
    #expect(object["a\u{fffd}b"]?.string == "\u{fffd}c")
  }

  @Test
  func `the tolerant JSON parser keeps the rest of a string after half a surrogate pair`() throws {
    #expect(try JSONValue(parsing: #""\uD83D\u0041""#, by: .tolerant).string == "\u{fffd}A")
  }
}

@Suite struct `Names given twice` {
  private static func object(_ count: Int) -> String {
    let members = (0..<count).map { "\"k\($0)\":\($0)" } + ["\"k1\":\"again\""]
    return "{" + members.joined(separator: ",") + "}"
  }

  @Test(arguments: [2, 15, 16, 17, 18, 500])
  func `Names given twice are refused by default`(_ count: Int) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Self.object(count)) }
    #expect(error?.reason == .duplicateName("k1"))
  }

  @Test(arguments: [2, 15, 16, 17, 18, 500])
  func `Names given twice follow the rule for small and large objects alike`(_ count: Int) throws {
    var rules = JSONRules(duplicateNames: .lastCounts)
    let last = try JSONValue(parsing: Self.object(count), by: rules)
    #expect(last["k1"] == "again")
    #expect(last.object?.count == count)
    rules.duplicateNames = .firstCounts
    #expect(try JSONValue(parsing: Self.object(count), by: rules)["k1"] == 1)
  }
}

@Suite struct `Limits on JSON` {
  @Test func `Limits on JSON depth is limited`() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try JSONValue(parsing: nested(128))
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(129)) }
    #expect(error?.reason == .tooDeep(limit: 128))
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: String(repeating: "[", count: 1 << 20))
    }
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: String(repeating: #"{"a":"#, count: 1 << 18))
    }
  }

  @Test func `Limits on JSON even a careless rule cannot exhaust the stack`() {
    let rules = JSONRules(maximumDepth: .max)
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: String(repeating: "[", count: 1 << 20), by: rules)
    }
  }

  @Test func `Limits on JSON size is limited`() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: "[1,2,3]", by: JSONRules(maximumBytes: 6))
    }
    #expect(error?.reason == .tooLarge(limit: 6))
  }

  @Test func `the JSON parser limits the number of values`() {
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: "[1,2,3]", by: JSONRules(maximumValues: 3))
    }
    #expect(error?.reason == .tooManyValues(limit: 3))
  }

  @Test func `the JSON parser reads an object with a hundred thousand names`() throws {
    let members = (0..<100_000).map { "\"name\($0)\":1" }.joined(separator: ",")
    let value = try JSONValue(parsing: "{\(members)}")
    #expect(value["name99999"] == 1)
  }
}

@Suite struct `Faults in JSON` {
  @Test(arguments: [
    ("[1,\n  2,\n  x]", 3, 3, 11), ("{\"é\": tru}", 1, 10, 10), ("", 1, 1, 0),
    ("[1] 2", 1, 5, 4), ("{\"a\":1,\"a\":2}", 1, 8, 7), ("\"a\\q\"", 1, 3, 2),
  ])
  func `Faults in JSON are told with line, column and offset`(
    _ text: String, _ line: Int, _ column: Int, _ offset: Int
  ) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.offset == offset)
  }

  @Test func `Faults in JSON are told in words`() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "[1;2]") }
    #expect(error?.description == "line 1, column 3: expected ',' or ']', found ';'")
  }

  @Test func `the JSON parser refuses a document that is cut at any byte`() {
    let text = Array(#"{"a":[1,-2.5e3,"\u00e9\uD83D\uDE00",true,null],"b":{"c":"d\\"}}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text[..<length])) }
    }
  }

  @Test func `the JSON parser does not crash on any changed byte`() {
    let text = Array(#"{"a":[1,-2.5e3,"\u00e9\uD83D",true,null],"bé":{"c":"d\\"}}"#.utf8)
    for place in text.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[place] = byte
        _ = try? JSONValue(parsing: changed, by: .tolerant)
      }
    }
  }
}
