import Foundation
import HTTP
import JSON
import Markup
import MockKit
import Testing
import XML

@testable import OPDSMock

@Suite(.serialized) struct `An OPDS server that is odd` {
  @Test func `An OPDS server that is odd never comes to the last page`() async throws {
    try await PlayedOPDS.run { played in
      played.turn(.nextLoop)
      let last = try await played.get("crawlable?after=20&size=10").root()
      #expect(last.href("next").contains("after=0&"))
      played.turn(.nextSelf)
      let same = try await played.get("crawlable?size=10").root()
      #expect(same.href("next") == same.href("self"))
      played.turn(.overlap, .prev, .noTotals)
      let second = try await played.get("crawlable?after=10&size=10").root()
      #expect(second.all("entry").count == 11 && second.first("totalResults") == nil)
      #expect(second.link("prev") != nil && second.link("previous") == nil)
    }
  }

  @Test func `An OPDS server that is odd lists a few of its books where it had many`() async throws
  {
    try await PlayedOPDS.run(.bigCatalogue) { played in
      func total() async throws -> String? {
        try await played.get("crawlable?size=1").root().first("totalResults")?.words
      }
      let before = try await total()
      played.turn(.shrunken)
      let after = try await total()
      #expect(before == "4999" && after == "149")
    }
  }

  @Test func `An OPDS server that is odd leaves names out, repeats them, or lists what is none`()
    async throws
  {
    try await PlayedOPDS.run { played in
      func ids() async throws -> [String?] {
        try await played.get("crawlable").root().all("entry").map { $0.first("id")?.words }
      }
      played.turn(.missingIDs)
      #expect(try await ids().filter { $0 == nil }.count == 7)
      played.turn(.repeatedIDs)
      #expect(try await Set(ids()).count == 1)
      played.turn(.badEntry)
      #expect(try await ids().first == "")
      let books = try await played.get("opds2/crawlable").json["publications"]
      #expect(books?[0]?["links"]?.integer == 5 && books?[1]?["metadata"]?["title"] != nil)
      played.turn(.messages)
      let shelf = try await played.mine("loans").root()
      #expect(shelf.first("message")?.first("status_code")?.words == "404")
    }
  }

  @Test func `An OPDS server that is odd writes dates and addresses as it likes`() async throws {
    try await PlayedOPDS.run { played in
      func updated() async throws -> String? {
        try await played.get("").root().first("updated")?.words
      }
      played.turn(.zonelessDates)
      #expect(try await updated() == "2026-03-16T09:00:00")
      played.turn(.fractionalDates)
      #expect(try await updated() == "2026-03-16T09:00:00.123456+00:00")
      played.turn(.xmlBase)
      let based = try await played.get("crawlable").root()
      #expect(based["base"] == "\(played.base)/lantern/")
      #expect(based.href("start") == "./")
      #expect(based.first("entry")?.href("alternate").hasPrefix("works/URI/") == true)
      played.turn(.rootRelative)
      #expect(try await played.get("crawlable").root().href("start") == "/lantern/")
      #expect(try await played.get("opds2/").json.href("start") == "/lantern/opds2/")
    }
  }

  @Test func `An OPDS server that is odd says too much of a book, or says it badly`() async throws {
    try await PlayedOPDS.run { played in
      played.turn(.hugeSummary)
      for path in ["crawlable", "opds2/crawlable"] {
        #expect(try await played.get(path).body.count > 2_000_000)
      }
      played.turn(.escapedTwice)
      let twice = try await played.get("crawlable").root()
      #expect(twice.first("entry")?.first("summary")?.words.contains("&lt;p&gt;") == false)
      #expect(twice.first("entry")?.first("summary")?.words.contains("&lt;p>") == true)
      played.turn(.oddHolds)
      let line = try await played.get(played.work(5)).root().link(Relation.borrow)
      #expect(line?.first("holds")?["position"] == "7" && line?.first("holds")?["total"] == "0")
      #expect(line?.first("copies")?["available"] == nil)
      played.turn(.noCounts)
      let bare = try await played.get("opds2/\(played.work(5))").json.link(Relation.borrow)
      #expect(bare?["properties"]?["availability"]?["state"]?.string == "unavailable")
      #expect(bare?["properties"]?["copies"] == nil && bare?["properties"]?["holds"] == nil)
    }
  }

  @Test func `An OPDS server that is odd sends documents that are not quite those they should be`()
    async throws
  {
    try await PlayedOPDS.run { played in
      played.turn(.wrongType)
      #expect(try await played.get("crawlable").type.hasPrefix("text/html"))
      played.turn(.httpsNamespace)
      let root = try await played.get("crawlable").root()
      #expect(root.name.namespace == "https://www.w3.org/2005/Atom")
      for quirk in [Quirk.entities, .leadingLines, .trailingText] {
        played.turn(quirk)
        let bytes = try await played.get("crawlable").body
        #expect(throws: XMLError.self, "\(quirk)") { try XMLDocument(bytes) }
      }
    }
  }

  @Test func `An OPDS server that is odd writes JSON in the other ways there are`() async throws {
    try await PlayedOPDS.run(.threeCards, "beacon") { played in
      played.turn(.nulls, .shortRelations, .languageMaps)
      let feed = try await played.get("crawlable").json
      let book = feed["publications"]?[0]
      #expect(feed["images"] == .null && book?["metadata"]?["imprint"] == .null)
      #expect(book?["metadata"]?["title"]?["en"] != nil)
      #expect(book?["metadata"]?["language"]?[0] != nil)
      #expect(book?.link("borrow") != nil && book?.link(Relation.borrow) == nil)
    }
  }

  @Test func `An OPDS server that is odd leaves something to be filled in`() async throws {
    try await PlayedOPDS.run { played in
      played.turn(.templated)
      let entry = try await played.borrow(0).root()
      let link = try #require(entry.first("tlink"))
      #expect(link.name.namespace == "http://drafts.opds.io/odl-1.0#")
      #expect(link["href"]?.hasSuffix("/fulfill/epub{?hint,hint_url}") == true)
      let book = try await played.mine("opds2/\(played.work(0))/borrow").json
      #expect(book.link(Relation.acquisition)?["templated"]?.bool == true)
    }
  }

  @Test func `An OPDS server that is odd is made so by the admin interface, like all mocks`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let order: JSONValue = [
        "libraries": [["id": "lantern", "settings": ["quirks": ["next-self"]]]]
      ]
      let answer = try await played.send(
        .put, "\(played.base)/__admin/state", ["Content-Type": "application/json"],
        body: order.bytes())
      #expect(answer.status == 200)
      let feed = try await played.get("crawlable").root()
      #expect(feed.href("next") == feed.href("self"))
      let fault: JSONValue = [
        "name": "busy", "kind": "status", "status": 503, "operation": "crawlable",
      ]
      _ = try await played.send(
        .post, "\(played.base)/__admin/faults", ["Content-Type": "application/json"],
        body: fault.bytes())
      let busy = try await played.get("crawlable")
      #expect(busy.status == 503 && busy.problem == "remote-integration-failed")
    }
  }
}

@Suite struct `The guide of the mocks` {
  @Test func `The guide of the mocks names every quirk`() throws {
    let place = URL(filePath: #filePath).appending(path: "../../../Mocks/README.md").standardized
    let guide = try String(contentsOf: place, encoding: .utf8)
    for quirk in Quirk.allCases {
      #expect(guide.contains("`\(quirk.rawValue)`"), "\(quirk.rawValue)")
    }
  }
}
