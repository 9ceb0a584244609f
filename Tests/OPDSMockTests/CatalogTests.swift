import HTTP
import JSON
import Markup
import MockKit
import Testing

@testable import OPDSMock

@Suite(.serialized) struct `The catalog of an OPDS lender` {
  @Test func `The catalog of an OPDS lender begins with places to go to, each of which is there`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let answer = try await played.get("")
      let root = try answer.root()
      #expect(answer.type.contains("kind=navigation"))
      #expect(root.name.namespace == "http://www.w3.org/2005/Atom")
      #expect(root.all("entry").count > 5)
      // As at Palace, which forgets the dates of places and puts links last.
      #expect(root.all("entry").allSatisfy { $0.first("updated") == nil })
      guard case .element(let last)? = root.children.last else {
        Issue.record("nothing at the end")
        return
      }
      #expect(last.name.local == "link")
      for entry in root.all("entry") {
        let target = try await played.get(entry.href("subsection"))
        #expect(target.status == 200 && target.type.contains("kind=acquisition"))
      }
      for rel in ["self", "start", "http://opds-spec.org/crawlable"] {
        #expect(try await played.get(root.href(rel)).status == 200, "\(rel)")
      }
    }
  }

  @Test func `The catalog of an OPDS lender tells what a book is and what may be done with it`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let feed = try await played.get("crawlable").root()
      let id = "urn:uuid:\(played.ids[0])"
      let entry = try #require(feed.all("entry").first { $0.first("id")?.words == id })
      let title = try #require(played.lending.titles[played.ids[0]])
      #expect(entry.first("title")?.words == title.name)
      #expect(entry.first("author")?.first("name")?.words == title.authors[0])
      #expect(entry.first("language")?.words == title.language)
      #expect(entry.all("identifier").map(\.words) == ["urn:isbn:\(title.isbn)"])
      #expect(entry.first("summary")?["type"] == "html")
      let several = feed.all("entry").first { $0.first("series") != nil }
      #expect(several?.first("series")?["name"]?.isEmpty == false)
      #expect(
        several?.first("series")?.first("position")?.name.namespace == "http://www.w3.org/2005/Atom"
      )
      let borrow = try #require(entry.link("http://opds-spec.org/acquisition/borrow"))
      #expect(borrow.first("availability")?["status"] == "available")
      // Bruno has one of them.
      #expect(borrow.first("copies")?["total"] == "3")
      #expect(borrow.first("copies")?["available"] == "2")
      #expect(borrow.first("holds")?["total"] == "0")
      #expect(borrow.first("indirectAcquisition")?["type"] == "application/epub+zip")
      #expect(entry.first("distribution")?["ProviderName"] != nil)
      let alternate = try await played.get(entry.href("alternate")).root()
      #expect(alternate.name.local == "entry" && alternate.first("id")?.words == id)
    }
  }

  @Test func `The catalog of an OPDS lender lists everything page by page, the last changed first`()
    async throws
  {
    try await PlayedOPDS.run { played in
      var (target, seen, pages) = ("crawlable?size=7", [String](), 0)
      var dates: [String] = []
      while !target.isEmpty, pages < 10 {
        let feed = try await played.get(target).root()
        #expect(feed.first("totalResults")?.words == "23")
        #expect(feed.first("startIndex")?.words == String(pages * 7 + 1))
        #expect((feed.link("previous") != nil) == (pages > 0))
        // As Palace writes them.
        #expect(feed.link("next")?["type"] == nil)
        seen += feed.all("entry").compactMap { $0.first("id")?.words }
        dates += feed.all("entry").compactMap { $0.first("updated")?.words }
        target = feed.href("next")
        pages += 1
      }
      // All but the one without copies.
      #expect(pages == 4 && seen.count == 23 && Set(seen).count == 23)
      #expect(dates == dates.sorted().reversed())
    }
  }

  @Test
  func `the OPDS mock has lanes, facets and entry points that keep earlier choices`() async throws {
    try await PlayedOPDS.run { played in
      let feed = try await played.get("feed/all?order=author&size=3").root()
      let facets = feed.all("link").filter { $0["rel"] == "http://opds-spec.org/facet" }
      #expect(Set(facets.compactMap { $0["facetGroup"] }).count == 3)
      #expect(
        facets.filter { $0["activeFacet"] == "true" }.compactMap { $0["title"] }
          == ["All", "Author", "All"])
      let audio = try #require(facets.first { $0["title"] == "Audiobooks" })
      #expect(audio["facetGroupType"]?.hasSuffix("entrypoint") == true)
      #expect(audio["href"]?.contains("order=author") == true)
      let chosen = try await played.get(audio["href"] ?? "").root()
      #expect(
        chosen.all("entry").allSatisfy { $0["additionalType"]?.hasSuffix("Audiobook") == true })
      #expect(try await played.get("feed/Nonsense").problem == "unknown-lane")
      let groups = try await played.get("groups").root()
      #expect(groups.all("entry").allSatisfy { $0.link("collection")?["title"] != nil })
    }
  }

  @Test func `The catalog of an OPDS lender is searched by way of its description`() async throws {
    try await PlayedOPDS.run { played in
      let start = try await played.get("").root()
      let description = try await played.get(start.href("search"))
      #expect(description.type.hasPrefix("application/opensearchdescription+xml"))
      let template = try description.root().first("Url")?["template"] ?? ""
      let name = played.lending.titles[played.ids[0]]?.name ?? ""
      let words = PercentCoding.encode(query: name)
      let found = try await played.get(template.replacing("{searchTerms}", with: words)).root()
      #expect(found.all("entry").contains { $0.first("title")?.words == name })
      let none = try await played.get("search?q=xqzzw")
      #expect(none.status == 200)
      #expect(try none.root().all("entry").isEmpty)
    }
  }

  @Test func `the OPDS mock answers an unchanged catalog with 304 and a changed one with 200`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let first = try await played.get("crawlable")
      let tag = try #require(first.headers["ETag"])
      #expect(try await played.get("crawlable", ["If-None-Match": tag]).status == 304)
      _ = try await played.borrow(0)
      #expect(try await played.get("crawlable", ["If-None-Match": tag]).status == 200)
      let head = try await played.send(.head, "crawlable")
      #expect(head.status == 200 && head.body.isEmpty && head.headers["ETag"] != nil)
    }
  }

  @Test func `The catalog of an OPDS lender lists no title without copies, though it knows of it`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let entry = try await played.get(played.work(4)).root()
      let borrow = entry.link("http://opds-spec.org/acquisition/borrow")
      #expect(borrow?.first("copies")?["total"] == "0")
      let all = try await played.get("crawlable")
      #expect(!all.text.contains(played.ids[4]))
      #expect(try await played.borrow(4).problem == "no-licenses")
      let unknown = try await played.get("works/URI/urn:uuid:none")
      #expect(unknown.status == 404 && unknown.problem == "no-licenses")
      #expect(unknown.type == "application/api-problem+json")
    }
  }

  @Test func `The catalog of an OPDS lender has covers that need no card`() async throws {
    try await PlayedOPDS.run { played in
      let entry = try await played.get(played.work(0)).root()
      let cover = try await played.get(entry.href("http://opds-spec.org/image"))
      #expect(cover.type == "image/png" && cover.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      let small = try await played.get(entry.href("http://opds-spec.org/image/thumbnail"))
      #expect(small.body.count < cover.body.count)
    }
  }
}
