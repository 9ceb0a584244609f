import Circulation
import Crypto
import FrontDesk
import HTTP
import HTTPServer
import JSON
import OPDS
import Registry
import TestSupport
import Testing

@testable import Facade

@Suite struct `The place in a book, over HTTP` {
  private let type = "application/opds-progression+json"

  private func document(_ modified: String, _ progression: String) -> [UInt8] {
    Array(
      """
      {"modified":"\(modified)","device":{"id":"urn:d:1","name":"Phone"},\
      "progression":\(progression),"references":["#t=40.2","chapter1.html#par36"]}
      """.utf8)
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book, over HTTP is found by its link, kept, and not set back`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let json: Headers = ["Accept": "application/opds+json"]
      let book = try await room.book("Here", json)
      let address = try #require(book.document)
      let whole = try #require(try await room.ask(address.href, json).entry)
      let place = try #require(whole.links.first(.progression)).href
      #expect(try await room.ask(place).status == 204)
      func put(_ body: [UInt8], _ kind: String? = nil) async throws -> LendingRoom.Answer {
        try await room.ask(
          place, .put, as: LendingRoom.adaCard, ["Content-Type": kind ?? type], body: body)
      }
      #expect(try await put(document("2026-12-31T10:00:00Z", "0.25")).status == 200)
      let got = try await room.ask(place)
      #expect(got.head["Content-Type"] == type)
      let json2 = try JSONValue(parsing: got.text)
      #expect(json2["progression"]?.double == 0.25)
      #expect(json2["modified"]?.string == "2026-12-31T10:00:00Z")
      #expect(json2["references"] == ["#t=40.2", "chapter1.html#par36"])
      #expect(json2["device"]?["name"] == "Phone")
      let older = try await put(document("2026-12-30T10:00:00Z", "0.9"))
      #expect(older.status == 409 && older.code == "older_place")
      #expect(try await put(document("2026-12-31T11:00:00Z", "1.5")).status == 400)
      #expect(try await put(document("yesterday", "0.5")).status == 400)
      #expect(try await put(Array("[]".utf8)).status == 400)
      #expect(try await put(document("2026-12-31T11:00:00Z", "0.5"), "text/plain").status == 415)
      #expect(try await room.ask(place, as: LendingRoom.bobCard).status == 204)
      #expect(try await room.ask(place, as: nil).status == 401)
      #expect(try await room.ask("/opds/works/w999/progression").status == 404)
    }
  }

  private func key(_ password: String, _ name: String = "ada") -> Headers {
    ["x-auth-user": name, "x-auth-key": Hex.encode(Digest.md5.hash(password))]
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book, over HTTP is kept for KOReader in its own way`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let root = "/opds/kosync"
      let signed = key(try await room.device(.all, of: room.ada, "kobo"))
      #expect(
        try await room.ask("\(root)/users/auth", .get, as: nil, signed).text
          == #"{"authorized":"OK"}"#)
      let unknown = try await room.ask("\(root)/syncs/progress/abc", .get, as: nil, signed)
      #expect(unknown.status == 200 && unknown.text == "{}")
      let body = Array(
        #"{"document":"abc","progress":"/body/p[3]","percentage":0.31,"device":"kobo","device_id":"7"}"#
          .utf8)
      let kept = try await room.ask("\(root)/syncs/progress", .put, as: nil, signed, body: body)
      #expect(kept.text == #"{"document":"abc","timestamp":1798761600}"#)
      let got = try JSONValue(
        parsing: try await room.ask("\(root)/syncs/progress/abc", .get, as: nil, signed).text)
      #expect(got["progress"] == "/body/p[3]" && got["percentage"]?.double == 0.31)
      #expect(got["device"] == "kobo" && got["device_id"] == "7")
      for torn in ["", "[]", #"{"document":"abc"}"#] {
        let answer = try await room.ask(
          "\(root)/syncs/progress", .put, as: nil, signed, body: Array(torn.utf8))
        #expect(answer.status == 400)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `The place in a book, over HTTP told by KOReader of a file from here is the work's`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let json: Headers = ["Accept": "application/opds+json"]
      let borrow = try #require(
        try await room.book("Here", json).acquisitions.first { $0.has(.borrow) })
      let loan = try #require(
        try await room.ask(borrow.link.href, .post, as: LendingRoom.adaCard, json).entry)
      let place = try #require(loan.links.first(.progression)).href
      let file = try #require(loan.acquisitions.first { $0.has(.acquisition) }).link.href
      let got = try await room.ask(file)
      #expect(got.status == 200)
      let name = try #require(
        got.head["Content-Disposition"]?.firstMatch(of: /filename="([^"]*)"/).map { String($0.1) })
      let signed = key(try await room.device(.all, of: room.ada, "kobo"))
      // The samples at the start overlap: in so small a file there is one only.
      for (document, percentage) in [(got.bytes, "0.25"), (Array(name.utf8), "0.5")] {
        let digest = Hex.encode(Digest.md5.hash(document))
        let body =
          #"{"document":"\#(digest)","progress":"/body/p[3]","percentage":\#(percentage),"#
          + #""device":"Kobo","device_id":"7"}"#
        let kept = try await room.ask(
          "/opds/kosync/syncs/progress", .put, as: nil, signed, body: Array(body.utf8))
        #expect(kept.status == 200, "\(kept.text)")
        let told = try JSONValue(parsing: try await room.ask(place).text)
        #expect(told["progression"]?.double == Double(percentage))
        #expect(told["device"] == ["id": "urn:koreader:7", "name": "Kobo"])
        #expect(told["references"] == nil)
        // KOReader itself gets its own notation back.
        let own = try await room.ask(
          "/opds/kosync/syncs/progress/\(digest)", .get, as: nil, signed)
        #expect(own.text.contains("body") && own.text.contains("p[3]"))
      }
      // What Ada was handed is nothing that Bob's app can name.
      #expect(try await room.ask(place, as: LendingRoom.bobCard).status == 204)
      let digest = Hex.encode(Digest.md5.hash(got.bytes))
      let bob = key(try await room.device(.all, of: room.bob, "bobs"), "bob")
      let body = #"{"document":"\#(digest)","progress":"x","percentage":0.9,"device":"b"}"#
      let foreign = try await room.ask(
        "/opds/kosync/syncs/progress", .put, as: nil, bob, body: Array(body.utf8))
      #expect(foreign.status == 200)
      #expect(try await room.ask(place, as: LendingRoom.bobCard).status == 204)
    }
  }

  @Test func `a book file has the digests that KOReader computes from samples of it`() throws {
    let folder = try TemporaryFolder()
    // The digests were made by another program, by the published rule.
    for (length, digest) in [
      (20_000, "04a4d10f5e5583d7173cce0782769cb1"), (0, "d41d8cd98f00b204e9800998ecf8427e"),
    ] {
      let path = try folder.write((0..<length).map { UInt8($0 % 251) }, to: "\(length)")
      let file = try FileBody(path: path)
      #expect(FileDigests.partial(of: file) == digest)
      #expect(
        FileDigests.all(of: file, named: "The Caf\u{E9} - Ada.epub")
          == [digest, "4e5a1db307ec040a31376b988e540b94"])
    }
  }

  @Test func `The place in a book, over HTTP is nobody's without the right key`() async throws {
    try await LendingRoom.open { room in
      let root = "/opds/kosync"
      let reading = key(try await room.device([.read, .lend], of: room.ada, "wall"))
      for headers in [reading, key("1234"), [:]] {
        let answer = try await room.ask("\(root)/users/auth", .get, as: nil, headers)
        #expect(answer.status == 401 && answer.text.contains("\"code\":2001"))
      }
      let create = try await room.ask("\(root)/users/create", .post, as: nil)
      #expect(create.status == 402 && create.text.contains("device password"))
    }
  }
}

@Suite struct `Every route of lending` {
  @Test func `each lending route for readers asks strangers to sign in and refuses other methods`()
    async throws
  {
    try await LendingRoom.open { room in
      var asked = 0
      for row in room.routes.table where row.note == .reader {
        let target = row.pattern.replacing(/\{[a-z]+\}/, with: "x")
        for method in row.methods where method != .options {
          let answer = try await room.ask(target, method, as: nil)
          #expect(answer.status == 401, "\(method) \(target): \(answer.status)")
          asked += 1
        }
        #expect(try await room.ask(target, .patch, as: nil).status == 405)
      }
      #expect(asked > 30)
      #expect(room.lender.commands.isEmpty)
    }
  }

  @Test func `Every route of lending tells pages of the web every method that it takes`()
    async throws
  {
    try await LendingRoom.open { room in
      let rows = Dictionary(grouping: room.routes.table, by: \.pattern)
      let asked = rows.filter { $0.value.contains { $0.methods.contains(.options) } }
      #expect(asked.count > 50)
      for (pattern, rows) in asked {
        let target = pattern.replacing(/\{[a-z]+\}/, with: "x")
        let told = try await room.ask(target, .options, as: nil)
        let methods = Set(rows.flatMap(\.methods).map(\.description))
        for field in ["Access-Control-Allow-Methods", "Allow"] {
          let names = (told.head[field] ?? "").split(separator: ", ").map { String($0) }
          #expect(methods.isSubset(of: names), "\(target): \(field) is \(names)")
        }
      }
    }
  }
}
