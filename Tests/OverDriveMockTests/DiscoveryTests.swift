import HTTP
import JSON
import MockKit
import TestSupport
import Testing

@Suite struct `Discovery at the mock OverDrive` {
  @Test
  func `the OverDrive mock lists every title once when its next links are followed`() async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      let question = "lastUpdateTime=2001-01-01T00:00:00Z&sort=title:asc&limit=5"
      var next: String? = "/v1/collections/\(played.collection)/products?\(question)"
      var ids: [String] = []
      while let path = next {
        let page = try await played.send(.get, path, token: token)
        #expect(page.status == 200)
        ids += (page.json["products"]?.array ?? []).compactMap { $0["id"]?.string }
        next = page.json["links"]?["next"]?["href"]?.string
        #expect(next?.contains("lastupdatetime=2001-01-01T00:00:00Z") ?? true)
      }
      // The one that a branch has for itself is not there.
      #expect(ids.count == 23)
      #expect(Set(ids).count == 23)
    }
  }

  @Test
  func `the OverDrive mock caps the page limit and omits an empty product list`() async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      let path = "/v1/collections/\(played.collection)/products"
      let large = try await played.send(.get, path + "?limit=5000", token: token)
      #expect(large.json["limit"] == 300)
      for offset in ["9223372036854775807", "-9223372036854775808"] {
        let far = try await played.send(.get, path + "?offset=\(offset)", token: token)
        #expect(far.status == 200)
      }
      let none = try await played.send(.get, path + "?q=zzzz%20{x}", token: token)
      #expect(none.json["totalItems"] == 0)
      #expect(none.json["products"] == nil)
      #expect(none.json["links"]?["self"]?["href"]?.string?.contains("q=zzzz {x}") == true)
    }
  }

  @Test
  func `the OverDrive mock answers bulk requests for known ids, at most 25 at once`() async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      let (ids, collection) = (played.ids, played.collection)
      let some = "\(ids[0]),\(ids[1].uppercased()),00000000-0000-4000-8000-000000000000"
      let availability = try await played.send(
        .get, "/v2/collections/\(collection)/availability?products=\(some)", token: token)
      #expect(availability.json["totalItems"] == 2)
      let metadata = try await played.send(
        .get, "/v1/collections/\(collection)/bulkmetadata?reserveIds=\(some)", token: token)
      #expect(metadata.json["metadata"]?.array?.count == 2)
      let many = Array(repeating: ids[0], count: 26).joined(separator: ",")
      let refused = try await played.send(
        .get, "/v2/collections/\(collection)/availability?products=\(many)", token: token)
      #expect(refused.status == 400)
      let bad = try await played.send(
        .get, "/v1/collections/\(collection)/products/x/metadata", token: token)
      #expect(bad.code == "InvalidGuid")
    }
  }

  @Test
  func `the OverDrive mock shows a branch's own title only with the branch's token`() async throws {
    try await PlayedOverDrive.run { played in
      let token = try await played.clientToken()
      let id = played.ids[7]
      let list = try await played.send(
        .get, "/v1/libraries/4225/advantageAccounts", token: token)
      let child = list.json["advantageAccounts"]?[0]?["collectionToken"]?.string ?? ""
      let main = try await played.send(
        .get, "/v2/collections/\(played.collection)/products/\(id)/availability", token: token)
      #expect((main.status, main.code) == (404, "NotFound"))
      let branch = try await played.send(
        .get, "/v2/collections/\(child)/products/\(id)/availability", token: token)
      #expect(branch.json["accounts"]?[0]?["id"] == 3)
    }
  }

  @Test func `the OverDrive mock gives the same bytes for the same seed and others for another`()
    async throws
  {
    func crawl(_ seed: UInt64) async throws -> String {
      try await PlayedOverDrive.run(seed: seed) { played in
        let token = try await played.clientToken()
        let page = try await played.send(
          .get, "/v1/collections/\(played.collection)/products?limit=300", token: token)
        // Links lead to wherever the client called, and each test has a port of its own.
        return token
          + String(decoding: page.body, as: UTF8.self).replacing(played.base, with: "")
      }
    }
    let first = try await crawl(7)
    #expect(try await crawl(7) == first)
    #expect(try await crawl(8) != first)
  }

  @Test func `Discovery at the mock OverDrive satisfies a client written against the real service`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let script = #filePath.replacing("DiscoveryTests.swift", with: "Fixtures/webservice-ils.pl")
      let finished = try await run(
        "perl",
        [
          script, played.base, "CARRELMOCK", "mock-secret", "4225", "100300", "mockville", ada,
          "1111",
        ])
      #expect(finished.end == .exited(0), Comment(rawValue: finished.errorText))
      let seen = try JSONValue(parsing: finished.output)
      #expect(seen["is_available"] == 1)
      #expect(seen["refused"] == 1)
      #expect(seen["loan"] == 1)
      #expect(seen["loans"] == 1)
      #expect(seen["formats"] == ["ebook-overdrive"])
      #expect(seen["locked"] == "ebook-epub-open")
      #expect(seen["file_start"] == "PK")
      #expect(seen["after"] == 0)
      #expect(seen["holds"] == 1)
      #expect(seen["removed_again"] == 1)
      #expect(seen["next_offset"] == 5)
    }
  }
}
