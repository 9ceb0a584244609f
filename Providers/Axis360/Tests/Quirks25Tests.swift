import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Testing

@testable import Axis360

@Suite struct `Quirks 25 to 34` {
  let service = PlayedService()
  private let one = Wire.one
  private let shelf = "GET availability/v2"

  @Test
  func `Axis360 quirk 25: commands sent by GET are not repeatable and hide the card`() throws {
    let settings = try Settings(try PlayedService.library(), PlayedService.reader)
    let reader = try #require(settings.reader)
    let commands = [
      settings.checkIn(one, by: reader), settings.removeHold(on: one, by: reader),
      settings.placeHold(on: one, by: reader, email: "a@b.c"),
      settings.suspendHold(on: one, by: reader), settings.resumeHold(on: one, by: reader),
    ]
    #expect(commands.allSatisfy { $0.method == .get && !$0.isRepeatable })
    #expect(!settings.checkOut(one, as: nil, by: reader).isRepeatable)
    #expect(settings.shelf(of: reader).isRepeatable)
    #expect(commands.allSatisfy { !($0.shownPath ?? $0.address.path).contains(PlayedService.card) })
  }

  @Test(arguments: [500, 502, 503])
  func `Axis360 quirk 25: a command sent by GET is not repeated after an error`(_ status: Int)
    async throws
  {
    service.on("GET removeHold/v2", status: status, "<html/>")
    _ = await reason { try await service.adapter().cancelHold(on: one, in: service.call) }
    #expect(service.asked("GET removeHold/v2").count == 1)
  }

  @Test
  func `Axis360 quirk 26: the download link is requested anew for each download`() async throws {
    for number in 1...2 {
      service.on(
        shelf,
        Wire.titles(
          Wire.loan(
            more: "<downloadUrl>http://x.example/\(number)</downloadUrl>"
              + "<transactionID>T</transactionID>")))
    }
    let desk = try service.adapter()
    let first = try await desk.fulfil(one, as: nil, in: service.call)
    let second = try await desk.fulfil(one, as: Formats.epub, in: service.call)
    #expect(
      [first, second].map(\.link.address) == ["http://x.example/1", "http://x.example/2"])
    #expect(service.asked(shelf).allSatisfy { $0.query["titleIds"] == one.rawValue })
  }

  @Test func `Axis360 quirk 27: of two titles with one id the borrowed one counts`() {
    let free = Wire.title("<isCheckedout>false</isCheckedout>")
    let waiting = Wire.title("<isInHoldQueue>true</isInHoldQueue>")
    for titles in [[free, Wire.loan(), waiting], [Wire.loan(), free], [waiting, Wire.loan()]] {
      let shelf = Read.shelf(titles.joined())
      #expect(shelf?.loans.map(\.item) == [one] && shelf?.holds.isEmpty == true)
    }
    #expect(Read.shelf(free, waiting)?.holds.count == 1)
  }

  @Test func `Axis360 quirk 28: backslashes in a summary are kept as they are`() {
    let text = #"Darjeeling\'s \xe2\x80\x94 tea"#
    let title = Wire.title("", "<annotation>\(text)</annotation>")
    #expect(Read.edition(Wire.titles(title))?.summary == text)
  }

  @Test
  func `Axis360 quirk 29: the license server is not asked for an AxisNow loan`() async throws {
    service.on(
      shelf, Wire.titles(Wire.loan("AxisNow", more: "<transactionID>T</transactionID>")))
    #expect(
      await reason { try await service.adapter().fulfil(one, as: nil, in: service.call) }
        == .formatUnavailable)
    #expect(service.routes == ["POST accesstoken", shelf])
    let licence = #"{"id":"x","encryption":{},"rights":{"end":"2025-06-20T19:52:00.000Z"}}"#
    guard case .fulfilment(.licence(let link, .vendorApp)) = Read.decode("fulfilment", licence)
    else {
      Issue.record("no licence")
      return
    }
    #expect(link.expires == Date(timeIntervalSince1970: 1_750_449_120))
  }

  @Test func `Axis360 quirk 30: an empty element counts as missing`() throws {
    let title = Wire.title(
      "", "<productTitle>A</productTitle><series/><audience/><runtime/><isbn/><annotation/>")
    let edition = try #require(Read.edition(Wire.titles(title)))
    #expect(edition.series == nil && edition.audience == nil && edition.summary == nil)
    #expect(edition.isbns.isEmpty && edition.subtitle == nil)
    let json = """
      {"status":{"Code":"0000"},"titles":[{"TitleID":"1","fields":[
       {"name":"title","values":["A"]},{"name":"subtitle","values":[""]}]}]}
      """
    #expect(Read.edition(json)?.subtitle == nil)
  }

  @Test(arguments: [("true", true), ("True", true), ("Y", true), ("false", false), ("N", false)])
  func `Axis360 quirk 31: true is spelled in three ways`(_ word: String, isTrue: Bool) {
    let shelf = Read.shelf(Wire.title("<isCheckedout>\(word)</isCheckedout>"))
    #expect(shelf?.loans.isEmpty == !isTrue)
    let button = "<IsButtonRenew>\(word)</IsButtonRenew>"
    #expect(Read.shelf(Wire.loan(more: button))?.loans.first?.isRenewable == isTrue)
    let again = Wire.title(
      "<isInHoldQueue>true</isInHoldQueue><isHoldSuspended>\(word)</isHoldSuspended>")
    #expect((Read.shelf(again)?.holds.first?.word == "suspended") == isTrue)
  }

  @Test func `Axis360 quirk 32: a due date less than a minute later is not a renewal`() throws {
    let answer = try #require(
      WireCheckout(
        try WireXML(
          parsing: Array(
            Wire.checkout("<expirationDate>1/22/2026 5:40:42 PM +00:00</expirationDate>").utf8))))
    let borrowed = answer.loan(of: one, as: nil)
    let shelved = try #require(Read.shelf(Wire.loan())?.loans.first)
    #expect(borrowed.until != shelved.until)
    #expect(!borrowed.isLonger(than: shelved) && !shelved.isLonger(than: borrowed))
    let later = try #require(
      Read.shelf(Wire.loan(until: "2/12/2026 5:40:00 PM +00:00"))?.loans.first)
    #expect(later.isLonger(than: borrowed))
  }

  @Test func `Axis360 quirk 33: the status of a title is not the status of the reply`() {
    let loan = Wire.loan().replacing("</title>", with: "<status>OK</status></title>")
    #expect(Read.shelf(loan)?.loans.count == 1)
    let body = Wire.document("availabilityResponse", loan + Wire.verdict("5000"))
    #expect(Read.failure(Read.decode("shelf", body))?.reason == .providerUnavailable)
    let bare = Wire.document("availabilityResponse", loan)
    #expect(Read.failure(Read.decode("shelf", bare))?.reason.code == "malformed_response")
  }

  @Test func `Axis360 quirk 34: a loan with only a title id is still shown on the shelf`() {
    let shelf = Read.shelf(Wire.loan())
    #expect(shelf?.loans.map(\.item) == [one] && shelf?.loans.first?.title == nil)
    #expect(shelf?.loans.first?.authors == [])
    #expect(Read.edition(Wire.titles(Wire.title("")))?.title == "")
  }
}
