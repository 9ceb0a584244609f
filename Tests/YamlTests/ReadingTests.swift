import Testing
import Yaml

@Suite struct `Settings are read by name and faults are told with their place` {
  enum Format: String, CaseIterable { case json, logfmt }

  func reading(_ text: String) throws -> YamlReading { YamlReading(try YamlNode(parsing: text)) }

  @Test func `settings values are read in their types`() throws {
    let reading = try reading(
      """
      server: {port: 8080, ratio: 3, name: 0417, on: true, format: json, wait: 15m}
      hosts: [a, b]
      """)
    let server = reading.root["server"]
    #expect(try server["port"].int(in: 1...65535) == 8080)
    #expect(try server["ratio"].double(in: 0...3) == 3)
    #expect(try server["name"].string() == "0417")
    #expect(try server["on"].bool())
    #expect(try server["format"].choice(Format.self) == .json)
    #expect(try server["wait"].value("a duration") { $0 == "15m" ? 900 : nil } == 900)
    #expect(try reading.root["hosts"].items().map { try $0.string() } == ["a", "b"])
    #expect(throws: Never.self) { try reading.finish() }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let words: String
    let take: @Sendable (YamlCursor) throws(YamlFault) -> Void
    var testDescription: String { "\(text): \(words)" }

    init(
      _ text: String, _ words: String,
      _ take: @escaping @Sendable (YamlCursor) throws(YamlFault) -> Void
    ) {
      (self.text, self.words, self.take) = (text, words, take)
    }
  }

  static let rows: [Row] = [
    Row("a: 0", "line 1, column 4: a must be a whole number from 1 to 65535") {
      c throws(YamlFault) in _ = try c["a"].int(in: 1...65535)
    },
    Row("a: -1", "line 1, column 4: a must be a whole number, at least 0") {
      c throws(YamlFault) in _ = try c["a"].int(in: 0...Int.max)
    },
    Row("a: '8080'", "line 1, column 4: a must be a whole number") {
      c throws(YamlFault) in _ = try c["a"].int()
    },
    Row("a: 1.0", "line 1, column 4: a must be a whole number") {
      c throws(YamlFault) in _ = try c["a"].int()
    },
    Row("a: .inf", "line 1, column 4: a must be a number") {
      c throws(YamlFault) in _ = try c["a"].double()
    },
    Row("a: 1e999", "line 1, column 4: a must be a number") {
      c throws(YamlFault) in _ = try c["a"].double()
    },
    Row("a: yes", "line 1, column 4: a must be true or false") {
      c throws(YamlFault) in _ = try c["a"].bool()
    },
    Row("a: [x]", "line 1, column 4: a must be a text") {
      c throws(YamlFault) in _ = try c["a"].string()
    },
    Row("a:", "line 1, column 3: a must be a text, and nothing is given") {
      c throws(YamlFault) in _ = try c["a"].string()
    },
    Row("a: xml", "line 1, column 4: a must be one of json, logfmt") {
      c throws(YamlFault) in _ = try c["a"].choice(Format.self)
    },
    Row("b: 1\nc:\n  d: 1", "line 3, column 3: c.a is missing") {
      c throws(YamlFault) in _ = try c["c"]["a"].string()
    },
    Row("a: 8080", "line 1, column 4: a must be a group of settings") {
      c throws(YamlFault) in _ = try c["a"]["port"].int()
    },
    Row("a: {b: 1}", "line 1, column 4: a must be a list") {
      c throws(YamlFault) in _ = try c["a"].items()
    },
    Row("[1]", "line 1, column 1: the document must be a group of settings") {
      c throws(YamlFault) in _ = try c["a"].string()
    },
    Row("a: [{n: 1}, {n: x}]", "line 1, column 17: a[1].n must be a whole number") {
      c throws(YamlFault) in for item in try c["a"].items() { _ = try item["n"].int() }
    },
    Row("a: {'x y': z}", "line 1, column 12: a.'x y' must be a whole number") {
      c throws(YamlFault) in for entry in try c["a"].entries() { _ = try entry.value.int() }
    },
  ]

  @Test(arguments: rows)
  func `a settings fault is described in one plain sentence`(_ row: Row) throws {
    let reading = try reading(row.text)
    let fault = #expect(throws: YamlFault.self) { try row.take(reading.root) }
    #expect(fault?.description == row.words)
  }

  @Test func `an unknown settings key is a fault that lists the known keys beside it`() throws {
    let reading = try reading("server:\n  host: x\n  prot: 1\nservre: 2\n")
    _ = try reading.root["server"]["host"].string()
    _ = try reading.root["server"]["port"].ifPresent { c throws(YamlFault) in try c.int() }
    #expect(
      reading.faults.map(\.reason) == [
        .unknownKey("prot", known: ["host", "port"]), .unknownKey("servre", known: ["server"]),
      ])
    #expect(reading.faults.map(\.position.line) == [3, 4])
    #expect(reading.faults.first?.description == "line 3, column 3: unknown key 'prot'")
  }

  @Test func `unknown settings keys are found inside lists and named groups`() throws {
    let reading = try reading("libs:\n  city: {url: x, ulr: y}\nlist: [{a: 1, b: 2}]\n")
    for entry in try reading.root["libs"].entries() { _ = try entry.value["url"].string() }
    for item in try reading.root["list"].items() { _ = try item["a"].int() }
    #expect(reading.faults.map { "\($0.path)" } == ["libs.city.ulr", "list[0].b"])
  }

  @Test func `all settings faults are reported together, once, in line order`() throws {
    let reading = try reading("z: 1\nb: x\na: 5\n")
    #expect(reading.attempt(try reading.root["a"]["one"].int()) == nil)
    #expect(reading.attempt(try reading.root["a"]["two"].int()) == nil)
    #expect(reading.attempt(try reading.root["b"].int()) == nil)
    let all = #expect(throws: YamlFaults.self) { try reading.finish() }
    #expect(all?.faults.map(\.position.line) == [1, 2, 3])
    #expect(all?.description.split(separator: "\n").count == 3)
  }

  @Test func `an empty settings file leaves every setting absent`() throws {
    let reading = try reading("# nothing\n")
    #expect(!reading.root["server"]["port"].isPresent)
    #expect(try reading.root["a"].ifPresent { c throws(YamlFault) in try c.int() } == nil)
    #expect(throws: Never.self) { try reading.finish() }
  }

  @Test func `a null settings group counts as absent`() throws {
    let reading = try reading("server:\n")
    #expect(!reading.root["server"]["port"].isPresent)
    #expect(throws: Never.self) { try reading.finish() }
  }

  @Test func `settings faults never contain the values`() throws {
    let reading = try reading("port: hunter2\nfmt: hunter2\nname: [hunter2]\n")
    _ = reading.attempt(try reading.root["port"].int())
    _ = reading.attempt(try reading.root["fmt"].choice(Format.self))
    _ = reading.attempt(try reading.root["name"].string())
    #expect(reading.faults.count == 3)
    #expect(!"\(reading.faults)".contains("hunter2"))
  }
}
