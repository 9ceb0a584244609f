import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import BookWyrm

@Suite struct `Recorded answers of BookWyrm` {
  private func decode(_ kind: String, _ text: String, status: Int = 200) -> Decoded {
    BookWyrmProvider.listing.decode(kind, status, nil, Array(text.utf8), Date())
  }

  private static let page = """
    {"id": "https://books.example/user/ada/books/cooking-9?page=2", "type": "OrderedCollectionPage",
     "partOf": "https://books.example/user/ada/books/cooking-9", "next": null,
     "prev": "https://books.example/user/ada/books/cooking-9?page=1",
     "orderedItems": [{"id": "https://books.example/book/17#x", "type": "Edition",
       "title": "Salt &amp; Ink", "subtitle": "A life", "isbn10": "0306406152", "isbn13": "",
       "publishedDate": "1999-05-01T00:00:00Z", "goodreadsKey": "4711", "asin": null,
       "authors": ["https://books.example/author/3", {"name": "Ada Moss"}, 7],
       "work": "https://books.example/book/16"},
       {"id": "http://other.example/book/9", "type": "Edition"}]}
    """

  @Test func `the BookWyrm decoder reads a shelf page as a list of books`() throws {
    guard case .listed(let entries, total: nil) = decode("list", Self.page) else {
      Issue.record("no list")
      return
    }
    let first = try #require(entries.first)
    #expect(first.item == ItemID("https://books.example/book/17"))
    #expect(first.title == "Salt & Ink: A life" && first.authors == ["Ada Moss"])
    // Leading zeros are part of a number.
    #expect(first.isbns.map(\.digits) == ["9780306406157"])
    #expect(first.published == PartialDate(year: 1999, month: 5, day: 1))
    #expect(first.identifiers.map(\.scheme) == ["bookwyrm", "goodreads"])
    #expect(first.lists == [ListID("cooking-9")])
    #expect(entries.last?.title == "9" && entries.count == 2)
  }

  @Test func `the BookWyrm decoder reads a shelf as a list with a reading state`() {
    let shelf = """
      {"id": "https://books.example/user/ada/books/reading", "type": "Shelf", "totalItems": 3,
       "name": "Currently Reading"}
      """
    guard case .lists(let lists) = decode("lists", shelf) else {
      Issue.record("no lists")
      return
    }
    #expect(lists.map(\.name) == ["Currently Reading"] && lists.map(\.count) == [3])
    #expect(lists.map(\.state) == [.reading])
  }

  @Test func `the BookWyrm decoder reads a profile as an account and a web page as an error`() {
    #expect(decode("account", #"{"type": "Person", "name": "x"}"#) == .account(AccountStanding()))
    for (text, status, reason) in [
      ("<!DOCTYPE html><p>Hello", 200, "malformed_response"), ("", 401, "not_configured"),
      ("", 403, "not_configured"), ("", 404, "not_configured"), ("", 429, "provider_busy"),
      ("", 502, "provider_unavailable"), ("", 302, "malformed_response"),
      (#"{"type": "Group"}"#, 200, "malformed_response"),
    ] {
      guard case .failure(let error) = decode("account", text, status: status) else {
        Issue.record("\(status) \(text) is an account")
        continue
      }
      #expect(error.reason.code == reason)
    }
  }

  @Test func `Recorded answers of BookWyrm books without addresses are no page`() {
    for items in ["[{\"title\": \"x\"}]", "[\"https://books.example/book/1\"]", "{}", "null"] {
      guard case .failure(let error) = decode("list", "{\"orderedItems\": \(items)}") else {
        Issue.record("\(items) is a page")
        continue
      }
      #expect(error.reason.code == "malformed_response")
    }
  }

  @Test func `the BookWyrm decoder tells an error reply from a successful one`() {
    #expect(decode("error", "{}") == .noFailure)
    guard case .failure(let error) = decode("error", "", status: 404) else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason == .titleGone)
  }
}
