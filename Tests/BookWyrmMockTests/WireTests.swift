import BookWyrmMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import Testing

@Suite(.serialized) struct `An instance of BookWyrm` {
  private struct Played: Sendable {
    let open: OpenHouse
    let user = Furnishing.user(of: "23000000000001")

    static func run(
      _ scenario: Scenario = .threeCards, _ quirks: [String] = [],
      _ body: (Played) async throws -> Void
    ) async throws {
      let house = MockHouse(scenario, dialects: [BookWyrmDialect.dialect])
      house.main.withState { state in
        _ = state.change("demo", of: BookWyrmDialect.name) { library, _ in
          library.settings["quirks"] = .array(quirks.map { .string($0) })
        }
      }
      try await OpenHouse.run(house) { try await body(Played(open: $0)) }
    }

    func get(_ target: String, _ headers: Headers = [:]) async throws -> Reply {
      var request = Request(
        .get, try Address(open.base + "/bookwyrm" + target), headers: headers)
      request.redirects = .returned
      return try await open.client.send(request)
    }

    func json(_ target: String) async throws -> JSONValue {
      let reply = try await get(target)
      #expect(reply.status == .ok)
      return try JSONValue(parsing: reply.body, by: .tolerant)
    }
  }

  @Test func `An instance of BookWyrm gives documents to programs and pages to people`()
    async throws
  {
    try await Played.run { played in
      let path = "/user/\(played.user)"
      #expect(try await played.json("\(path).json")["type"] == "Person")
      let asked = try await played.get(path, ["Accept": "application/activity+json"])
      #expect(asked.headers["Content-Type"] == "application/activity+json")
      let page = try await played.get(path, ["Accept": "text/html"])
      #expect(page.headers["Content-Type"]?.hasPrefix("text/html") == true)
      #expect(try await played.get("/user/nobody.json").status == .notFound)
      #expect(try await played.get("/elsewhere").status == .notFound)
    }
  }

  @Test func `An instance of BookWyrm tells a shelf by fifteen`() async throws {
    try await Played.run(.avidReaders) { played in
      let path = "/user/\(played.user)/books/to-read.json"
      let shelf = try await played.json(path)
      let total = try #require(shelf["totalItems"]?.integer)
      #expect(shelf["type"] == "Shelf" && total > 30)
      let first = try await played.json(path + "?page=1")
      #expect(first["orderedItems"]?.array?.count == 15 && first["prev"] == nil)
      #expect(first["next"]?.string?.hasSuffix("?page=2") == true)
      let number = (total + 14) / 15
      let last = try await played.json(path + "?page=\(number)")
      #expect(last["next"] == nil)
      let beyond = try await played.json(path + "?page=\(number + 5)")
      #expect(beyond["orderedItems"] == last["orderedItems"])
    }
  }

  @Test func `An instance of BookWyrm names a work and authors by addresses that answer`()
    async throws
  {
    try await Played.run { played in
      let page = try await played.json("/user/\(played.user)/books/read.json?page=1")
      let edition = try #require(page["orderedItems"]?.array?.first)
      #expect(edition["description"]?.string?.contains("<p>") == true)
      let work = try #require(edition["work"]?.string?.split(separator: "/").last)
      #expect(try await played.json("/book/\(work).json")["type"] == "Work")
      let author = try #require(edition["authors"]?.array?.first?.string)
      let number = try #require(author.split(separator: "/").last)
      #expect(try await played.json("/author/\(number).json")["name"]?.string?.isEmpty == false)
      #expect(try await played.get("/author/999.json").status == .notFound)
    }
  }

  @Test func `An instance of BookWyrm has two paths for a shelf, of which one leads to the other`()
    async throws
  {
    try await Played.run { played in
      let reply = try await played.get("/user/\(played.user)/shelf/read.json?page=1")
      #expect(reply.status == .found)
      #expect(
        reply.headers["Location"]?.hasSuffix("/user/\(played.user)/books/read?page=1") == true)
    }
  }

  @Test func `An instance of BookWyrm may show nothing to whoever does not sign`() async throws {
    try await Played.run(.threeCards, ["authorized-fetch"]) { played in
      #expect(try await played.get("/user/\(played.user).json").status == .unauthorized)
      let signed = try await played.get("/user/\(played.user).json", ["Signature": "keyId=x"])
      #expect(signed.status == .ok)
    }
  }
}
