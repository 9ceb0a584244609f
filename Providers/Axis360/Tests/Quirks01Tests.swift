import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import Axis360

/// The numbers are those of the adapter's README.
@Suite struct `Quirks 1 to 12` {
  let service = PlayedService()
  private let one = Wire.one
  private let place = "GET addtoHold/v2"
  private let shelf = "GET availability/v2"

  @Test(arguments: [
    ("a", "b", "c", "Basic YQA6AGIAOgBjAA=="),
    ("carrel", "s3cret", "demo", "Basic YwBhAHIAcgBlAGwAOgBzADMAYwByAGUAdAA6AGQAZQBtAG8A"),
    ("café", "pässword", "lib1", "Basic YwBhAGYA6QA6AHAA5ABzAHMAdwBvAHIAZAA6AGwAaQBiADEA"),
  ])
  func `Axis360 quirk 1: the token request encodes user, password and library in UTF-16`(
    _ username: String, password: String, library: String, header: String
  ) throws {
    let library = try PlayedService.library(
      username: username, password: password, library: library)
    #expect(try Settings(library, nil).token.headers["Authorization"] == header)
  }

  @Test
  func `Axis360 quirk 2: the code in the body counts for more than the HTTP status`() async throws {
    service.on(shelf, status: 500, Wire.titles(Wire.loan()))
    #expect(try await service.adapter().shelf(in: service.call).loans.map(\.item) == [one])
    #expect(
      Read.failure(Read.decode("shelf", Wire.status("3114"), 200))?.reason.code
        == "loan_limit_reached")
  }

  @Test func `Axis360 quirk 3: a 401 about an unknown patron requests no new token`() async throws {
    service.on(shelf, status: 401, Wire.status("3122", "Patron information is not found."))
    #expect(try await service.adapter().shelf(in: service.call) == Shelf())
    #expect(service.asked("POST accesstoken").count == 1)
  }

  @Test(arguments: [Wire.status("1001"), Wire.status("1002"), "<html>Sorry</html>", ""])
  func `Axis360 quirk 3: a 401 about the token, or without a code, requests a new token`(
    _ body: String
  ) async throws {
    service.on(shelf, status: 401, body)
    service.on(shelf, Wire.titles(Wire.loan()))
    #expect(try await service.adapter().shelf(in: service.call).loans.count == 1)
    #expect(service.asked("POST accesstoken").count == 2)
  }

  @Test
  func `Axis360 quirk 4: code 3109 means both already on hold and not on hold`() async throws {
    service.on(place, Wire.status("3109", "Title is in Hold List"))
    service.on("GET removeHold/v2", Wire.status("3109", "This title is not in Hold list."))
    let (desk, call) = (try service.adapter(), service.call)
    #expect(
      await reason { try await desk.placeHold(on: one, options: .init(), in: call) }
        == .alreadyOnHold)
    #expect(await reason { try await desk.cancelHold(on: one, in: call) } == .notOnHold)
    let words = Read.decode("error", Wire.status("3109", "This title is NOT in hold list. "))
    #expect(Read.failure(words)?.reason == .notOnHold)
  }

  @Test(arguments: [
    ("Title ID is not available for checkout", "no_copies_available"),
    (" TITLE ID IS NOT AVAILABLE FOR CHECKOUT ", "no_copies_available"),
    ("Title cannot be loaned", "no_licenses"), ("Maximum hold limit", "hold_limit_reached"),
  ])
  func `Axis360 quirk 5: only the message text tells that no copy is available`(
    _ text: String, code: String
  ) {
    let error = Read.failure(Read.decode("error", Wire.checkout(Wire.verdict("3113", text))))
    #expect(error?.reason.code == code)
  }

  @Test func `Axis360 quirk 6: returning a title twice is reported as not borrowed`() async throws {
    service.on("GET EarlyCheckInTitle/v3", Wire.status("4058"))
    #expect(
      await reason { try await service.adapter().checkIn(one, in: service.call) } == .notBorrowed)
  }

  @Test func `Axis360 quirk 7: a reserved title with queue position 1 is a ready hold`() {
    let shelf = Read.shelf(
      Wire.title(
        """
        <holdsQueueSize>4</holdsQueueSize><holdsQueuePosition>1</holdsQueuePosition>
        <isInHoldQueue>false</isInHoldQueue><isReserved>True</isReserved>
        <reservedEndDate>1/4/2026 12:00:00 AM</reservedEndDate>
        """))
    let until = Date(timeIntervalSince1970: 1_767_484_800)
    #expect(shelf?.holds.map(\.status) == [.ready(until: until)])
  }

  @Test func `Axis360 quirk 8: the format is chosen at checkout and no other can be downloaded`()
    async throws
  {
    service.on(shelf, Wire.nothing)
    service.on(
      shelf,
      Wire.titles(
        Wire.title(
          "<availableFormats><formatName>AxisNow</formatName><formatName>ePub</formatName>"
            + "</availableFormats>")))
    service.on(
      "POST checkout/v2",
      Wire.checkout(
        Wire.verdict("0000") + "<expirationDate>8/11/2026 6:57:42 PM +00:00</expirationDate>"))
    let desk = try service.adapter()
    guard case .borrowed(let loan) = try await desk.checkOut(one, as: nil, in: service.call) else {
      Issue.record("not borrowed")
      return
    }
    #expect(loan.lockedFormat == Formats.epub && loan.formats == [Formats.epub])
    #expect(service.asked("POST checkout/v2").first?.query["format"] == "ePub")
    let later = PlayedService()
    later.on(shelf, Wire.titles(Wire.loan()))
    #expect(
      await reason {
        try await later.adapter().fulfil(one, as: Formats.axisNow, in: later.call)
      } == .formatUnavailable)
  }

  @Test func `Axis360 quirk 9: the format name Blio means AxisNow`() {
    #expect(Formats.all(["Blio"]) == [Formats.axisNow])
    #expect(Formats.all(["BLIO", "EPUB", "AXISNOW"]) == [Formats.axisNow, Formats.epub])
    #expect(Read.shelf(Wire.loan("Blio"))?.loans.first?.lockedFormat == Formats.axisNow)
  }

  @Test
  func `Axis360 quirk 10: the download address keeps its percent escapes unchanged`() async throws {
    let address = "http://acs.example/x?action=a%3ab&amp;amp;auth=c%2fD"
    service.on(
      shelf, Wire.titles(Wire.loan("ePub", more: "<downloadUrl>\(address)</downloadUrl>")))
    let handed = try await service.adapter().fulfil(one, as: nil, in: service.call)
    #expect(handed.link.address == "http://acs.example/x?action=a%3ab&auth=c%2fD")
    #expect(service.routes.count == 2, "it is not looked at before it is used")
  }

  @Test(arguments: ["&amp;", "&amp;amp;"])
  func `Axis360 quirk 11: a download address escaped once or twice is read correctly`(
    _ sign: String
  ) async throws {
    let url = "<downloadUrl>http://x.example/a?b=1\(sign)c=2</downloadUrl>"
    service.on(shelf, Wire.titles(Wire.loan("PDF", more: url)))
    let handed = try await service.adapter().fulfil(one, as: nil, in: service.call)
    #expect(handed.link.address == "http://x.example/a?b=1&c=2" && handed.link.singleUse)
    guard case .licence(_, .adobe) = handed else {
      Issue.record("\(handed)")
      return
    }
  }

  @Test func `Axis360 quirk 12: a release date has its day before its month`() {
    let page = #"{"status":{"Code":"0000"},"titles":[{"TitleID":"1","releaseDate":"2009-06-10"}]}"#
    #expect(Read.edition(page)?.published == PartialDate(year: 2009, month: 10, day: 6))
  }
}
