import Circulation
import FoundationEssentials
import GoogleBooksMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import ProviderKit
import Secrets
import Testing

@testable import GoogleBooks

/// The adapter in front of the mock, whose clock it shares.
private struct Played: Sendable {
  static let card = "23000000000001"
  let open: OpenHouse
  let session: Session

  static func run(_ scenario: Scenario = .threeCards, _ body: (Played) async throws -> Void)
    async throws
  {
    let house = MockHouse(scenario, dialects: [GoogleBooksDialect.dialect])
    try await OpenHouse.run(house) { open in
      let clock = SessionClock(
        now: { .now },
        date: {
          Date(
            timeIntervalSince1970: Double(house.main.withState { $0.now.milliseconds }) / 1000)
        }, sleep: { _ throws(CancellationError) in })
      let session = Session(
        provider: ProviderID("googlebooks"), transport: open.client.transport, clock: clock,
        chance: { 0 })
      try await body(Played(open: open, session: session))
    }
  }

  var library: Library {
    get throws {
      let base = open.base + "/google"
      return Library(
        id: LibraryID("l"), provider: ProviderID("googlebooks"), name: "L",
        endpoints: [
          "api": try Address(base + "/books/v1"),
          "authorize": try Address(base + "/o/oauth2/v2/auth"),
          "token": try Address(base + "/token"),
        ],
        secrets: [
          "client_id": Secret(Furnishing.client), "client_secret": Secret(Furnishing.secret),
        ])
    }
  }

  func adapter(_ refresh: Secret? = nil) throws -> GoogleBooksProvider {
    let usual = Secret(Furnishing.refreshToken(card: Self.card, pin: "1111"))
    let credentials = Credentials(["refresh_token": refresh ?? usual])
    return GoogleBooksProvider(settings: try Settings(try library, credentials), session: session)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(20), requestID: "r") }

  func set(_ name: String, _ value: JSONValue) {
    open.house.main.withState { state in
      _ = state.change("demo", of: "googlebooks") { library, _ in library.settings[name] = value }
    }
  }

  func books(on shelf: String) -> [String] {
    open.house.main.withState {
      $0.library("demo", of: "googlebooks")?.reading.list(shelf, of: Self.card)?.books ?? []
    }
  }

  var count: Int { open.house.main.withState { $0.journal.entries.count } }
}

private func reason(_ work: () async throws -> Void) async throws -> CirculationError.Reason? {
  do {
    try await work()
    return nil
  } catch let error as CirculationError {
    return error.reason
  }
}

@Suite(.serialized) struct `Google Books' oddities` {
  private func entry(_ volume: String) -> ListEntry { ListEntry(item: ItemID(volume), title: "x") }

  @Test
  func `GoogleBooks: shelves with German names are identified by their numbers`() async throws {
    try await Played.run { played in
      played.set("german", true)
      let lists = try await played.adapter().lists(in: played.call)
      let wanted = try #require(lists.first { $0.id.rawValue == "2" })
      #expect(wanted.name == "Zu lesen" && wanted.state == .wanted && wanted.changedAt != nil)
      #expect(lists.filter { !$0.isOpen }.map(\.id.rawValue) == ["1", "5", "6", "7"])
      #expect(lists.allSatisfy { !$0.isExclusive })
    }
  }

  @Test
  func `GoogleBooks: a shelf that withholds volumes does not prove their removal`() async throws {
    try await Played.run(.avidReaders) { played in
      played.set("withheld", true)
      let adapter = try played.adapter()
      let list = try await adapter.lists(in: played.call).first { $0.id.rawValue == "2" }
      let whole = try await adapter.wholeList(ListID("2"), in: played.call)
      let count = played.books(on: "2").count
      #expect(list?.count == count && whole.entries.count == count - count / 10)
      #expect(adapter.describe().lists?.absenceIsProof == false)
    }
  }

  @Test(arguments: [true, false])
  func `GoogleBooks: an empty body and an empty object both mean success`(_ isObject: Bool)
    async throws
  {
    try await Played.run { played in
      played.set("empty_object", .bool(isObject))
      let (adapter, book) = (try played.adapter(), played.books(on: "2")[0])
      try await adapter.add(entry(book), to: ListID("4"), in: played.call)
      #expect(played.books(on: "4").first == book && played.books(on: "2").contains(book))
    }
  }

  @Test
  func `GoogleBooks: a book cannot be added to a shelf that the service fills`() async throws {
    try await Played.run { played in
      let book = played.books(on: "2")[0]
      for shelf in ["1", "5", "6", "8"] {
        let refused = try await reason {
          try await played.adapter().add(entry(book), to: ListID(shelf), in: played.call)
        }
        #expect(refused == .unsupported(.listWriting))
      }
      #expect(played.count == 0)
    }
  }

  @Test func `GoogleBooks: a book is placed at a position and a shelf is cleared`() async throws {
    try await Played.run { played in
      let (adapter, books) = (try played.adapter(), played.books(on: "2"))
      try await adapter.place(entry(books[0]), on: ListID("2"), at: 3, in: played.call)
      #expect(played.books(on: "2").prefix(3) == [books[1], books[2], books[0]])
      let page = try await adapter.items(of: ListID("2"), from: nil, in: played.call)
      #expect(page.entries.first { $0.item.rawValue == books[0] }?.position == 3)
      try await adapter.clear(ListID("2"), in: played.call)
      #expect(played.books(on: "2").isEmpty && !played.books(on: "4").isEmpty)
    }
  }

  @Test func `GoogleBooks: a search by ISBN leaves out books with another number`() async throws {
    try await Played.run { played in
      played.set("other_book", true)
      let isbn = try #require(
        played.open.house.main.withState { state in
          state.library("demo", of: "googlebooks")?.lending.titles.values.lazy
            .compactMap { ISBN($0.isbn) }.first
        })
      let found = try await played.adapter().find(
        SoughtBook(numbers: BookNumbers(isbns: [isbn])), in: played.call)
      #expect(found.map(\.entry.isbns) == [[isbn]] && found.allSatisfy(\.isSure))
    }
  }

  @Test func `GoogleBooks: entries without an ISBN or with only a year of publication are read`()
    async throws
  {
    try await Played.run { played in
      var entries: [ListEntry] = []
      for shelf in ["2", "3", "4"] {
        entries += try await played.adapter().wholeList(ListID(shelf), in: played.call).entries
      }
      #expect(entries.contains { $0.isbns.isEmpty } && entries.contains { $0.authors.isEmpty })
      #expect(entries.allSatisfy { $0.published != nil })
      #expect(entries.contains { $0.published?.month == nil })
    }
  }

  @Test func `GoogleBooks: an exhausted daily quota is not retried and names its reset time`()
    async throws
  {
    try await Played.run { played in
      played.set("quota", 1)
      let adapter = try played.adapter()
      _ = try await adapter.lists(in: played.call)
      let before = played.count
      let refused = try await reason { _ = try await adapter.lists(in: played.call) }
      // The clock stands at nine in the morning by Greenwich.
      #expect(refused == .providerBusy(retryAfter: .seconds(23 * 3600)))
      #expect(played.count == before + 1)
    }
  }

  @Test(arguments: [
    (400, "keyInvalid", "not_configured"), (403, "accessNotConfigured", "not_configured"),
    (403, "insufficientPermissions", "credentials_rejected"),
    (403, "userRateLimitExceeded", "provider_busy"), (403, "dailyLimitExceeded", "provider_busy"),
    (403, "unknownLocation", "not_configured"), (404, "notFound", "title_gone"),
    (429, "rateLimitExceeded", "provider_busy"), (503, "backendFailed", "provider_busy"),
    (409, "conflict", "provider_unavailable"), (200, "backendError", "provider_unavailable"),
  ])
  func `GoogleBooks: the reason in an error reply decides its meaning`(
    _ status: Int, _ word: String, code: String
  ) {
    let body =
      #"{"error":{"code":\#(status == 200 ? 500 : status),"message":"m","errors":[{"reason":"\#(word)"}]}}"#
    let decoded = GoogleBooksProvider.listing.decode(
      "error", status, nil, Array(body.utf8), .distantPast)
    guard case .failure(let error) = decoded else {
      Issue.record("no failure")
      return
    }
    #expect(error.reason.code == code && error.providerSays == word)
  }

  // MARK: - Signing in

  private let redirect = "http://127.0.0.1:9/callback"

  private func signedIn(_ played: Played, button: String = "allow") async throws -> Credentials {
    let page = try GoogleBooksProvider.signIn(try played.library)
    let visit = try await page.begin(
      .init(redirect: redirect, state: "s1"), played.session, played.call)
    var form = FormFields(parsing: visit.address.query ?? "")
    for (name, value) in [("username", Played.card), ("password", "1111"), (button, "1")] {
      form.add(name, value)
    }
    let reply = try await played.open.client.send(
      Request(
        .post, visit.address.replacingQuery([]),
        headers: ["Content-Type": "application/x-www-form-urlencoded"],
        body: .bytes(Array(form.encoded.utf8)), redirects: .returned))
    let back = try #require(reply.headers["Location"])
    #expect(back.hasPrefix(redirect + "?state=s1&"))
    return try await page.finish(
      visit, .redirected(FormFields(parsing: String(back.split(separator: "?")[1]))),
      played.session, played.call)
  }

  @Test func `a patron who grants access to Google Books can list shelves`() async throws {
    try await Played.run { played in
      let credentials = try await signedIn(played)
      let adapter = try played.adapter(credentials["refresh_token"])
      _ = try await adapter.checkAccount(in: played.call)
      #expect(try await !adapter.lists(in: played.call).isEmpty)
    }
  }

  @Test
  func `a patron who grants Google Books less access, or none, is not signed in`() async throws {
    try await Played.run { played in
      let denied = try await reason { _ = try await signedIn(played, button: "deny") }
      #expect(denied == .credentialsRejected)
      played.set("grants_less", true)
      let less = try await reason { _ = try await signedIn(played) }
      #expect(less == .credentialsRejected)
    }
  }

  @Test func `a revoked Google Books grant is reported as rejected credentials`() async throws {
    try await Played.run { played in
      let refused = try await reason {
        _ = try await played.adapter(Secret("1//gone")).lists(in: played.call)
      }
      #expect(refused == .credentialsRejected)
    }
  }
}
