import Circulation
import HTTP
import JSON
import ProviderKit
import Secrets
import Testing

@testable import OverDrive

@Suite struct `Quirks 31 to 40` {
  let service = PlayedService()
  private let one = Titles.one

  @Test(arguments: [
    ("Author", [Contributor.Role.author]), ("Author and Illustrator", [.author, .illustrator]),
    ("Author, Narrator", [.author, .narrator]), ("Cast Member", [.performer]),
    ("Etc.", [.contributor]), ("Actor/Actress", [.performer]),
    ("Foreword", [.authorOfIntroduction]),
    ("Author of introduction, etc.", [.authorOfIntroduction]), ("", [.contributor]),
    ("Corporate Author", [.author]), ("author", [.author]), ("Photographer", [.photographer]),
  ])
  func `OverDrive quirk 31: one role text may name several roles`(
    _ text: String, roles: [Contributor.Role]
  ) {
    #expect(Roles.of(text) == roles)
  }

  @Test func `OverDrive quirk 31: languages with a region or script are read without duplicates`()
    throws
  {
    let found = try Read.edition(
      #"{"id":"a","languages":[{"code":"zh-Hans"},{"code":"pt-BR"},{"code":"zh"},{"code":""}]}"#)
    #expect(found.languages == ["zh", "pt"])
  }

  @Test(arguments: [
    #""publishDate":"2013-10-01T00:00:00-04:00""#, #""publishDate":"2013-10-01T00:00:00Z""#,
    #""publishDate":"2013-10-01T23:30:00+13:00""#, #""publishDate":"2013-10-01""#,
    #""publishDateText":"10/1/2013""#,
  ])
  func `OverDrive quirk 32: a publication date keeps its day in any time zone`(_ field: String)
    throws
  {
    #expect(
      try Read.edition(#"{"id":"a",\#(field)}"#).published
        == PartialDate(year: 2013, month: 10, day: 1))
  }

  @Test func `OverDrive quirk 33: the copy counts of an unlimited title are ignored`() throws {
    #expect(
      try Read.availability(
        """
        {"availabilityType":"AlwaysAvailable","available":true,"copiesOwned":999999,
         "accounts":[{"id":-1,"copiesOwned":999999}]}
        """
      ).status == .available(.init()))
  }

  @Test func `OverDrive quirk 34: errors of the API and of the sign-in are both read`() throws {
    let api = WireFailure(try Read.json(#"{"errorCode":"A","message":"m","token":"t"}"#))
    let oauth = WireFailure(try Read.json(#"{"error":"B","error_description":"d"}"#))
    #expect(api?.code == "A" && api?.message == "m")
    #expect(oauth?.code == "B" && oauth?.message == "d")
    #expect(WireFailure(try Read.json(#"{"reserveId":"a"}"#)) == nil)
  }

  @Test func `OverDrive quirk 35: a PIN with form characters is sent unchanged`() async throws {
    let reader = Credentials(["card": Secret("1 2"), "pin": Secret("a&b=c+d%e")])
    _ = try await service.adapter(as: reader).checkAccount(in: service.call)
    let asked = try #require(service.asked("POST /patrontoken").first)
    #expect(asked.form["username"] == "1 2" && asked.form["password"] == "a&b=c+d%e")
    #expect(asked.form.fields.count == 4)
  }

  @Test func `OverDrive quirk 36: a patron's availability comes from the patron's collection`()
    async throws
  {
    service.on(
      "GET /v2/collections/own/availability", 200,
      #"{"availability":[{"reserveId":"\#(one)","available":true}]}"#)
    _ = try await service.adapter().availability(of: [one], in: service.call)
    let asked = try #require(service.asked("GET /v2/collections/own/availability").first)
    #expect(asked.headers["Authorization"] == "Bearer reader")
    #expect(service.asked("GET /v1/libraries/4225").isEmpty)
    service.on("GET /v1/collections/public/products", 200, #"{"totalItems":0}"#)
    _ = try await service.adapter().harvest(from: nil, in: service.call)
    let crawled = try #require(service.asked("GET /v1/collections/public/products").first)
    #expect(crawled.headers["Authorization"] == "Bearer client", "a crawl is the library's")
  }

  @Test func `OverDrive quirk 37: two accounts of a patron use separate tokens`() async throws {
    let session = service.session()
    service.replace("POST /patrontoken", 200, #"{"access_token":"own"}"#)
    service.on("POST /patrontoken", 200, #"{"access_token":"consortium"}"#)
    service.on(
      "GET /v1/patrons/me/checkouts", 200,
      #"{"totalItems":1,"checkouts":[{"reserveId":"\#(one.upper)"}]}"#)
    service.on("GET /v1/patrons/me/holds", 200, #"{"totalItems":0,"holds":[]}"#)
    for website in ["1", "2"] {
      let shelf = try await service.adapter(["website_id": website], over: session)
        .shelf(in: service.call)
      #expect(shelf.loans.map(\.item) == [one])
    }
    #expect(
      service.asked("GET /v1/patrons/me/checkouts").map { $0.headers["Authorization"] }
        == ["Bearer own", "Bearer consortium"])
  }

  @Test(arguments: [
    (500, ""), (200, "<html>"), (200, "{}"), (200, #"{"totalItems":3}"#),
    (200, #"{"message":"An unexpected error has occurred."}"#),
  ])
  func `OverDrive quirk 38: a holds list that cannot be read is not an empty shelf`(
    _ status: Int, body: String
  )
    async throws
  {
    service.on("GET /v1/patrons/me/checkouts", 200, #"{"totalItems":0,"checkouts":[]}"#)
    service.on("GET /v1/patrons/me/holds", status, body)
    let found = await reason { try await service.adapter().shelf(in: service.call) }
    #expect(found?.leavesOutcomeOpen == true, "\(String(describing: found))")
  }

  @Test func `OverDrive quirk 39: a loan in a format not readable here is kept`() async throws {
    service.on(
      "POST /v1/patrons/me/checkouts", 201,
      """
      {"reserveId":"\(one.upper)","formats":[],"actions":{"format":{"href":"https://x/",
       "fields":[{"name":"formatType","options":["ebook-kindle"]}]},
       "earlyReturn":{"href":"https://x/"}}}
      """)
    let outcome = try await service.adapter().checkOut(one, as: nil, in: service.call)
    guard case .borrowed(let loan) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(loan.formats.map(\.content) == [.kindle] && loan.isReturnable)
    #expect(service.routes.last == "POST /v1/patrons/me/checkouts", "nothing was given back")
  }

  @Test(arguments: [
    (400, "TitleNotCheckedOut"), (404, "PatronDoesntHaveTitleCheckedOut"), (404, "NotFound"),
  ])
  func `OverDrive quirk 40: several error codes mean that a title is not borrowed`(
    _ status: Int, code: String
  ) async throws {
    service.on(
      "GET /v1/patrons/me/checkouts/\(one.upper)", status, #"{"errorCode":"\#(code)"}"#)
    #expect(
      await reason { try await service.adapter().fulfil(one, as: nil, in: service.call) }
        == .notBorrowed)
    #expect(
      await reason { try await service.adapter().checkIn(one, in: service.call) } == .notBorrowed)
  }
}
