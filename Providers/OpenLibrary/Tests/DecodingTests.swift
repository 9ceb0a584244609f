import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import OpenLibrary

@Suite struct `Open Library's answers, read by themselves` {
  private func decoded(_ kind: String, _ status: Int, _ body: String) -> Decoded {
    OpenLibraryProvider.listing.decode(kind, status, nil, Array(body.utf8), .distantPast)
  }

  @Test func `Open Library's answers, read by themselves tell what stands in the log`() throws {
    let body = """
      {"page": 1, "numFound": 2, "reading_log_entries": [
        {"work": {"title": "The Salt Road", "key": "/works/OL7W", "author_names": ["M. Ostrander"],
          "author_keys": ["/authors/OL1A"], "first_publish_year": 1965, "edition_key": null,
          "cover_id": null, "cover_edition_key": "OL8M", "lending_edition_s": null},
         "logged_edition": "/books/OL9M", "logged_date": "2024/03/01, 18:25:07"},
        {"work": {"title": null, "key": "/works/OL5W", "author_names": [], "edition_key": null},
         "logged_edition": null, "logged_date": "2024/03/01, 01:02:03"}]}
      """
    guard case .listed(let entries, total: 2) = decoded("list", 200, body) else {
      Issue.record("no list")
      return
    }
    #expect(entries.map(\.title) == ["The Salt Road", "OL5W"])
    #expect(entries[0].addedAt == Date(timeIntervalSince1970: 1_709_317_507))
    #expect(entries[0].edition?.name == "OL9M" && entries[0].published?.year == 1965)
    #expect(entries.allSatisfy { $0.rating == nil && $0.link == nil })
  }

  @Test func `the Open Library decoder assigns availability to works under any reply key`() {
    let body = """
      {"saltroad00ostr": {"status": "borrow_unavailable", "available_to_waitlist": true,
        "num_waitlist": "2", "openlibrary_work": "OL7W"},
       "OL8W": {"status": "open", "openlibrary_work": null}, "nosuch": {"status": "error"}}
      """
    let at = Date.distantPast
    #expect(
      decoded("availability", 200, body)
        == .availability([
          ItemID("OL7W"): Availability(.queued(.init(available: 0, holds: 2)), asOf: at),
          ItemID("OL8W"): Availability(.openAccess, asOf: at),
        ]))
  }

  @Test func `Open Library's answers, read by themselves tell lists by their keys`() {
    let body = """
      {"links": {"self": "x"}, "size": 1, "entries": [{"url": "/people/ada/lists/OL3L",
       "name": "Salt", "seed_count": 4, "last_update": "2024-03-01T18:25:07.123456"}]}
      """
    guard case .lists(let lists) = decoded("lists", 200, body) else {
      Issue.record("no lists")
      return
    }
    #expect(lists.map(\.id.rawValue) == ["OL3L"] && lists[0].count == 4)
    #expect(lists[0].changedAt != nil && !lists[0].isExclusive)
  }

  @Test(arguments: [
    (200, #"{"error": "Invalid bookshelf"}"#, "not_configured"),
    (200, #"{"error": "This reading log is private"}"#, "credentials_rejected"),
    (200, "<!DOCTYPE html><html></html>", "provider_unavailable"),
    (200, "{", "malformed_response"), (303, "", "malformed_response"),
    (400, #"{"error": "Invalid date submitted"}"#, "not_configured"),
    (401, "", "credentials_rejected"),
    (403, #"{"error": "Permission denied."}"#, "credentials_rejected"),
    (404, #"{"error": "notfound", "key": "/works/OL7W"}"#, "title_gone"),
    (404, "<html></html>", "not_configured"), (429, "", "provider_busy"),
    (500, "", "provider_unavailable"), (502, "<html></html>", "provider_unavailable"),
    (503, "<html></html>", "provider_unavailable"),
  ])
  func `Open Library's answers, read by themselves say what is wrong`(
    _ status: Int, _ body: String, code: String
  ) {
    guard case .failure(let error) = decoded("error", status, body) else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason.code == code)
  }

  @Test func `Open Library's answers, read by themselves leave a minute where too much was asked`()
  {
    guard case .failure(let error) = decoded("error", 429, "") else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason == .providerBusy(retryAfter: .seconds(60)))
  }

  @Test func `Open Library's answers, read by themselves lead to the door and mean it`() {
    var answer = Answer(status: 303, body: [])
    answer.location = "https://books.example/account/login?redirect=/works/OL7W"
    #expect(Failures.reason(answer, nil) == .credentialsRejected && answer.needsSignIn)
    answer.location = "https://books.example/"
    #expect(Failures.reason(answer, nil).code == "malformed_response" && !answer.needsSignIn)
  }

  @Test(arguments: [
    "OL7M", "OLW", "OL7", "XX7W", "OL7W/../../admin", "OL7W W", "OL1234567890123W", "OL７W", "",
  ])
  func `Open Library's answers, read by themselves name a work by nothing else`(_ text: String) {
    #expect(Key(text, .work) == nil)
  }

  @Test(arguments: ["OL7W", "/works/OL7W", "/works/OL7W.json", "https://x.example/works/OL7W?a=b"])
  func `Open Library's answers, read by themselves name a work in many ways`(_ text: String) {
    #expect(Key(text, .work)?.name == "OL7W")
  }

  @Test func `the Open Library decoder reads a table of ratings and refuses a broken one`() throws {
    let table = "Work ID,Edition ID,Title,Author(s),Rating,Created On\nOL7W,,\"A, \"\"b\"\"\",c,4,x"
    let told = try Ratings.read(Answer(status: 200, body: Array(table.utf8)), .list)
    #expect(told == [Key("OL7W", .work): 4].compactMapKeys)
    #expect(try Ratings.read(Answer(status: 200, body: []), .list).isEmpty)
    for torn in ["Work ID,Rating\nOL7W", "Work ID,Rating\nOL7W,x", "a,b\n1,2", "{}"] {
      #expect(throws: CirculationError.self) {
        try Ratings.read(Answer(status: 200, body: Array(torn.utf8)), .list)
      }
    }
  }
}

extension [Key?: Int] {
  fileprivate var compactMapKeys: [Key: Int] {
    Dictionary(uniqueKeysWithValues: compactMap { pair in pair.key.map { ($0, pair.value) } })
  }
}
