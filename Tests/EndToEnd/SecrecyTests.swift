import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

/// PINs, the library's secret and every token: in no file, no stream, no argument and no variable,
/// however they are spelt.
@Suite(.timeLimit(.minutes(5))) struct `Nothing secret` {
  private static let card = "28887776665554"
  private static let pin = "ZZPIN4711ZZ"
  private static let secret = "zz+mock/secret=4712"

  @Test func `Nothing secret is left anywhere by a whole visit`() async throws {
    try await Stage.playOnEach { stage in
      try await stage.mock.change([
        "settings": ["client_secret": .string(Self.secret)],
        "cards": [["card": .string(Self.card), "pin": .string(Self.pin), "name": "Zoe Zimmer"]],
      ])
      try stage.writeSettings(secret: Self.secret)
      var places = try await visit(stage)
      let needles = try await needles(stage)
      #expect(needles.count > 20)

      for ending in stage.endings {
        let name = ending.words.joined(separator: " ")
        places["output of \(name)", default: []] += Array(ending.output.utf8)
        places["errors of \(name)", default: []] += Array(ending.error.utf8)
      }
      places.merge(try files(in: stage.home)) { $1 }
      for table in try await stage.tables() {
        let rows = try await stage.rows("SELECT * FROM \(table)")
        places["table \(table)"] = Array(rows.joined().joined(separator: "\n").utf8)
      }
      #expect(places.keys.contains { $0.contains("traces/") })
      #expect(places.keys.contains { $0.hasPrefix("cmdline of") })
      for (place, content) in places {
        let bytes = Data(content)
        for needle in needles {
          #expect(bytes.range(of: needle.bytes) == nil, "\(needle.name) in \(place)")
        }
      }
      // A search that finds nothing in anything proves nothing.
      #expect(places.values.contains { Data($0).range(of: Data("…5554".utf8)) != nil })
    }
  }

  /// What is looked for would be found, wherever in a longer text it begins.
  @Test(arguments: ["", "a", "ab"])
  func `Nothing secret would be overlooked`(_ before: String) {
    let needles = Needle.spellings(of: Self.secret, "it")
    let bytes = Array("\(before)\(Self.secret)after".utf8)
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let base64 = Data(bytes).base64EncodedString()
    let address = base64.replacing("+", with: "-").replacing("/", with: "_")
    let percent = "\(before)zz%2Bmock%2Fsecret%3D4712"
    for text in [hex, hex.uppercased(), base64, address, percent, "\(before)\(Self.secret)"] {
      #expect(needles.contains { Data(text.utf8).range(of: $0.bytes) != nil }, "\(text)")
    }
  }

  /// A good day and a bad one.
  private func visit(_ stage: Stage) async throws -> [String: [UInt8]] {
    try await stage.carrel(
      "link", "overdrive", "--library", "city", "--name", "zoe", "--credentials-stdin", "--debug",
      input: "\(Self.card)\n\(Self.pin)\n")
    let titles = try await stage.mock.truth().titles
    let (first, other) = ("zoe:\(titles[0].id)", "zoe:\(titles[2].id)")
    for words in [
      ["account", "list"], ["account", "check"], ["harvest"], ["search", "harbors"],
      ["borrow", first], ["loans"], ["renew", first], ["return", first], ["hold", "list"],
      ["config", "show"], ["config", "check"], ["provider", "list"],
    ] {
      try await stage.carrel(words + ["--debug", "--verbose"])
      try await stage.carrel(words + ["--json"])
    }
    try await stage.carrel(
      "account", "login", "zoe", "--credentials-stdin", "--debug",
      input: "\(Self.card)\n\(Self.pin)wrong\n")
    try await stage.carrel(
      "account", "login", "zoe", "--credentials-stdin", "--debug",
      input: #"{"card": "\#(Self.card)", "pin": "\#(Self.pin)", "#)
    for kind in ["wrong-type", "empty", "malformed", "reset", "token-expired"] {
      try await stage.mock.add(["name": "trouble", "kind": .string(kind)])
      try await stage.carrel("sync", "--debug", "--timeout", "1s")
      try await stage.carrel("borrow", other, "--json", "--timeout", "1s")
    }
    return try await killed(first, stage)
  }

  /// One that is looked at while it waits and then killed, so that its write-ahead log stays behind.
  private func killed(_ title: String, _ stage: Stage) async throws -> [String: [UInt8]] {
    try await stage.mock.removeFaults()
    let before = try await stage.mock.count(of: "checkOut")
    try await stage.mock.add([
      "name": "slow", "kind": "latency", "operation": "checkOut", "milliseconds": 60_000,
    ])
    let child = try stage.start(["borrow", title, "--debug"])
    #expect(try await stage.mock.waits(for: "checkOut", beyond: before))
    var places: [String: [UInt8]] = [:]
    for name in ["cmdline", "environ"] {
      let content = try Data(contentsOf: URL(filePath: "/proc/\(child.pid)/\(name)"))
      #expect(content.count > 10)
      places["\(name) of borrow"] = [UInt8](content)
    }
    child.send(SIGKILL)
    _ = try await child.waitForEnd()
    places.merge(try files(in: stage.home)) { $1 }
    try await stage.mock.removeFaults()
    try await stage.carrel("sync", "--debug")
    return places
  }

  private func files(in folder: String) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for name in names {
      let path = "\(folder)/\(name)"
      var isFolder = false as ObjCBool
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      found["file \(name)"] = [UInt8](try Data(contentsOf: URL(filePath: path)))
    }
    return found
  }

  private func needles(_ stage: Stage) async throws -> [Needle] {
    var needles = Needle.spellings(of: Self.pin, "the PIN")
    needles += Needle.spellings(of: Self.secret, "the client secret")
    needles += Needle.spellings(of: Self.card, "the card number")
    let tokens = try await stage.mock.tokens()
    #expect(!tokens.isEmpty)
    for token in tokens { needles += Needle.spellings(of: token, "a token") }
    return needles
  }
}

/// A secret in one of the spellings it could leak in.
struct Needle: Sendable {
  let name: String
  let bytes: Data

  static func spellings(of text: String, _ name: String) -> [Needle] {
    let bytes = Array(text.utf8)
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    let unsafeSigns = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    let all = bytes.map { "%" + (String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)) }.joined()
    var spellings = [
      ("plain", text), ("hex", hex), ("HEX", hex.uppercased()), ("percent", unsafeSigns),
      ("JSON", text.replacing("/", with: "\\/")), ("percent of all", all),
      ("PERCENT of all", all.uppercased()),
    ]
    // In the middle of something longer the letters of base64 depend on where it begins.
    for offset in 0..<3 {
      let shifted = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
      let inside = shifted.dropFirst([0, 2, 3][offset]).filter { $0 != "=" }.dropLast()
      spellings.append(("base64", String(inside)))
      spellings.append(
        (
          "base64url", String(inside).replacing("+", with: "-").replacing("/", with: "_")
        ))
    }
    return spellings.map { Needle(name: "\(name) (\($0.0))", bytes: Data($0.1.utf8)) }
  }
}

extension Mock {
  /// Until it has been asked for that.
  func waits(for operation: String, beyond count: Int) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if try await self.count(of: operation) > count { return true }
    }
    return false
  }

  func count(of operation: String) async throws -> Int {
    let found = try await admin(.get, "/requests?operation=\(operation)&limit=0")
    return found["total"]?.integer ?? 0
  }

  /// All that it handed out and still remembers.
  func tokens() async throws -> [String] {
    try await admin(.get, "/state")["tokens"]?.array?.compactMap(\.string) ?? []
  }
}
