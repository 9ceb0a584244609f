import HTTP
import JSON
import Markup
import MockKit
import Testing

@testable import OPDSMock

@Suite(.serialized) struct `A catalog that gives its books away` {
  private func whole(_ path: String, _ played: PlayedOPDS) -> String {
    path.hasPrefix("/") ? played.base + path : path
  }

  @Test
  func `the free OPDS mock lists all its books in one feed with relative addresses`() async throws {
    try await PlayedOPDS.run(.threeCards, "quillpress") { played in
      let root = try await played.get("feeds/opds").root()
      let all = root.all("entry").compactMap { $0.link(Relation.crawlable) }
      #expect(all.first?["href"] == "/quillpress/feeds/opds/all")
      #expect(all.first?["type"]?.hasSuffix("charset=utf-8") == true)
      let feed = try await played.get(whole(all.first?["href"] ?? "", played)).root()
      #expect(feed.all("entry").count == 24 && feed.first("complete") != nil)
      let entry = try #require(feed.first("entry"))
      let file = try await played.get(whole(entry.href(Relation.openAccess), played))
      #expect(file.type == Mechanism.epub && StoredArchive(file.body) != nil)
      let page = try await played.get(whole(entry.href("alternate"), played)).root()
      #expect(page.first("id")?.words == entry.first("id")?.words)
      let cover = try await played.get(whole(entry.href(Relation.image), played))
      #expect(cover.type == "image/png")
      let two = feed.all("entry")[3].all("link").filter { $0["rel"] == Relation.openAccess }
      #expect(two.count == 2)
      let pdf = try await played.get(whole(two[1]["href"] ?? "", played))
      #expect(pdf.type == "application/pdf" && pdf.body.starts(with: Array("%PDF".utf8)))
    }
  }

  @Test func `A catalog that gives its books away is divided by subject, and searched`()
    async throws
  {
    try await PlayedOPDS.run(.threeCards, "quillpress") { played in
      let subjects = try await played.get("feeds/opds/subjects").root()
      for entry in subjects.all("entry") {
        let feed = try await played.get(whole(entry.href("subsection"), played)).root()
        #expect(!feed.all("entry").isEmpty)
      }
      let description = try await played.get(whole(subjects.href("search"), played)).root()
      let name = PercentCoding.encode(
        query: played.lending.titles[played.ids[0]]?.authors[0] ?? "")
      let target = (description.first("Url")?["template"] ?? "")
        .replacing("{searchTerms}", with: name)
      let found = try await played.get(target).root()
      #expect(!found.all("entry").isEmpty)
      #expect(try await played.get("feeds/opds/subjects/nothing").status == 404)
      #expect(try await played.get("feeds/opds/new-releases").root().all("entry").count == 24)
    }
  }

  @Test func `A catalog that gives its books away is calibre's, with its ways`() async throws {
    var scenario = Scenario.threeCards
    scenario.titles = 70
    try await PlayedOPDS.run(scenario, "calibre") { played in
      let root = try await played.get("opds").root()
      let places = root.all("entry").compactMap { $0.first("link") }
      #expect(places.count == 3 && places.allSatisfy { $0["rel"] == nil })
      #expect(places[0]["href"] == "/calibre/opds/navcatalog/4f6e6577657374")
      var (target, seen) = (places[0]["href"] ?? "", [String]())
      while !target.isEmpty {
        let feed = try await played.get(whole(target, played)).root()
        seen += feed.all("entry").compactMap { $0.first("id")?.words }
        target = feed.href("next")
      }
      #expect(seen.count == 70 && Set(seen) == Set(played.ids.map { "urn:uuid:\($0)" }))
      let feed = try await played.get(whole(places[1]["href"] ?? "", played)).root()
      let entry = try #require(feed.first("entry"))
      #expect(entry.link("http://opds-spec.org/cover") != nil && entry.link(Relation.image) != nil)
      let book = try #require(entry.link(Relation.acquisition))
      #expect(book["mtime"]?.hasSuffix("+00:00") == true)
      let file = try await played.get(whole(book["href"] ?? "", played))
      #expect(StoredArchive(file.body) != nil)
      let authors = try await played.get(whole(places[2]["href"] ?? "", played)).root()
      #expect(authors.all("entry").contains { $0.first("title")?.words.contains(" & ") == true })
      let person = authors.first("entry")?.first("link")?["href"] ?? ""
      let books = try await played.get(whole(person, played)).root()
      #expect(!books.all("entry").isEmpty)
    }
  }

  @Test func `the calibre OPDS mock takes search words in the path`() async throws {
    try await PlayedOPDS.run(.threeCards, "calibre") { played in
      let name = played.lending.titles[played.ids[0]]?.name ?? ""
      let found = try await played.get("opds/search/\(PercentCoding.encode(segment: name))")
      #expect(try found.root().all("entry").count >= 1)
      #expect(try await played.get("opds/search/xqzzw").status == 404)
      #expect(try await played.get("opds/search?query=xqzzw").status == 404)
      let description = try await played.get("opds/opensearch.xml").root()
      #expect(description.first("Url")?["template"]?.hasSuffix("/{searchTerms}") == true)
      // Unasked, a name is an error.
      #expect(try await played.mine("opds").status == 400)
    }
  }
}
