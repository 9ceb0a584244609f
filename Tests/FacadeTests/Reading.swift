import Catalog
import Circulation
import Covers
import Database
import Desk
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPClient
import HTTPServer
import Machine
import OPDS
import PictureWork
import Registry
import Secrets
import Shelving
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Facade

let town = LibraryID("town")
let county = LibraryID("county")
let lender = ProviderID("lender")

/// A catalogue of two libraries behind the routes of the facade, with a clock and a shelf that a
/// test sets.
final class ReadingRoom: Sendable {
  struct State {
    /// Milliseconds since 1970: the first of January 2027.
    var now: Int64 = 1_798_761_600_000
    var instant = ContinuousClock.now
    var shelf = ReaderShelf(accounts: [], loans: [], holds: [], stale: [])
    var silent: Set<LibraryID> = []
    var isBroken = false
    var looks = 0
  }

  enum Access: Sendable, Hashable { case open, catalog, reader }

  let state: SharedState
  let catalog: Catalog
  let facade: Facade
  let handler: Handler
  let routes: Router<Access>
  let policy: ProxyPolicy

  private init(
    _ store: Store, folder: String, isPublic: Bool, publicURL: ProxyPolicy.PublicAddress?,
    memory: Int
  ) {
    let state = SharedState()
    self.state = state
    catalog = Catalog(store: store, now: { state.withLock { $0.now } })
    policy = ProxyPolicy(publicAddress: publicURL)
    let covers = CoverShelf(
      in: CacheFolder("\(folder)/covers"),
      over: { _ in
        Transport(send: { request throws(TransportError) in
          Reply(
            head: ReplyHead(status: .notFound, headers: [:]), body: [], address: request.address)
        })
      }, pictures: .withinThisProcess, now: { state.withLock { $0.now } })
    let names = [town: "Town Library", county: "County <& \"Books\">"]
    let stock = Stock(
      catalog: catalog, covers: covers, lanes: Self.lanes, libraries: [county, town],
      nameOfLibrary: { names[$0] ?? $0.rawValue },
      admit: { request in
        switch request["Authorization"] {
        case "Basic Y2FyZDpwaW4=": .visitor(.reader(.init(patron: PatronID("ada"))))
        case "Basic YmxvY2tlZDpwaW4=": .refused(Problem(.forbidden, code: "account_blocked"))
        default: .unknown
        }
      },
      shelf: { _ throws(StockError) in state.withLock { $0.shelf } },
      silent: { () throws(StockError) in
        let silent = state.withLock { state in
          state.looks += 1
          return state.isBroken ? nil : state.silent
        }
        guard let silent else { throw StockError("the desk's notes cannot be read") }
        return silent
      },
      now: { state.withLock { $0.now } })
    facade = Facade(
      stock,
      FacadeSettings(
        title: "All libraries", isPublic: isPublic, key: Secret(Array(0..<32)), memory: memory),
      clock: { state.withLock { $0.instant } })
    var routes = Router<Access>()
    facade.add(to: &routes, Facade.Notes(open: .open, catalog: .catalog, reader: .reader))
    self.routes = routes
    handler = routes.handler
  }

  final class SharedState: Sendable {
    private let mutex = Mutex(State())

    func withLock<Result>(_ body: (inout State) -> Result) -> Result {
      var result: Result?
      mutex.withLock { result = body(&$0) }
      return result!
    }
  }

  static func open<Result>(
    _ engine: Engine = .sqlite, isPublic: Bool = true,
    publicURL: ProxyPolicy.PublicAddress? = nil, memory: Int = 8 << 20,
    _ body: (ReadingRoom) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryFolder { folder in
      try await withStore(engine, tables: [Catalog.migrations]) { store in
        let room = ReadingRoom(
          store, folder: folder.path, isPublic: isPublic, publicURL: publicURL, memory: memory)
        try await room.fill()
        return try await body(room)
      }
    }
  }

  // MARK: - Asking

  static let card: Headers = ["Authorization": "Basic Y2FyZDpwaW4="]

  struct Answer: Sendable {
    let response: Response
    let head: Headers
    let status: Status
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var type: MediaType? { head["Content-Type"].flatMap { MediaType(parsing: $0) } }
  }

  func ask(
    _ target: String, _ headers: Headers = [:], _ method: HTTP.Method = .get
  ) async throws -> Answer {
    let request = try Request(method, target, headers: headers, policy: policy)
    let response = await handler(request)
    let reply = response.reply(to: request)
    return Answer(
      response: response, head: reply.headers, status: reply.status, bytes: reply.bytes ?? [])
  }

  func document(_ target: String, _ headers: Headers = [:]) async throws -> Document {
    let answer = try await ask(target, headers)
    guard answer.status == .ok else { throw TestSupportError("\(target): \(answer.text)") }
    return try Document(answer.bytes, type: answer.type, from: try Address(site + target))
  }

  func feed(_ target: String, _ headers: Headers = [:]) async throws -> Feed {
    guard let feed = try await document(target, headers).feed else {
      throw TestSupportError("\(target) is no feed")
    }
    return feed
  }

  var site: String {
    policy.publicAddress.map { "\($0.scheme)://\($0.host)" } ?? "http://localhost"
  }

  /// The path and query of an address of ours.
  func target(_ href: String) -> String? {
    href.hasPrefix(site + "/") ? String(href.dropFirst(site.count)) : nil
  }

  /// Lets a second and more go by, so that the house is looked at again.
  func pass() { state.withLock { $0.instant += .seconds(2) } }
}
