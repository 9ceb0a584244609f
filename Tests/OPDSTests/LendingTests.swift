import Circulation
import FoundationEssentials
import HTTP
import Testing

@testable import OPDS

@Suite struct `An acquisition link` {
  private func book(_ link: String) throws -> Publication {
    try #require(try Made.feed(Made.atom(Made.entry(link))).publications.first)
  }

  private func borrow(_ inside: String) -> String {
    """
    <link rel="http://opds-spec.org/acquisition/borrow" href="/borrow/1"
      type="application/atom+xml;type=entry;profile=opds-catalog">\(inside)</link>
    """
  }

  @Test func `An acquisition link tells every way to what is read in the end`() throws {
    let way = try book(
      borrow(
        """
        <opds:indirectAcquisition type="application/vnd.adobe.adept+xml">
          <opds:indirectAcquisition type="application/epub+zip"/>
          <opds:indirectAcquisition type="application/pdf"/>
        </opds:indirectAcquisition>
        <opds:indirectAcquisition type="application/vnd.readium.lcp.license.v1.0+json">
          <opds:indirectAcquisition type="application/epub+zip"/>
        </opds:indirectAcquisition>
        """)
    ).acquisitions[0]
    #expect(
      way.paths.map { $0.dropFirst().map(\.essence) } == [
        ["application/vnd.adobe.adept+xml", "application/epub+zip"],
        ["application/vnd.adobe.adept+xml", "application/pdf"],
        ["application/vnd.readium.lcp.license.v1.0+json", "application/epub+zip"],
      ])
    let formats = Formats.all(of: [way])
    #expect(formats.map(\.protection) == [.adobe, .adobe, .lcp])
    #expect(formats.map(\.content) == [.epub, .pdf, .epub])
    #expect(formats.allSatisfy { $0.locksLoan })
  }

  @Test(arguments: [
    (
      #"<opds:availability status="available"/><opds:copies total="3" available="2"/>"#, "available"
    ),
    (#"<opds:availability status="unavailable"/><opds:copies total="3" available="0"/>"#, "queued"),
    (
      #"<opds:availability status="unavailable"/><opds:copies total="0" available="0"/>"#,
      "unavailable"
    ),
    (#"<opds:availability status="perhaps"/>"#, "queued"),
    (#"<opds:copies total="3" available="1"/>"#, "available"),
    (#"<opds:copies total="3"/>"#, "queued"),
    (#"<opds:availability status="available"/>"#, "available"),
  ])
  func `An acquisition link tells strangers what can be had`(_ told: String, _ word: String) throws
  {
    let terms = try book(borrow(told)).terms
    #expect(Availability(terms, asOf: Date()).word == word)
  }

  @Test func `An acquisition link counts copies and those who wait`() throws {
    let terms = try book(
      borrow(
        """
        <opds:availability status="unavailable"/><opds:copies total="5" available="0"/>
        <opds:holds total="12"/>
        """)
    ).terms
    #expect(terms == .queued(.init(total: 5, available: 0, holds: 12)))
  }

  @Test func `An acquisition link puts nobody behind the end of the line`() throws {
    let way = try book(borrow(#"<opds:holds total="0" position="7"/>"#)).acquisitions[0]
    #expect(way.holds == .init(total: 7, position: 7))
  }

  @Test func `An acquisition link reads dates with fractions, zones, none, and nothing`() throws {
    func until(_ text: String) throws -> Date? {
      try book(borrow(#"<opds:availability status="ready" until="\#(text)"/>"#))
        .acquisitions[0].availability?.until
    }
    let noon = Date(timeIntervalSince1970: 1_767_268_800)
    #expect(try until("2026-01-01T12:00:00.000Z") == noon)
    #expect(try until("2026-01-01T13:00:00+01:00") == noon)
    #expect(try until("2026-01-01T12:00:00") == noon)
    #expect(try until("") == nil)
  }

  @Test func `An acquisition link is the best one where several lenders have the title`() throws {
    let out = borrow(#"<opds:availability status="unavailable"/>"#)
    let here = borrow(#"<opds:availability status="available"/>"#)
    #expect(try book(out + here).terms.canBeHadNow)
  }

  @Test func `An acquisition link to buy is no way to have it here`() throws {
    let title = try book(
      """
      <link rel="http://opds-spec.org/acquisition/buy" href="/buy" type="text/html">
      <opds:price currencycode="eur">4,99</opds:price></link>
      """)
    #expect(title.acquisitions[0].prices == [.init("4,99", currency: "EUR")])
    #expect(title.terms == .unavailable(.init()))
    #expect(title.edition(named: ItemID("x"))?.owned == false)
  }

  @Test func `an acquisition link without a relation is open access to its EPUB`() throws {
    let title = try book(#"<link href="/b.epub" type="application/epub+zip"/>"#)
    #expect(title.terms == .openAccess)
  }

  @Test func `An acquisition link of somebody's vendor is opened in that app only`() throws {
    let title = try book(
      """
      <link rel="http://opds-spec.org/acquisition" href="/f"
        type="application/vnd.librarysimplified.findaway.license+json"/>
      """)
    let format = Formats.all(of: title.acquisitions)[0]
    #expect(format.content == .audiobook)
    #expect(!format.isReadableHere)
  }

  @Test func `An acquisition link that streams is a page to go to`() throws {
    let title = try book(
      """
      <link rel="http://opds-spec.org/acquisition" href="/f"
        type="text/html;profile=&quot;http://librarysimplified.org/terms/profiles/streaming-media&quot;"/>
      """)
    #expect(Formats.all(of: title.acquisitions)[0].protection == .streaming)
  }

  @Test func `An acquisition link with a place to fill in has no address yet`() throws {
    let title = try book(
      #"<link rel="http://opds-spec.org/acquisition" href="/get/{format}{?token}" type="application/epub+zip"/>"#
    )
    #expect(title.acquisitions[0].link.href == "https://books.example/get/{format}{?token}")
    #expect(title.acquisitions[0].link.address == nil)
  }
}
