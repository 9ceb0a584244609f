import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Testing

@testable import OverDrive

/// The tables of the wire: formats, media, dates, links, periods.
@Suite struct `The tables of the wire` {
  @Test(arguments: [
    ("ebook-overdrive", Format.Content.html, Format.Protection.streaming, false),
    ("audiobook-overdrive", .audiobook, .streaming, false),
    ("magazine-overdrive", .html, .streaming, false),
    ("video-streaming", .video, .streaming, false), ("ebook-epub-adobe", .epub, .adobe, true),
    ("ebook-pdf-adobe", .pdf, .adobe, true), ("ebook-epub-open", .epub, .none, true),
    ("ebook-pdf-open", .pdf, .none, true), ("ebook-kindle", .kindle, .vendorApp, true),
    ("ebook-mediado", .html, .streaming, false), ("ebook-disney", .html, .streaming, false),
    ("audiobook-mp3", .audiobook, .vendorApp, true),
    ("audiobook-wma", .audiobook, .vendorApp, true),
    ("music-mp3", .music, .vendorApp, true), ("video-wmv", .video, .vendorApp, true),
    ("periodicals-nook", .other, .vendorApp, true), ("ebook-microsoft", .other, .vendorApp, true),
    ("ebook-epub-lcp", .epub, .unknown, true), ("EBOOK-EPUB-OPEN", .epub, .none, true),
  ])
  func `The tables of the wire know each format`(
    _ id: String, content: Format.Content, protection: Format.Protection, locks: Bool
  ) {
    let format = Formats.named(id)
    #expect(format.id == id.lowercased())
    #expect(format.content == content && format.protection == protection)
    #expect(format.locksLoan == locks)
  }

  @Test(arguments: [
    ("eBook", Medium.book), ("Audiobook", .audiobook), ("Magazine", .magazine),
    ("Periodicals", .magazine), ("Music", .music), ("Video", .video), ("Toy", .other), ("", .book),
  ])
  func `The tables of the wire know each medium`(_ word: String, medium: Medium) throws {
    #expect(try Read.edition(#"{"id":"a","mediaType":"\#(word)"}"#).medium == medium)
  }

  @Test(arguments: [
    ("2025-03-26T18:42:38Z", 1_743_014_558.0), ("2014-11-26T14:58:00Z", 1_417_013_880),
    ("2014-11-26T14:58Z", 1_417_013_880), ("2013-11-12T14:13:00-05:00", 1_384_283_580),
    ("2014-04-28 09:25:09", 1_398_677_109),
  ])
  func `The tables of the wire know each way to write a moment`(_ text: String, seconds: Double)
    throws
  {
    let until = try Read.loan(#"{"reserveId":"a","expires":"\#(text)"}"#).until
    #expect(until == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    (
      "https://x/d?errorpageurl={errorpageurl}&odreadauthurl={odreadauthurl}",
      "https://x/d?errorpageurl=http%3A%2F%2Fe%2F%3Fa%3Db&odreadauthurl=o"
    ),
    (
      "https://x/d?errorpageurl={errorpageurl}",
      "https://x/d?errorpageurl=http%3A%2F%2Fe%2F%3Fa%3Db"
    ),
    ("https://x/d?q={other}", "https://x/d?q="), ("https://x/d", "https://x/d"),
    ("https://x/d?open={", "https://x/d?open=%7B"),
  ])
  func `The tables of the wire fill the placeholders that a template has`(
    _ template: String, filled: String
  ) {
    let values = ["errorpageurl": "http://e/?a=b", "odreadauthurl": "o"]
    #expect(Links.expand(template, values) == filled)
  }

  @Test func `The tables of the wire count lending periods in their units`() throws {
    let wire = WirePatron(
      try Read.json(
        """
        {"patronId":1,"checkoutLimit":"12","holdLimit":15,"lendingPeriods":[
         {"formatType":"eBook","lendingPeriod":21,"units":"days"},
         {"formatType":"Video","lendingPeriod":48,"units":"Hours"},{"formatType":"eBook"}]}
        """))
    let standing = try #require(wire).standing()
    #expect(standing.loanLimit == 12 && standing.holdLimit == 15)
    #expect(
      standing.lendingPeriods == [
        .init(medium: .book, seconds: 21 * 86_400), .init(medium: .video, seconds: 48 * 3600),
      ])
  }

  @Test(arguments: [
    ("Normal", "true", "available"), ("Normal", "false", "queued"),
    ("LimitedAvailability", "true", "available"), ("AlwaysAvailable", "false", "available"),
    ("alwaysavailable", "true", "available"),
  ])
  func `The tables of the wire know each kind of availability`(
    _ kind: String, available: String, word: String
  ) throws {
    let text = #"{"availabilityType":"\#(kind)","available":\#(available),"copiesOwned":2}"#
    #expect(try Read.availability(text).word == word)
  }

  @Test func `The tables of the wire take missing counts for none`() throws {
    let found = try Read.availability(#"{"available":false}"#)
    #expect(found.status == .unavailable(.init(total: 0, available: 0, holds: 0)))
  }

  @Test(arguments: [
    ("application/epub+zip", "ebook-epub-open", "file"),
    ("application/pdf", "ebook-pdf-open", "file"),
    ("application/vnd.adobe.adept+xml", "ebook-epub-adobe", "licence"),
    ("text/html; charset=utf-8", "ebook-overdrive", "handOff"),
    ("application/epub+zip", nil, "file"), ("text/html", nil, "handOff"),
  ])
  func `The tables of the wire know each kind of content link`(
    _ type: String, format: String?, kind: String
  ) throws {
    let named = format.map { #""formatType":"\#($0)","# } ?? ""
    let wire = WireContentLink(
      try Read.json(#"{\#(named)"links":{"contentlink":{"href":"https://x","type":"\#(type)"}}}"#))
    let found = try #require(wire).fulfilment(asked: nil, asOf: Read.now)
    #expect("\(found)".hasPrefix(kind))
    if let format { #expect(found.link.format.id == format) }
  }

  @Test func `The tables of the wire read a full record`() throws {
    let found = try Read.edition(
      """
      {"id":"A","title":"Ann &amp; I","subtitle":"A Series, Book 2","sortTitle":"Ann","series":"S",
       "publisher":"P","isOwnedByCollections":true,"popularity":4874,"mediaType":"Audiobook",
       "creators":[{"role":"Author","name":"Ann L","fileAs":"L, Ann"},{"role":"Narrator"}],
       "subjects":[{"value":"Juvenile Fiction"},{"value":"Juvenile Fiction"}],
       "fullDescription":"<p>x","detailedSeries":{"readingOrder":"2"},
       "classifications":{"lccn":"2013001"},
       "formats":[{"id":"audiobook-overdrive","samples":[{"url":"http://a.com/b c"}]}],
       "otherFormatIdentifiers":[{"type":"ISBN","value":"9780306406157"}]}
      """)
    #expect(found.title == "Ann & I" && found.series == Series(name: "S", position: 2))
    #expect(found.contributors == [Contributor(name: "Ann L", sortName: "L, Ann", role: .author)])
    #expect(found.audience == .children && found.subjects == ["Juvenile Fiction"])
    #expect(found.owned == true && found.popularity == 4874 && found.summary == "<p>x")
    #expect(found.samples == ["https://a.com/b%20c"])
    #expect(found.relatedISBNs.map(\.digits) == ["9780306406157"] && found.isbns.isEmpty)
    #expect(found.identifiers == [ForeignIdentifier(scheme: "lccn", value: "2013001")])
  }

  @Test func `The tables of the wire leave out what is listed but not owned`() throws {
    let page = try #require(
      WirePage(try Read.json(#"{"products":[{"id":"a"},{"id":"b"},{"id":"c","title":"C"}]}"#)))
    let metadata = try ["a", "b"].map { id in
      try #require(
        WireMetadata(try Read.json(#"{"id":"\#(id)","isOwnedByCollections":\#(id == "a")}"#)))
    }
    let found = page.editions(
      with: Dictionary(metadata.map { ($0.id, $0) }) { first, _ in first })
    #expect(found.map(\.item.rawValue) == ["a", "c"])
  }
}
