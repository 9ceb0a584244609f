import Circulation
import Testing

@testable import OPDS

@Suite struct `What opens a loan` {
  @Test func `a feed's Adobe token is read from a link or the feed, in either vocabulary`() throws {
    let drm = "xmlns:drm=\"http://librarysimplified.org/terms/drm\""
    for token in ["<drm:clientToken>A|b</drm:clientToken>", "<clientToken> A|b </clientToken>"] {
      let licensor =
        "<drm:licensor \(drm) drm:vendor=\"V\" drm:scheme=\"S\">\(token)</drm:licensor>"
      let link = """
        <link rel="http://opds-spec.org/acquisition" href="/1" \
        type="application/vnd.adobe.adept+xml">\(licensor)</link>
        """
      let feed = try Made.feed(Made.atom(licensor + Made.entry(link)))
      let wanted = LoanKeys.Licensor(vendor: "V", scheme: "S", clientToken: "A|b")
      #expect(feed.licensor == wanted)
      #expect(feed.publications.first?.acquisitions.first?.keys?.licensor == wanted)
    }
  }

  @Test func `What opens a loan: is nothing where half of it is missing`() throws {
    let link = """
      <link rel="http://opds-spec.org/acquisition" href="/1" type="application/epub+zip">\
      <drm:licensor xmlns:drm="http://librarysimplified.org/terms/drm" drm:vendor="V"/>\
      <lcp:hashed_passphrase xmlns:lcp="http://readium.org/lcp-specs/ns"> \
      </lcp:hashed_passphrase></link>
      """
    let feed = try Made.feed(Made.atom(Made.entry(link)))
    #expect(feed.publications.first?.acquisitions.count == 1)
    #expect(feed.publications.first?.acquisitions.first?.keys == nil)
  }

  @Test func `What opens a loan: is in no description`() throws {
    let keys = try #require(
      LoanKeys(passphrase: "hidden", licensor: .init(vendor: "V", clientToken: "hidden")))
    var loan = Loan(item: ItemID("emma"), until: nil)
    loan.keys = keys
    #expect(!"\(loan) \(keys)".contains("hidden"))
    #expect(!String(reflecting: keys.licensor as Any).contains("hidden"))
  }
}
