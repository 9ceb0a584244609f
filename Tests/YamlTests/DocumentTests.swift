import Testing
import Yaml

@Suite struct `A document becomes a tree with positions` {
  static let example = """
    # a comment
    server:
      port: 8080
      name: "yes"   # quoted
    lanes:
      - title: Neu & schön
        max: 12
      - [a, 'b', {c: 1.5}]
    note: |
      two
      lines
    empty:
    """

  @Test func `A document becomes a tree with positions order, texts and styles are kept`() throws {
    let document = try YamlNode(parsing: Self.example)
    #expect(document.mapping?.entries.map(\.key) == ["server", "lanes", "note", "empty"])
    #expect(document["server"]?["port"]?.scalar?.value == .int(8080))
    #expect(document["server"]?["name"]?.scalar?.value == .string("yes"))
    #expect(document["server"]?["name"]?.scalar?.style == .doubleQuoted)
    let lanes = try #require(document["lanes"]?.items)
    #expect(lanes[0]["title"]?.scalar?.text == "Neu & schön")
    #expect(lanes[1].items?[1].scalar?.style == .singleQuoted)
    #expect(lanes[1].items?[2]["c"]?.scalar?.value == .float(1.5))
    #expect(document["note"]?.scalar?.text == "two\nlines\n")
    #expect(document["note"]?.scalar?.style == .literal)
    #expect(document["empty"]?.isNull == true)
    #expect(document["nothing"] == nil)
  }

  @Test func `A document becomes a tree with positions keys and values know their line and column`()
    throws
  {
    let document = try YamlNode(parsing: Self.example)
    let server = try #require(document.mapping?["server"])
    #expect(server.keyPosition == YamlPosition(line: 2, column: 1))
    let port = try #require(server.value.mapping?["port"])
    #expect(port.keyPosition == YamlPosition(line: 3, column: 3))
    #expect(port.value.position == YamlPosition(line: 3, column: 9))
    let lanes = try #require(document["lanes"]?.items)
    #expect(lanes[0].position == YamlPosition(line: 6, column: 5))
    #expect(lanes[1].items?[2].mapping?["c"]?.keyPosition == YamlPosition(line: 8, column: 15))
  }

  @Test func `A document becomes a tree with positions columns count characters, not bytes`() throws
  {
    let document = try YamlNode(parsing: "{schön: 1, b: 2}")
    #expect(document.mapping?["b"]?.keyPosition == YamlPosition(line: 1, column: 12))
  }

  @Test(arguments: ["", "\n\n", "# only a comment\n", "   "])
  func `an empty YAML text is a null document`(_ text: String) throws {
    #expect(try YamlNode(parsing: text).isNull)
  }

  @Test(arguments: [
    "---\na: 1\n", "a: 1\n...\n", "%YAML 1.2\n---\na: 1\n", "---\na: 1\n...\n# end\n",
  ])
  func `the markers of a single YAML document are accepted`(_ text: String) throws {
    #expect(try YamlNode(parsing: text)["a"]?.scalar?.value == .int(1))
  }

  @Test(arguments: ["a: 1\r\nb: 2\r\n", "a: 1\rb: 2\r"])
  func `A document becomes a tree with positions lines may end as they do on other systems`(
    _ text: String
  ) throws {
    let document = try YamlNode(parsing: text)
    #expect(document.mapping?["b"]?.keyPosition == YamlPosition(line: 2, column: 1))
  }

  @Test func `a byte order mark in YAML is skipped and not counted in positions`() throws {
    let document = try YamlNode(parsing: [0xEF, 0xBB, 0xBF] + Array("a: 1".utf8))
    #expect(document.mapping?["a"]?.keyPosition == .start)
    #expect(document["a"]?.position == YamlPosition(line: 1, column: 4))
  }

  @Test func `A document becomes a tree with positions core tags say what a text is`() throws {
    let document = try YamlNode(
      parsing: """
        a: !!str 0123
        b: !!int "8080"
        c: !!map {d: !!seq [!!null ""]}
        e: ! 12
        """)
    #expect(document["a"]?.scalar?.value == .string("0123"))
    #expect(document["b"]?.scalar?.value == .int(8080))
    #expect(document["c"]?["d"]?.items?[0].isNull == true)
    #expect(document["e"]?.scalar?.value == .string("12"))
  }
}
