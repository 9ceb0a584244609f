import Circulation
import FoundationEssentials
import ProviderKit
import Testing

@testable import Goodreads

/// Bodies of our own making, in the shapes that the service is known to send.
@Suite struct `What Goodreads says` {
  private func decoded(_ kind: String, _ body: String, status: Int = 200) -> Decoded {
    GoodreadsProvider.listing.decode(kind, status, nil, Array(body.utf8), .distantPast)
  }

  private func entries(_ body: String) -> [ListEntry]? {
    if case .listed(let entries, _) = decoded("list", body) { entries } else { nil }
  }

  private func failure(_ body: String, status: Int) -> CirculationError.Reason? {
    if case .failure(let error) = decoded("error", body, status: status) { return error.reason }
    return nil
  }

  private func reviews(_ inner: String, _ span: String = "start=\"1\" end=\"1\" total=\"1\"")
    -> String
  {
    """


    <?xml version="1.0" encoding="UTF-8"?>
    <GoodreadsResponse><Request><key><![CDATA[k]]></key></Request>
    <reviews \(span)>\(inner)</reviews></GoodreadsResponse>
    """
  }

  private let review = """
    <review><id>77</id>
    <book><id type="integer">17</id><isbn nil="true"/><isbn13>9780306406157</isbn13>
    <title>
      <![CDATA[Salt & Ink (Tides, #2)]]>
    </title>
    <publication_day>21</publication_day><publication_year>2001</publication_year>
    <publication_month>12</publication_month>
    <authors><author><id>1</id><name>Ada  Fair</name><role></role></author>
    <author><id>2</id><name>Ina Trell</name><role>Translator</role></author></authors>
    <published>1999</published><work><id>5</id></work></book>
    <rating>0</rating>
    <shelves><shelf name="paused" exclusive="true"/><shelf name="sea" exclusive="false"/>
    <shelf name="sea" exclusive="false"/></shelves>
    <started_at>Fri Feb 06 23:11:50 -0800 2009</started_at><read_at></read_at>
    <date_added>Fri Feb 06 15:11:50 -0800 2009</date_added>
    <date_updated>Tue Dec 14 12:37:07 -0800 2010</date_updated>
    <read_count></read_count><body><![CDATA[  ]]></body>
    <link><![CDATA[https://www.goodreads.com/review/show/77]]></link></review>
    """

  @Test func `the Goodreads decoder reads a review with all its fields`() throws {
    let entry = try #require(entries(reviews(review))?.first)
    #expect(entry.item.rawValue == "17" && entry.record == "77")
    #expect(entry.title == "Salt & Ink (Tides, #2)" && entry.authors == ["Ada Fair"])
    #expect(entry.isbns.map(\.digits) == ["9780306406157"])
    #expect(
      entry.identifiers == [
        .init(scheme: "goodreads", value: "17"), .init(scheme: "goodreads_work", value: "5"),
      ])
    #expect(entry.published?.description == "2001-12-21")
    #expect(entry.rating == nil && entry.review == nil && entry.readCount == nil)
    #expect(
      entry.readings == [.init(started: PartialDate(year: 2009, month: 2, day: 6))])
    #expect(entry.lists.map(\.rawValue) == ["paused", "sea"] && entry.state == .other("paused"))
    #expect(entry.addedAt?.timeIntervalSince1970 == 1_233_961_910)
    #expect(entry.link == "https://www.goodreads.com/review/show/77")
  }

  @Test func `What Goodreads says: past the end is no book, and half a shelf is none`() {
    #expect(entries(reviews("", "start=\"0\" end=\"0\" total=\"2\"")) == [])
    #expect(entries(reviews(review + "<review><id>x</id></review>")) == nil)
    #expect(entries("<GoodreadsResponse><Request/></GoodreadsResponse>") == nil)
    #expect(entries(String(reviews(review).dropLast(20))) == nil)
  }

  @Test func `the Goodreads decoder reads the reply to a new book without book data`() throws {
    let body = """
      <GoodreadsResponse><my_review><id>9</id><book_id>17</book_id><rating>3</rating>
      <shelves><shelf name="read" exclusive="true" id="1" review_shelf_id= ""/></shelves>
      </my_review></GoodreadsResponse>
      """
    let entry = try #require(entries(body)?.first)
    #expect(entry.item.rawValue == "17" && entry.rating == 3 && entry.state == .read)
  }

  @Test func `What Goodreads says: of shelves tells which exclude others`() {
    let body = """
      <GoodreadsResponse><shelves start="1" end="3" total="3">
      <user_shelf><id type="integer">3700</id><name>to-read</name><book_count>4</book_count>
      <exclusive_flag type="boolean">true</exclusive_flag></user_shelf>
      <user_shelf><name>dnf</name><exclusive_flag>true</exclusive_flag></user_shelf>
      <user_shelf><name>sea</name><exclusive_flag>false</exclusive_flag></user_shelf>
      </shelves></GoodreadsResponse>
      """
    guard case .lists(let lists) = decoded("lists", body) else {
      Issue.record("no lists")
      return
    }
    #expect(lists.map(\.state) == [.wanted, .stopped, nil])
    #expect(lists.map(\.isExclusive) == [true, true, false] && lists[0].count == 4)
  }

  @Test(arguments: [
    (401, "Invalid OAuth Request", CirculationError.Reason.credentialsRejected),
    (401, "Invalid API key.", Failures.key),
    (403, "<error>This profile is private</error>", .credentialsRejected),
    (403, "<html><body>Robots out</body></html>", .providerBusy(retryAfter: Failures.wall)),
    (503, "<!DOCTYPE html><html></html>", .providerBusy(retryAfter: Failures.wall)),
    (404, "<error>book not found</error>", .titleGone),
    (404, "<error>user not found</error>", .credentialsRejected),
    (404, "No book with that ISBN", .titleGone),
    (429, "", .providerBusy(retryAfter: nil)), (500, "", .providerUnavailable),
    (504, "<html>over capacity</html>", .providerUnavailable),
    (200, "<html><h1>Sign in to Goodreads</h1></html>", .credentialsRejected),
    (200, "<hash><status>404</status><error>Not Found</error></hash>", .titleGone),
    (200, "<error><generic>not authorized</generic></error>", .credentialsRejected),
  ])
  func `the Goodreads decoder gives each error reply a reason`(
    _ status: Int, _ body: String, reason: CirculationError.Reason
  ) {
    #expect(failure(body, status: status) == reason)
  }

  @Test(arguments: [
    (404, "<html>Page not found</html>", "malformed_response"), (404, "xyz", "malformed_response"),
    (422, "<errors><error>x</error></errors>", "not_configured"),
  ])
  func `What Goodreads says: of what is not there, or not taken, has one too`(
    _ status: Int, _ body: String, code: String
  ) {
    #expect(failure(body, status: status)?.code == code)
  }

  @Test func `the Goodreads decoder finds no error in a successful reply`() {
    #expect(decoded("error", "<GoodreadsResponse/>", status: 200) == .noFailure)
    #expect(decoded("error", "", status: 200) == .noFailure)
  }
}
