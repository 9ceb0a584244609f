import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit
import Secrets
import Synchronization

@testable import OPDSLibrary

/// A catalogue of prepared answers, and a note of all it was asked. What nothing was prepared for is
/// missing, as on any web server.
final class PlayedService: Sendable {
  struct Asked: Sendable {
    /// Method, and the target on the catalogue's own host; the whole address on another.
    let route: String
    let headers: Headers
    let body: String
  }

  struct Answer: Sendable {
    var status = 200
    var headers: Headers = [:]
    var body = ""
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var asked: [Asked] = []
    var prefixes: [String] = []
    var date = PlayedService.begin
  }

  static let begin = Date(timeIntervalSince1970: 1_767_225_600)
  static let home = "https://books.example"
  private let state = Mutex(State())
  private let start = ContinuousClock.now

  /// The next answer on this route; the last one stays.
  func on(_ route: String, status: Int = 200, headers: Headers = [:], _ body: String = "") {
    state.withLock {
      $0.answers[route, default: []].append(Answer(status: status, headers: headers, body: body))
    }
  }

  /// The same for all routes that begin so.
  func onAny(_ prefix: String, status: Int = 200, _ body: String = "") {
    state.withLock {
      $0.prefixes.append(prefix)
      $0.answers[prefix, default: []].append(Answer(status: status, headers: [:], body: body))
    }
  }

  var asked: [Asked] { state.withLock { $0.asked } }
  var routes: [String] { asked.map(\.route) }
  func asked(_ route: String) -> [Asked] { asked.filter { $0.route == route } }

  func pass(_ seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }

  private func answer(_ request: HTTPClient.Request) -> Reply {
    var body: [UInt8] = []
    if case .bytes(let bytes) = request.body { body = bytes }
    let whole = request.address.text
    let place = whole.hasPrefix(Self.home) ? String(whole.dropFirst(Self.home.count)) : whole
    let asked = Asked(
      route: "\(request.method.rawValue) \(place)", headers: request.headers,
      body: String(decoding: body, as: UTF8.self))
    let answer = state.withLock { state -> Answer in
      state.asked.append(asked)
      let prefix = state.prefixes.first { asked.route.hasPrefix($0) }
      guard let left = state.answers[asked.route] ?? prefix.flatMap({ state.answers[$0] }),
        let first = left.first
      else {
        return Answer(status: 404)
      }
      if left.count > 1 { state.answers[asked.route]?.removeFirst() }
      return first
    }
    return Reply(
      head: ReplyHead(status: Status(answer.status), headers: answer.headers),
      body: Array(answer.body.utf8), address: request.address)
  }

  // MARK: - The adapter in front of it

  func session() -> Session {
    let clock = SessionClock(
      now: { [self] in
        start + .seconds(state.withLock { $0.date.timeIntervalSince(Self.begin) })
      }, date: { [self] in state.withLock { $0.date } },
      sleep: { _ throws(CancellationError) in })
    return Session(
      provider: ProviderID("opdslibrary"), transport: Transport(send: { [self] in answer($0) }),
      clock: clock, chance: { 0 })
  }

  static let ada = Credentials(["card": Secret("ada"), "pin": Secret("1&2 %+é")])

  func desk(
    _ reader: Credentials? = PlayedService.ada, at id: LibraryID = LibraryID("l")
  ) throws -> OPDSLibraryProvider {
    let library = Library(
      id: id, provider: ProviderID("opdslibrary"), name: "L",
      endpoints: ["catalog": try Address("\(Self.home)/opds/")])
    return OPDSLibraryProvider(settings: try Settings(library, reader), session: session())
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(9_000_000), requestID: "r") }

  /// A lender whose door asks for Basic.
  static func lender(shelf: String...) -> PlayedService {
    let service = PlayedService()
    service.on("GET /opds/", Wire.feed(Wire.links))
    service.on("GET /auth", Wire.authentication(Wire.basic))
    service.on("GET /loans", Wire.feed(shelf.joined()))
    return service
  }
}

/// The reason of what the work ended with.
func reason(_ work: () async throws -> some Sendable) async -> CirculationError.Reason? {
  do { _ = try await work() } catch { return (error as? CirculationError)?.reason }
  return nil
}

/// Documents as catalogues write them.
enum Wire {
  static let one = ItemID("works/1")

  static let links = """
    <link rel="http://opds-spec.org/shelf" href="/loans"/>
    <link rel="http://opds-spec.org/auth/document" href="/auth"/>
    <link rel="http://opds-spec.org/crawlable" href="/all" type="application/atom+xml"/>
    <link rel="search" href="/search?q={searchTerms}" type="application/atom+xml"/>
    """
  static let basic = #"{"type": "http://opds-spec.org/auth/basic"}"#

  static func feed(_ inside: String) -> String {
    "<feed \(names)><id>f</id><title>Village</title>\(inside)</feed>"
  }

  static func authentication(_ flows: String) -> String {
    #"{"id": "https://books.example/auth", "title": "Village", "authentication": [\#(flows)]}"#
  }

  private static let names =
    #"xmlns="http://www.w3.org/2005/Atom" xmlns:opds="http://opds-spec.org/2010/catalog""#
  private static let type = "application/atom+xml;type=entry;profile=opds-catalog"

  static func entry(_ ways: String, number: Int = 1, updated: String = "2026-01-01T00:00:00Z")
    -> String
  {
    """
    <entry \(names)><id>urn:x:\(number)</id><title>Book \(number)</title><updated>\(updated)</updated>
    <author><name>Ada Quill</name></author>
    <link rel="alternate" href="/opds/works/\(number)" type="\(type)"/>\(ways)</entry>
    """
  }

  static func borrow(
    _ status: String, copies: (Int, Int)? = nil, holds: String = "", cancellable: Bool = false
  ) -> String {
    let counts = copies.map { #"<opds:copies total="\#($0.0)" available="\#($0.1)"/>"# } ?? ""
    return """
      <link rel="http://opds-spec.org/acquisition/borrow" href="/borrow" type="\(type)">
      <opds:availability status="\(status)"/>\(counts)\(holds)
      <opds:indirectAcquisition type="application/epub+zip"/></link>
      """
  }

  static func loan(
    until: String = "2026-02-01T00:00:00Z", type: String = "application/epub+zip",
    inner: String = "", status: String = "available"
  ) -> String {
    """
    <link rel="http://opds-spec.org/acquisition" href="/fulfil" type="\(type)">
    <opds:availability status="\(status)" until="\(until)"/>\(inner)</link>
    """
  }

  static let open = """
    <link rel="http://opds-spec.org/acquisition/open-access" href="/book.epub"
      type="application/epub+zip"/>
    """
  static let revoke = #"<link rel="http://librarysimplified.org/terms/rel/revoke" href="/revoke"/>"#

  static func problem(_ slug: String) -> String {
    """
    {"type": "http://librarysimplified.org/terms/problem/\(slug)", "title": "No",
     "detail": "You have reached your limit of 5.", "status": 403}
    """
  }
}
