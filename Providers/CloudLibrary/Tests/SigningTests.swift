import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets
import Testing

@testable import CloudLibrary

/// §2: the vectors that partners publish and recompute.
@Suite struct `A signature` {
  private static let range =
    "/cirrus/library/library_id/data/cloudevents?startdate=2024-11-10T10:00:00&enddate=2024-11-11T10:00:00"

  @Test(arguments: [
    (
      "b", "Fri, 01 Jan 2016 00:00:00 GMT", "GET", "/cirrus/library/c/some_url",
      "HZHNGfn6WVceakGrwXaJQ9zIY0Ai5opGct38j9/bHrE="
    ),
    (
      "account_key", "Mon, 11 Nov 2024 10:00:00 GMT", "GET", range,
      "KipNmbVsmsT2xPjP4oHAaR3n00JgcszfF6mQRffBoRk="
    ),
    (
      "account_key", "Mon, 11 Nov 2024 10:00:00 GMT", "PUT", range,
      "3M773C6ZVWmB/ISoSjQy9iBp48T4tUWhoNOwXaseMtE="
    ),
    (
      "account_key", "Mon, 11 Nov 2024 10:00:00 GMT", "POST", range,
      "vF0zI6ee1w1PbTLQ9EVvtxRly2vpCRxdBdAHb8DZQ4E="
    ),
    (
      "demokey", "Tue, 03 Mar 2026 09:05:07 GMT", "PUT", "/cirrus/library/demolib/checkout",
      "PZXWlgiYte/vd5bCAmDoKspSPqgnMJEvZTpEbagzrHU="
    ),
    (
      "demokey", "Tue, 03 Mar 2026 09:05:07 GMT", "GET",
      "/cirrus/library/demolib/circulation/patron/21234000000001?password=4321",
      "n72zWxfC1dg7et+VZTcrUQP815wk/GPXvHcDqbGHudE="
    ),
  ])
  func `A signature is what the published vectors say`(
    key: String, date: String, method: String, path: String, expected: String
  ) {
    let signer = Signer(accountID: "a", key: Secret(key))
    let verb = HTTP.Method(rawValue: method)
    #expect(signer.signature(date, verb, path) == expected)
  }

  @Test func `A signature stands in a request beside the date that it was made of`() async throws {
    let service = PlayedService()
    service.on("GET /circulation/patron/21234000000001", 200, Written.emptyShelf)
    _ = try await service.adapter().shelf(in: service.call)
    let asked = try #require(service.asked("GET /circulation/patron/21234000000001").first)
    #expect(asked.headers["3mcl-Datetime"] == "Tue, 03 Mar 2026 09:05:07 GMT")
    #expect(
      asked.headers["3mcl-Authorization"]
        == "3MCLAUTH demo:n72zWxfC1dg7et+VZTcrUQP815wk/GPXvHcDqbGHudE=")
    #expect(asked.headers["3mcl-APIVersion"] == "3.0")
  }

  @Test func `A signature is made anew for every try`() async throws {
    let service = PlayedService()
    service.on("GET /items/a9", 502)
    service.on("GET /items/a9", 200, Written.items("a9"))
    _ = try await service.adapter().availability(of: [ItemID("a9")], in: service.call)
    #expect(service.asked("GET /items/a9").count == 2)
    #expect(service.asked("GET /items/a9").allSatisfy { $0.headers["3mcl-Authorization"] != nil })
  }

  @Test func `A signature is over the target as it is sent, commas and colons raw`() throws {
    let settings = try Settings(try PlayedService.library(), nil)
    let items = try settings.request(.items([ItemID("a9"), ItemID("b9")]), at: { Read.now })
    #expect(items.address.target == "/cirrus/library/demolib/items/a9,b9")
    let (start, end) = (Read.now.addingTimeInterval(-300), Read.now)
    let events = try settings.request(.events(from: start, to: end), at: { Read.now })
    #expect(
      events.address.target
        == "/cirrus/library/demolib/data/cloudevents?startdate=2026-03-03T09:00:07&enddate=2026-03-03T09:05:07"
    )
  }

  @Test func `A signature starts at the service's own path where a stand-in has one before it`()
    async throws
  {
    var library = try PlayedService.library()
    library = Library(
      id: library.id, provider: library.provider, name: "L",
      endpoints: ["partner": try Address("http://127.0.0.1:1/__tenant/x/")],
      settings: library.settings, secrets: library.secrets)
    let request = try Settings(library, nil).request(.items([ItemID("a9")]), at: { Read.now })
    #expect(request.address.path == "/__tenant/x/cirrus/library/demolib/items/a9")
    var sent = request
    request.beforeEachTry?(&sent)
    let expected = Signer(accountID: "demo", key: Secret("demokey"))
      .signature("Tue, 03 Mar 2026 09:05:07 GMT", .get, "/cirrus/library/demolib/items/a9")
    #expect(sent.headers["3mcl-Authorization"] == "3MCLAUTH demo:\(expected)")
  }

  @Test func `A signature encodes blanks and signs of cards and PINs before it is made`() throws {
    let odd = Settings.Reader(card: Secret("12 34/5"), pin: Secret("a&b=ü"))
    #expect(
      Cardholder(reader: odd).shelf.rest
        == "/circulation/patron/12%2034%2F5?password=a%26b%3D%C3%BC")
    #expect(Cardholder(reader: odd).shelf.shown == "/circulation/patron/…")
  }

  @Test func `A signature has no use for a body, in which everything is escaped`() {
    let odd = Settings.Reader(card: Secret("<1&2>"), pin: nil)
    let errand = Cardholder(reader: odd).checkOut(ItemID("a\"9"))
    #expect(errand.rest == "/checkout")
    #expect(
      String(decoding: errand.body, as: UTF8.self)
        == "<CheckoutRequest><ItemId>a\"9</ItemId><PatronId>&lt;1&amp;2&gt;</PatronId></CheckoutRequest>"
    )
  }
}
