import Circulation
import Crypto
import HTTP
import JSON
import Machine
import ProviderKit
import SIP2
import Secrets
import Testing

@testable import LibraryDesk

@Suite struct `The patron API of Millennium` {
  private static let page = """
    <HTML><BODY>
    REC INFO[p!]=p<BR>
    ENDE[p43]=07-31-27<BR>
    ART[p47]=10<BR>
    GEBOREN[p51]=05-04-2018<BR>
    HEIM[p53]=mott   <BR>
    SPERRE[p56]=-<BR>
    RECORD #[p81]=1234567<BR>
    GELD[p96]=$3.25<BR>
    NAME[pn]=LEFÈVRE, ÉMILIE<BR>
    ADRESSE[pa]=1 <b>MAIN</b> STREET<BR>$BRIDGEPORT<BR>
    KARTE[pb]=2 3000 0001<BR>
    KARTE[pb]=230000009<BR>
    ALT ID[pu]=emilie<BR>
    NOTE[px]=never shown<BR>
    PIN[p=]=4711<BR>
    not a line[pz]=x@example.org
    </BODY></HTML>
    """

  @Test func `The patron API of Millennium is read by its codes, whatever the labels are`() throws {
    let dump = try #require(PatronDump(Self.page))
    #expect(dump.record == "1234567" && dump.barcodes == ["2 3000 0001", "230000009"])
    #expect(dump.names == ["emilie"] && dump.filedName == "LEFÈVRE, ÉMILIE")
    #expect(dump.lastDay?.text == "2027-07-31" && dump.born?.text == "2018-05-04")
    #expect(dump.home == "mott" && dump.kind == "10" && dump.block == nil)
    #expect(dump.owed?.description == "3.25" && dump.email == nil)
    #expect(!"\(dump)".contains("never shown") && !"\(dump)".contains("4711"))
  }

  @Test func `The patron API of Millennium shows the card that was used, and else the last`() throws
  {
    let dump = try #require(PatronDump(Self.page))
    #expect(dump.reader(signedInBy: "230000001", harmless: [])?.card == "2 3000 0001")
    #expect(dump.reader(signedInBy: "emilie", harmless: [])?.card == "230000009")
    #expect(dump.reader(signedInBy: "emilie", harmless: [])?.id == "1234567")
  }

  @Test(arguments: [
    ("RETCOD=0<BR>\n", PINTest.right), ("RETCOD=1\u{1}<BR>\nERRNUM=4<BR>\nERRMSG=x<BR>\n", .wrong),
    ("ERRNUM=1<BR>\nERRMSG=Requested record not found<BR>\n", .wrong), ("", .unclear),
    ("<html>Sorry</html>", .unclear), ("RETCOD=0", .unclear), ("RETCOD=2<BR>", .unclear),
    ("RETCOD=0<BR>\nERRNUM=4<BR>", .wrong),
  ]) func `The patron API of Millennium has one word for yes`(page: String, verdict: PINTest) {
    #expect(PINTest(page) == verdict)
  }

  @Test(arguments: [
    ("04-01-59", "2059-04-01"), ("  -  -  ", nil), ("12-31-2030", "2030-12-31"),
    ("02-29-27", nil), ("4-1-59", "2059-04-01"), ("04-01", nil), ("04-01-159", nil),
  ]) func `The patron API of Millennium counts years from 2000`(text: String, day: String?) {
    #expect(PatronDump.day(text)?.text == day)
  }

  @Test func `The patron API of Millennium sends the PIN in a form, or encoded to the last sign`()
    async throws
  {
    let played = PlayedDesk { asked in
      asked.path.hasSuffix("pintest") ? (200, "RETCOD=0<BR>\n") : (200, Self.page)
    }
    func desk(_ by: String, _ card: String, _ pin: String) throws -> LibraryDeskProvider {
      try played.desk(
        ["sign_in": "millennium", "millennium_pin_by": by], card: card, pin: pin)
    }
    let call = played.call
    #expect(try await desk("post", "emilie", "a/b c").checkAccount(in: call).blocks == [])
    #expect(played.asked[0].method == "POST" && played.asked[0].path == "/PATRONAPI/pintest")
    #expect(played.asked[0].body == "number=emilie&pin=a%2Fb%20c")
    _ = try await desk("get", "emilie", "a/b?c").checkAccount(in: call)
    #expect(played.asked[2].path == "/PATRONAPI/emilie/a%2Fb%3Fc/pintest")
  }

  @Test func `The patron API of Millennium tells of blocks, of which some mean nothing`()
    async throws
  {
    let played = PlayedDesk { asked in
      asked.path.hasSuffix("pintest")
        ? (200, "RETCOD=0<BR>\n")
        : (
          200,
          Self.page.replacing("[p56]=-", with: "[p56]=m").replacing("07-31-27", with: "31-07-27")
        )
    }
    let settings = ["sign_in": "millennium"]
    let desk = try played.desk(settings, card: "emilie", pin: "1")
    let blocks = try await desk.checkAccount(in: played.call).blocks
    #expect(blocks.map(\.kind) == [.unknown, .expired])
    let lenient = try played.desk(
      settings.merging(["millennium_harmless": "m"]) { $1 }, card: "emilie", pin: "1")
    #expect(try await lenient.checkAccount(in: played.call).blocks.map(\.kind) == [.expired])
  }

  @Test func `The patron API of Millennium takes a family name for a PIN where the library does`()
    async throws
  {
    let played = PlayedDesk { _ in (200, Self.page) }
    let settings = ["sign_in": "millennium", "proof": "family_name"]
    let right = try played.desk(settings, card: "emilie", pin: "Lefèvre")
    #expect(try await right.checkAccount(in: played.call).identity?.id == "1234567")
    for name in ["Other", "", "Lef"] {
      let wrong = try played.desk(settings, card: "emilie", pin: name)
      let error = await failure { _ = try await wrong.checkAccount(in: played.call) }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test(arguments: [
    (500, "provider_unavailable"), (503, "provider_busy"), (404, "not_configured"),
  ]) func `The patron API of Millennium that is down is no wrong PIN`(status: Int, reason: String)
    async throws
  {
    let played = PlayedDesk { _ in (status, "") }
    let desk = try played.desk(["sign_in": "millennium"], card: "emilie", pin: "1")
    let error = await failure { _ = try await desk.checkAccount(in: played.call) }
    #expect(error?.reason.code == reason)
    // A PIN is not tried a second time behind anybody's back.
    #expect(played.asked.count == 1)
  }

  @Test func `The patron API of Millennium keeps no holds, and says so`() async throws {
    let played = PlayedDesk { _ in (200, Self.page) }
    let desk = try played.desk(["sign_in": "millennium", "proof": "none"], card: "emilie")
    let standing = try await desk.checkAccount(in: played.call)
    #expect(standing.withheld == LibraryDeskProvider.capabilities)
    let error = await failure {
      _ = try await desk.placeHold(on: ItemID("title-1"), options: .init(), in: played.call)
    }
    #expect(error?.reason == .unsupported(.holds))
  }
}

@Suite struct `A check in XML` {
  private func check(_ body: String, pin: String = "6<6&") async throws -> (
    PlayedDesk, AccountStanding?
  ) {
    let played = PlayedDesk { _ in (200, body) }
    let desk = try played.desk(["sign_in": "kansas"], card: "12345", pin: pin)
    do throws(CirculationError) {
      let standing = try await desk.checkAccount(in: played.call)
      return (played, standing)
    } catch {
      #expect(error.reason == .credentialsRejected)
      return (played, nil)
    }
  }

  @Test func `A check in XML takes only a 1 for a yes`() async throws {
    let (played, standing) = try await check(
      "<AuthorizeResponse><Status>1</Status><LibraryID>-2</LibraryID><FirstName>Ada</FirstName><LastName>Fair</LastName></AuthorizeResponse>"
    )
    #expect(standing?.identity?.name == "Ada Fair" && standing?.identity?.home?.rawValue == "-2")
    #expect(
      played.asked[0].body
        == "<AuthorizeRequest><UserID>12345</UserID><Password>6&lt;6&amp;</Password></AuthorizeRequest>"
    )
    for status in ["0", "", "true", "11", "1</Status><Status>0"] {
      let (_, standing) = try await check(
        "<AuthorizeResponse><Status>\(status)</Status></AuthorizeResponse>")
      #expect(standing == nil, "\(status)")
    }
    #expect(try await check("<AuthorizeResponse/>").1 == nil)
  }

  @Test func `A check in XML that is something else is no answer`() async throws {
    let played = PlayedDesk { _ in (200, "<html><body>Welcome</body></html>") }
    let desk = try played.desk(["sign_in": "kansas"], card: "12345", pin: "1")
    let error = await failure { _ = try await desk.checkAccount(in: played.call) }
    #expect(error?.reason == .malformedResponse(expected: "a yes or a no"))
  }
}

@Suite struct `The web services of SirsiDynix` {
  private func standing(
    _ status: String, approved: Bool = true, enforces: String = "true"
  ) async throws -> AccountStanding {
    let played = PlayedDesk { asked in
      switch asked.path {
      case "/ws/user/patron/login":
        asked.body.contains("4711")
          ? (200, #"{"sessionToken":"secret-token","patronKey":"k7"}"#) : (401, "{}")
      case "/ws/user/patron/key/k7":
        asked.headers["x-sirs-sessionToken"] == "secret-token"
          ? (
            200,
            #"{"fields":{"displayName":"Ada Fair","approved":\#(approved),"patronType":{"key":"ADULT"},"privilegeExpiresDate":"2030-01-01"}}"#
          ) : (401, "")
      case "/ws/user/patronStatusInfo/key/k7": (200, status)
      default: (404, "")
      }
    }
    let settings = [
      "sign_in": "sirsidynix", "sirsidynix_app": "carrel", "sirsidynix_enforces": enforces,
    ]
    let wrong = try played.desk(
      settings, secrets: ["sirsidynix_client": "c"], card: "2300", pin: "1")
    let error = await failure { _ = try await wrong.checkAccount(in: played.call) }
    #expect(error?.reason == .credentialsRejected)
    let desk = try played.desk(
      settings, secrets: ["sirsidynix_client": "c"], card: "2300", pin: "4711")
    return try await desk.checkAccount(in: played.call)
  }

  @Test func `The web services of SirsiDynix tell who a reader is and how the card stands`()
    async throws
  {
    let good = try await standing(
      #"{"fields":{"estimatedFines":{"amount":"50.00","currencyCode":"USD"}}}"#)
    #expect(good.identity?.id == "k7" && good.identity?.kind == "ADULT" && good.blocks.isEmpty)
  }

  @Test func `SirsiDynix fine and loss flags block a card only where the library enforces them`()
    async throws
  {
    let marks = #"{"fields":{"expired":true,"hasMaxFines":true,"hasMaxLostItem":true}}"#
    #expect(try await standing(marks).blocks.map(\.kind) == [.expired, .fines, .tooManyLost])
    #expect(try await standing(marks, enforces: "false").blocks.map(\.kind) == [.expired])
    #expect(
      try await standing(#"{"fields":{}}"#, approved: false, enforces: "false").blocks.map(\.kind)
        == [.notApproved])
  }
}

@Suite struct `A list of cards` {
  private static func hash(_ pin: String) throws -> String {
    let (salt, cost) = (
      Array("a salt of ours".utf8), try KeyDerivation.ScryptCost(n: 16, r: 1, p: 1)
    )
    let key = try KeyDerivation.scrypt(Secret(pin), salt: salt, cost: cost, length: 32)
    return "scrypt$16$1$1$\(Hex.encode(salt))$\(key.revealBytes { Hex.encode($0) })"
  }

  private func desk(_ list: String, _ card: String, _ pin: String?) throws -> LibraryDeskProvider {
    try PlayedDesk { _ in (500, "") }.desk(
      ["sign_in": "list"], secrets: ["cards": list], card: card, pin: pin)
  }

  @Test func `A list of cards proves who stands in it, and asks nobody`() async throws {
    let list =
      "# CARD,HASH,NAME,KIND,EXPIRES\n2300,\(try Self.hash("4711")),Ada Fair,ADULT,2026-01-01\n"
    let call = PlayedDesk { _ in (500, "") }.call
    let standing = try await desk(list, "2300", "4711").checkAccount(in: call)
    #expect(standing.identity?.name == "Ada Fair" && standing.blocks.map(\.kind) == [.expired])
    for (card, pin) in [("2300", "4712"), ("2301", "4711"), ("2300", "")] {
      let error = await failure { _ = try await desk(list, card, pin).checkAccount(in: call) }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test(arguments: [
    "2300", "2300,plain", "2300,", ",x", "2300,scrypt$15$1$1$00112233445566778899$00",
  ]) func `A list of cards with a line that makes no sense is refused at the start`(line: String) {
    #expect(throws: SettingsFault.self) { _ = try desk(line, "2300", "1") }
  }

  @Test func `A list of cards with a card twice is refused, and no PIN is told`() throws {
    let line = "2300,\(try Self.hash("4711"))"
    let fault = #expect(throws: SettingsFault.self) {
      _ = try desk("\(line)\n\(line)", "2300", "1")
    }
    #expect(fault?.description.contains("scrypt") == false)
  }
}
