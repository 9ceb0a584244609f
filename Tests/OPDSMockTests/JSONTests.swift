import HTTP
import JSON
import MockKit
import Testing

@testable import OPDSMock

@Suite(.serialized) struct `OPDS in JSON` {
  private static let accept: Headers = ["Accept": "application/opds+json"]

  @Test
  func `the OPDS mock serves JSON by Accept header, by path or as its only format`() async throws {
    try await PlayedOPDS.run { played in
      let asked = try await played.get("crawlable", Self.accept)
      let fronted = try await played.get("opds2/crawlable")
      #expect(asked.type == "application/opds+json" && fronted.type == asked.type)
      #expect(fronted.json.href("self").contains("/lantern/opds2/"))
      for field in ["*/*", "application/atom+xml, application/opds+json;q=0.5"] {
        let atom = try await played.get("crawlable", ["Accept": field])
        #expect(atom.type.hasPrefix("application/atom+xml"), "\(field)")
      }
      let other = try await played.get("\(played.base)/beacon/crawlable")
      #expect(other.json["publications"]?.array?.isEmpty == false)
      played.turn("format", "atom")
      let deaf = try await played.get("crawlable", Self.accept)
      #expect(deaf.type.hasPrefix("application/atom+xml"))
    }
  }

  @Test func `OPDS in JSON has the places, pages, lanes, facets and search of the other`()
    async throws
  {
    try await PlayedOPDS.run(.threeCards, "beacon") { played in
      let start = try await played.get("").json
      for place in start["navigation"]?.array ?? [] {
        let target = try await played.get(place["href"]?.string ?? "")
        #expect(target.status == 200, "\(place)")
      }
      let feed = try await played.get("feed/all?size=10&after=10").json
      #expect(feed["metadata"]?["numberOfItems"]?.integer == 23)
      #expect(feed["metadata"]?["currentPage"]?.integer == 2)
      #expect(feed["facets"]?.array?.count == 2)
      let orders = feed["links"]?.array?.filter {
        $0["rel"]?.string == "http://palaceproject.io/terms/rel/sort"
      }
      #expect(orders?.count == 3)
      #expect(orders?.count { $0["properties"]?.object?.isEmpty == false } == 1)
      let next = try await played.get(feed.href("next")).json
      #expect(next["publications"]?.array?.count == 3 && next.link("next") == nil)
      let search = try #require(start.link("search"))
      #expect(search["templated"]?.bool == true)
      let name = played.lending.titles[played.ids[0]]?.name ?? ""
      let found = try await played.get(
        (search["href"]?.string ?? "").replacing(
          "{?q}", with: "?q=\(PercentCoding.encode(query: name))")
      ).json
      #expect(found["publications"]?[0]?["metadata"]?["title"]?.string == name)
      let groups = try await played.get("groups").json["groups"]?.array ?? []
      #expect(groups.allSatisfy { $0["links"]?[0]?["rel"]?.string == "self" })
    }
  }

  @Test func `OPDS in JSON tells of a book what the other tells`() async throws {
    try await PlayedOPDS.run { played in
      let title = try #require(played.lending.titles[played.ids[1]])
      let book = try await played.get("opds2/" + played.work(1)).json
      let metadata = book["metadata"]
      #expect(metadata?["identifier"]?.string == "urn:uuid:\(title.id)")
      #expect(metadata?["title"]?.string == title.name)
      #expect(metadata?["author"]?["name"]?.string == title.authors[0])
      #expect(metadata?["language"]?.string == title.language)
      #expect(book["images"]?.array?.count == 2)
      let borrow = try #require(book.link(Relation.borrow)?["properties"])
      #expect(borrow["availability"]?["state"]?.string == "available")
      #expect(borrow["copies"]?["total"]?.integer == 2)
      #expect(borrow["indirectAcquisition"]?[0]?["child"]?[0]?["type"]?.string == Mechanism.epub)
      #expect(borrow["authenticate"]?["href"] != nil)
    }
  }

  @Test func `OPDS in JSON lends, queues and takes back`() async throws {
    try await PlayedOPDS.run { played in
      let loan = try await played.mine("opds2/\(played.work(0))/borrow", .post)
      #expect(loan.status == 201 && loan.type == "application/opds-publication+json")
      let terms = loan.json.link(Relation.acquisition)?["properties"]
      #expect(terms?["availability"]?["state"]?.string == "ready")
      #expect(terms?["availability"]?["until"]?.string == "2026-04-06T09:00:00+00:00")
      let hold = try await played.mine("opds2/\(played.work(5))/borrow")
      let line = hold.json.link(Relation.borrow)?["properties"]
      #expect(line?["availability"]?["state"]?.string == "reserved")
      #expect(line?["holds"]?["position"]?.integer == 2)
      #expect(line?["actions"]?["cancellable"]?.bool == true)
      let shelf = try await played.mine("opds2/loans").json
      #expect(shelf["publications"]?.array?.count == 2)
      for publication in shelf["publications"]?.array ?? [] {
        #expect(try await played.mine(publication.href(Relation.revoke)).status == 200)
      }
      let empty = try await played.mine("opds2/loans").json
      #expect(empty["publications"]?.array?.isEmpty == true)
    }
  }

  @Test func `OPDS in JSON comes packed to whom can unpack it`() async throws {
    try await PlayedOPDS.run { played in
      let plain = try await played.get("opds2/crawlable", ["Accept-Encoding": "identity"])
      let packed = try await played.get("opds2/crawlable", ["Accept-Encoding": "gzip"])
      #expect(plain.headers["ETag"]?.hasPrefix("\"") == true)
      #expect(packed.headers["ETag"]?.hasPrefix("W/\"") == true)
      let tag = packed.headers["ETag"] ?? ""
      #expect(try await played.get("opds2/crawlable", ["If-None-Match": tag]).status == 304)
    }
  }
}
