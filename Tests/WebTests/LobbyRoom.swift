import Books
import Catalog
import Circulation
import Covers
import Database
import Desk
import Downloads
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPClient
import HTTPServer
import Machine
import ProviderKit
import Reading
import ReadingLists
import Registry
import Secrets
import Shelving
import Slips
import StoreSupport
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Web

/// The pages over a real registry, catalogue and desk; only the library itself is made of paper. Ada
/// has a card there.
final class LobbyRoom: Sendable {
  static let day = Date(timeIntervalSince1970: 1_798_761_600)
  static let town = LibraryID("town")
  static let hostile = "<script>alert(1)</script> & \"quotes\""

  let store: Store
  let registry: Registry
  let catalog: Catalog
  let desk: Desk
  let books: MyBooks
  let queue: DownloadQueue
  let files: BookStore
  let lender = PaperLender()
  let lobby: Lobby
  let reading: ReadingStock
  let handler: Handler
  let ada: Account
  let policy: ProxyPolicy
  private let clock: Mutex<Int64>
  private let jar = Mutex<[String: String]>([:])

  private init(
    _ store: Store, _ folder: String, isPublic: Bool, publicURL: ProxyPolicy.PublicAddress?
  ) async throws {
    self.store = store
    policy = ProxyPolicy(publicAddress: publicURL)
    let start = Int64(Self.day.timeIntervalSince1970 * 1000)
    clock = Mutex(start)
    let now: @Sendable () -> Int64 = { start }
    let door = VaultDoor(.keyFile(path: "\(folder)/vault.key"), in: .row(in: store), now: now)
    let registry = Registry(
      store: store, vault: { () throws(VaultError) in try await door.vault() }, now: now)
    self.registry = registry
    catalog = Catalog(store: store, now: now)
    let patron = try await registry.patron(named: "ada")
    ada = try await registry.link(
      patron: patron.id, name: .like("town"), provider: ProviderID("paper"), library: Self.town,
      credentials: Credentials(["card": Secret("21000001"), "pin": Secret("1234")]), request: "r")
    let lender = lender
    let desk = Desk(
      store: store, keyring: Keyring { Secret(Array(32..<64)) }, now: now,
      open: { _, _ in PaperCard(lender: lender) })
    self.desk = desk
    let queue = DownloadQueue(
      store: store, now: now, chance: { 0.5 },
      moved: { tx, ticket, event throws(DatabaseError) in
        let wish = ticket.wish
        try tx.move(wish.item, on: wish.account, of: wish.patron, by: event, at: now())
      })
    self.queue = queue
    files = BookStore(in: "\(folder)/books", store: store, now: now)
    let books = MyBooks(store: store, now: now) { tx, account, item throws(DatabaseError) in
      try queue.withdraw(account, item, in: tx)
    }
    self.books = books
    let stock = Stock(
      catalog: catalog,
      covers: CoverShelf(
        in: CacheFolder("\(folder)/covers"),
        over: Transport(send: { request throws(TransportError) in
          Reply(
            head: ReplyHead(status: .notFound, headers: [:]), body: [], address: request.address)
        }), now: now),
      lanes: Self.lanes, libraries: [Self.town], nameOfLibrary: { _ in "Town <Library>" },
      admit: { _ in .unknown },
      shelf: { patron throws(StockError) in
        do {
          let accounts = try await registry.accounts(of: patron)
          let ids = accounts.map(\.id)
          let marked = try await books.marked(by: patron)
          func listed(_ book: KeptBook) -> CatalogItem {
            CatalogItem(library: book.key.library, item: book.key.item)
          }
          return ReaderShelf(
            accounts: accounts, loans: try await desk.loans(of: ids),
            holds: try await desk.holds(of: ids), stale: [],
            hidden: marked.filter(\.isIgnored).map(listed),
            saved: marked.filter { $0.state == .saved }.map(listed))
        } catch { throw StockError("\(error)") }
      },
      silent: { () throws(StockError) in [] }, now: now)
    let lending = LendingStock(
      desk: desk,
      slips: SlipBox(
        store: store, now: now,
        key: { () throws(VaultError) in try await door.vault().subkey(SlipBox.keyLabel) }),
      lists: ReadingLists(store: store, now: now), positions: Positions(store: store, now: now),
      doorkeeper: Doorkeeper(registry), readers: { () throws(StockError) in [:] },
      call: { patron, request in
        Call(patron: patron, deadline: .now + .seconds(10), requestID: request.id.description)
      },
      fulfilFree: { _, _, _, _ throws(DeskError) in
        throw .provider(CirculationError(.titleGone, from: ProviderID("paper"), during: .fulfil))
      },
      fetch: { _ throws(Problem) in throw Problem(.badGateway) }, note: { _, _ in })
    reading = ReadingStock(
      files: files, queue: queue, annotations: Annotations(store: store, now: now),
      positions: Positions(store: store, now: now), tastes: Tastes(store: store, now: now))
    lobby = Lobby(
      stock, lending, registry: registry, books: books,
      watch: Watch(stock, clock: { .now }), signer: Signer(key: Secret(Array(0..<32))),
      fetching: FetchDesk(
        queue: queue, files: files,
        followed: { accounts, patron throws(DatabaseError) in
          try await books.follow(accounts.map { Card($0.id, at: $0.library) }, of: patron).books
        }),
      reading: reading,
      LobbySettings(title: "All libraries", isPublic: isPublic))
    var routes = Router<Int>(refuse: WebRoutes.refusal)
    WebRoutes.addAssets(to: &routes, open: 0)
    lobby.add(to: &routes, .init(open: 0, catalog: 1, reader: 2))
    handler = routes.handler
  }

  static let lanes: [Lane] = {
    var mystery = LaneRule()
    mystery.subjects = ["mystery"]
    return [
      Lane(id: "popular", title: "Popular", .rule(LaneRule())),
      Lane(id: "recommended", title: "Recommended", .recommendation(LaneRule())),
      Lane(
        id: "genres", title: "By genre", .group,
        lanes: [Lane(id: "mystery", title: "Mystery", .rule(mystery))]),
    ]
  }()

  static func open(
    _ engine: Engine = .sqlite, isPublic: Bool = true,
    publicURL: ProxyPolicy.PublicAddress? = nil, _ body: (LobbyRoom) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let tables = [
        Registry.migrations, Catalog.migrations, Desk.migrations, MyBooks.migrations,
        SlipBox.migrations, ReadingLists.migrations, Positions.migrations,
        DownloadQueue.migrations, Tastes.migrations,
      ]
      try await withStore(engine, tables: tables) { store in
        let room = try await LobbyRoom(
          store, folder.path, isPublic: isPublic, publicURL: publicURL)
        try await room.fill()
        try await body(room)
      }
    }
  }

  private func fill() async throws {
    var books = (1...40).map { number in
      Self.book("t\(number)", "Volume \(number) of Everything") {
        $0.subjects = number % 4 == 0 ? ["Mystery"] : ["Gardens"]
        $0.popularity = Double(100 - number)
      }
    }
    books.append(
      Self.book("hostile", Self.hostile) {
        $0.popularity = 200
        $0.subtitle = "\"><img src=x onerror=alert(2)>"
        $0.languages = ["fr\" onload=x"]
        $0.summary = "<p>First.</p><script>alert(3)</script><p>Second &amp; <b>last</b>.</p>"
      })
    books.append(Self.book("out", "All Copies Out"))
    try await catalog.take(books, of: Self.town, provider: ProviderID("paper"))
    lender.change { state in
      for number in 1...40 { state.copies[ItemID("t\(number)")] = 2 }
      state.copies[ItemID("hostile")] = 1
    }
    let items = books.map(\.item)
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "note")
    try await catalog.note(
      try await PaperCard(lender: lender).availability(of: items, in: call), at: Self.town)
  }

  static func book(
    _ item: String, _ title: String, _ change: (inout Edition) -> Void = { _ in }
  ) -> Edition {
    var edition = Edition(item: ItemID(item), title: title)
    edition.contributors = [Contributor(name: "Ada Quill", role: .author)]
    edition.languages = ["en"]
    edition.formats = [Format(id: "epub", content: .epub, protection: .none)]
    change(&edition)
    return edition
  }

  /// The library is asked what stands on the card.
  func sync() async throws {
    let call = Call(patron: nil, deadline: .now + .seconds(10), requestID: "sync")
    for synced in await desk.sync([ada.id], in: call) { _ = try synced.result.get() }
  }

  // MARK: - A browser

  struct Answer: Sendable {
    let status: Int
    let head: Headers
    let text: String

    var location: String? { head["Location"] }

    func value(_ name: String) -> String? {
      guard let regex = try? Regex("name=\"\(name)\" value=\"([^\"]*)\"") else { return nil }
      return text.firstMatch(of: regex)?.output[1].substring.map(String.init)
    }
  }

  /// Keeps cookies as a browser does. A form goes as one of ours unless a test says otherwise.
  @discardableResult
  func ask(
    _ target: String, _ headers: Headers = [:], form: FormFields? = nil
  ) async throws -> Answer {
    var headers = headers
    let cookies = jar.withLock { $0 }.sorted { $0.key < $1.key }
    if !cookies.isEmpty, headers["Cookie"] == nil {
      headers.set("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
    }
    if form != nil { headers.set("Content-Type", MediaType.form.description) }
    let request = try HTTPServer.Request(
      form == nil ? .get : .post, target, headers: headers,
      body: Array((form?.encoded ?? "").utf8), policy: policy)
    let response = await handler(request)
    let reply = response.reply(to: request)
    for field in reply.headers.all("Set-Cookie") {
      let pair = field.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      jar.withLock { $0[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1]) }
    }
    return Answer(
      status: reply.status.code, head: reply.headers,
      text: String(decoding: reply.bytes ?? [], as: UTF8.self))
  }

  func cookie(_ name: String) -> String? { jar.withLock { $0[name] } }
  func keep(_ name: String, _ value: String?) { jar.withLock { $0[name] = value } }

  @discardableResult
  func signIn(
    card: String = "21000001", pin: String = "1234", then: String? = nil, stay: Bool = false
  ) async throws -> Answer {
    let door = try await ask("/sign-in")
    var form: FormFields = ["card": card, "pin": pin]
    if let seal = door.value("seal") { form.add("seal", seal) }
    if let then { form.add("then", `then`) }
    if stay { form.add("stay", "month") }
    return try await ask("/sign-in", form: form)
  }

  /// The address of a book's page, found by searching.
  func book(_ title: String) async throws -> String {
    let found = try await ask("/search?\(FormFields([.init("q", title)]).encoded)")
    let match = try #require(found.text.firstMatch(of: /class="line" href="([^"]*)"/))
    return String(match.1)
  }

  /// Presses the button of this deed on a page of the book.
  @discardableResult
  func press(
    _ deed: String, of item: String, at address: String, _ more: FormFields = FormFields()
  ) async throws -> Answer {
    let page = try await ask(address)
    var form: FormFields = [
      "do": deed, "library": "town", "item": item, "seal": page.value("seal") ?? "",
    ]
    for field in more.fields { form.add(field.name, field.value) }
    return try await ask(address, form: form)
  }
}
