import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit
import Secrets
import Synchronization

@testable import CloudLibrary

/// A service of prepared answers, and a note of all it was asked. What nothing was prepared for is
/// answered 404.
final class PlayedService: Sendable {
  struct Asked: Sendable {
    /// Method and path behind the library's, without the query.
    let route: String
    let target: String
    let headers: Headers
    let body: String
  }

  private struct Answer {
    let status: Int
    let body: [UInt8]
    let headers: Headers
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var asked: [Asked] = []
    var date = Date(timeIntervalSince1970: 1_772_528_707)
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  /// The next answer on this route; the last one stays.
  func on(_ route: String, _ status: Int, _ body: String = "", headers: Headers = [:]) {
    let answer = Answer(status: status, body: Array(body.utf8), headers: headers)
    state.withLock { $0.answers[route, default: []].append(answer) }
  }

  func asked(_ route: String) -> [Asked] {
    state.withLock { $0.asked }.filter { $0.route == route }
  }

  var routes: [String] { state.withLock { $0.asked.map(\.route) } }
  var date: Date { state.withLock { $0.date } }

  func pass(_ seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }

  private func answer(_ request: HTTPClient.Request) -> Reply {
    var body = ""
    if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
    let path = request.address.path.replacing("/cirrus/library/demolib", with: "")
    let asked = Asked(
      route: "\(request.method.rawValue) \(path)", target: request.address.target,
      headers: request.headers, body: body)
    let answer = state.withLock { state -> Answer in
      state.asked.append(asked)
      guard let left = state.answers[asked.route], let first = left.first else {
        return Answer(status: 404, body: [], headers: [:])
      }
      if left.count > 1 { state.answers[asked.route]?.removeFirst() }
      return first
    }
    return Reply(
      head: ReplyHead(status: Status(answer.status), headers: answer.headers),
      body: answer.body, address: request.address)
  }

  // MARK: - The adapter in front of it

  func adapter(
    _ settings: [String: String] = [:], as reader: Credentials? = PlayedService.card
  ) throws -> CloudLibraryProvider {
    let begin = date
    let clock = SessionClock(
      now: { [self] in start + .seconds(date.timeIntervalSince(begin)) },
      date: { [self] in date }, sleep: { _ throws(CancellationError) in })
    let session = Session(
      provider: ProviderID("cloudlibrary"), transport: Transport(send: { [self] in answer($0) }),
      clock: clock, chance: { 0 })
    return CloudLibraryProvider(
      settings: try Settings(try Self.library(settings), reader), session: session)
  }

  static func library(_ settings: [String: String] = [:]) throws -> Library {
    Library(
      id: LibraryID("l"), provider: ProviderID("cloudlibrary"), name: "L",
      endpoints: ["partner": try Address("https://partner.yourcloudlibrary.com")],
      settings: ["library_id": "demolib", "account_id": "demo"].merging(settings) { $1 },
      secrets: ["account_key": Secret("demokey")])
  }

  static let card = Credentials(["card": Secret("21234000000001"), "pin": Secret("4321")])

  /// Its end lies behind whatever a test lets pass.
  var call: Call { Call(patron: nil, deadline: .now + .seconds(9_000_000), requestID: "r") }
}

/// The reason of what the work ended with.
func reason(_ work: () async throws -> some Sendable) async -> CirculationError.Reason? {
  do { _ = try await work() } catch { return (error as? CirculationError)?.reason }
  return nil
}

/// Short ways to documents and into the translation.
enum Read {
  static let now = Date(timeIntervalSince1970: 1_772_528_707)

  static func item(_ inside: String, id: String = "abc129") throws -> WireItem {
    try items("<Item><ItemId>\(id)</ItemId>\(inside)</Item>")[0]
  }

  static func items(_ inside: String) throws -> [WireItem] {
    try Documents.items(try answer("<ArrayOfItem>\(inside)</ArrayOfItem>"))
  }

  static func answer(
    _ body: String, status: Int = 200, _ operation: Circulation.Operation = .availability
  ) throws -> Documents.Answer {
    try Documents.success(status: status, body: Array(body.utf8), operation)
  }

  static func shelf(_ inside: String) throws -> Shelf {
    let text = "<PatronCirculation>\(inside)</PatronCirculation>"
    return try Documents.shelf(try answer(text, .shelf))
      .shelf(Terms(renewsByReturn: true), asOf: now)
  }

  static func marc(_ records: String) throws -> WireMARCPage {
    let text =
      "<marc:collection xmlns:marc=\"http://www.loc.gov/MARC21/slim\">\(records)</marc:collection>"
    return try Documents.marc(try answer(text, .harvest))
  }

  /// A record of control and data fields, written `001=id` and `245a=Title`.
  static func record(_ fields: String...) -> String {
    let inside = fields.map { field in
      let cut = field.firstIndex(of: "=") ?? field.endIndex
      let (name, text) = (field[..<cut], field[cut...].dropFirst())
      guard name.count > 3 else {
        return "<marc:controlfield tag=\"\(name)\">\(text)</marc:controlfield>"
      }
      return "<marc:datafield tag=\"\(name.prefix(3))\" ind1=\" \" ind2=\" \"><marc:subfield"
        + " code=\"\(name.suffix(1))\">\(text)</marc:subfield></marc:datafield>"
    }
    return "<marc:record>\(inside.joined())</marc:record>"
  }

  static func error(_ sentence: String) -> String {
    "<Error><Code>Gen-001</Code><Message>\(sentence)</Message></Error>"
  }
}

/// Documents as the service writes them, with nothing in them that a test does not ask for.
enum Written {
  static let emptyShelf =
    "<PatronCirculation><Checkouts/><Holds/><Reserves/></PatronCirculation>"

  static func loan(of item: String, until end: String) -> String {
    "<PatronCirculation><Checkouts><Item><ItemId>\(item)</ItemId>"
      + "<EventEndDateInUTC>\(end)</EventEndDateInUTC></Item></Checkouts></PatronCirculation>"
  }

  static func checkout(_ item: String, due: String?) -> String {
    let date = due.map { "<DueDateInUTC>\($0)</DueDateInUTC>" } ?? ""
    return "<CheckoutResult><ItemId>\(item)</ItemId>\(date)</CheckoutResult>"
  }

  static func items(_ ids: String...) -> String {
    let items = ids.map { id in
      "<Item><ItemId>\(id)</ItemId><Title>T</Title><BookFormat>EPUB</BookFormat>"
        + "<TotalCopies>1</TotalCopies><AvailableCopies>1</AvailableCopies></Item>"
    }
    return "<ArrayOfItem>\(items.joined())</ArrayOfItem>"
  }

  static func check(_ result: String) -> String {
    "<PatronAuthentication><result>\(result)</result></PatronAuthentication>"
  }

  static func events(_ list: (type: String, item: String)...) -> String {
    let events = list.map { event in
      "<CloudLibraryEvent><EventType>\(event.type)</EventType>"
        + "<EventStartDateTimeInUTC>2026-03-03T09:00:00</EventStartDateTimeInUTC>"
        + "<EventEndDateTimeInUTC/><ItemId>\(event.item)</ItemId>"
        + "<PatronId>21234000000009</PatronId></CloudLibraryEvent>"
    }
    return "<LibraryEventBatch><Events>\(events.joined())</Events></LibraryEventBatch>"
  }
}
