import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit
import Secrets
import Synchronization

@testable import Axis360

/// A service of prepared answers, and a note of all it was asked. What nothing was prepared for is
/// answered with an internal error, as the real one does.
final class PlayedService: Sendable {
  struct Asked: Sendable {
    /// Method and path below the interface's own.
    let route: String
    let target: String
    let query: FormFields
    let headers: Headers
    let body: [UInt8]
  }

  private struct Answer {
    let status: Int
    let body: String
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var asked: [Asked] = []
    var date = Date(timeIntervalSince1970: 1_767_225_600)
  }

  private let state = Mutex(State())
  private let start = ContinuousClock.now

  /// A token is there from the start.
  init() {
    on(
      "POST accesstoken",
      #"{"access_token":"token","expires_in":600,"token_type":"Bearer"}"#)
  }

  /// The next answer on this route; the last one stays.
  func on(_ route: String, status: Int = 200, _ body: String) {
    state.withLock {
      $0.answers[route, default: []].append(Answer(status: status, body: body))
    }
  }

  func asked(_ route: String) -> [Asked] {
    state.withLock { $0.asked }.filter { $0.route == route }
  }

  var routes: [String] { state.withLock { $0.asked.map(\.route) } }

  func pass(_ seconds: Double) { state.withLock { $0.date.addTimeInterval(seconds) } }

  private func answer(_ request: HTTPClient.Request) -> Reply {
    var body: [UInt8] = []
    if case .bytes(let bytes) = request.body { body = bytes }
    let path = request.address.path.replacing("/Services/VendorAPI/", with: "")
    let asked = Asked(
      route: "\(request.method.rawValue) \(path)", target: request.address.target,
      query: FormFields(parsing: request.address.query ?? ""), headers: request.headers,
      body: body)
    let answer = state.withLock { state -> Answer in
      state.asked.append(asked)
      guard let left = state.answers[asked.route], let first = left.first else {
        return Answer(status: 500, body: Wire.status("5000", "Internal Server Error"))
      }
      if left.count > 1 { state.answers[asked.route]?.removeFirst() }
      return first
    }
    return Reply(
      head: ReplyHead(status: Status(answer.status), headers: [:]),
      body: Array(answer.body.utf8), address: request.address)
  }

  // MARK: - The adapter in front of it

  /// The date, and with it the clock that tokens end by, moves by `pass` alone.
  func session() -> Session {
    let begin = state.withLock { $0.date }
    let clock = SessionClock(
      now: { [self] in
        start + .seconds(state.withLock { $0.date.timeIntervalSince(begin) })
      }, date: { [self] in state.withLock { $0.date } },
      sleep: { _ throws(CancellationError) in })
    return Session(
      provider: ProviderID("axis360"), transport: Transport(send: { [self] in answer($0) }),
      clock: clock, chance: { 0 })
  }

  static func library(
    username: String = "carrel", password: String = "s3cret", library: String = "demo"
  ) throws -> Library {
    Library(
      id: LibraryID("l"), provider: ProviderID("axis360"), name: "L",
      endpoints: ["api": try Address("https://axis.example/Services/VendorAPI/")],
      settings: ["library_id": library],
      secrets: ["username": Secret(username), "password": Secret(password)])
  }

  static let card = "21234000000001"
  static let reader = Credentials(["card": Secret(card), "email": Secret("ada@example.org")])

  func adapter(as reader: Credentials? = PlayedService.reader, over session: Session? = nil) throws
    -> Axis360Provider
  {
    Axis360Provider(
      settings: try Settings(try Self.library(), reader), session: session ?? self.session())
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(9_000_000), requestID: "r") }
}

/// The reason of what the work ended with.
func reason(_ work: () async throws -> some Sendable) async -> CirculationError.Reason? {
  do { _ = try await work() } catch { return (error as? CirculationError)?.reason }
  return nil
}

/// Documents as the service writes them.
enum Wire {
  static let one = ItemID("0003642860")
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  static func verdict(_ code: String, _ message: String? = nil) -> String {
    "<status><code>\(code)</code>\(message.map { "<statusMessage>\($0)</statusMessage>" } ?? "")"
      + "</status>"
  }

  static func document(_ root: String, _ inner: String) -> String {
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
      + "<\(root) xmlns=\"http://axis360api.baker-taylor.com/vendorAPI\""
      + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\(inner)</\(root)>"
  }

  static func status(_ code: String, _ message: String? = nil) -> String {
    document("availabilityResponse", verdict(code, message))
  }

  static func titles(_ titles: String...) -> String {
    document("availabilityResponse", titles.joined() + verdict("0000", "Fine."))
  }

  static func title(
    _ availability: String, id: String = one.rawValue, _ more: String = ""
  ) -> String {
    "<title xsi:type=\"Axis360AvailCirculation\"><titleId>\(id)</titleId>\(more)"
      + "<availability>\(availability)</availability></title>"
  }

  static func loan(
    _ format: String = "ePub", until: String = "1/22/2026 5:40:00 PM +00:00", more: String = ""
  ) -> String {
    title(
      "<isCheckedout>true</isCheckedout><checkoutFormat>\(format)</checkoutFormat>"
        + "<checkoutEndDate>\(until)</checkoutEndDate>\(more)")
  }

  static func result(_ root: String, _ result: String, _ inner: String) -> String {
    document(root, "<\(result) xsi:type=\"X\">\(inner)</\(result)>")
  }

  static func checkout(_ inner: String) -> String {
    result("checkoutResponse", "checkoutResult", inner)
  }

  static let nothing = status("0000", "There are no titles matching your request")
}

/// Short ways into the reading.
enum Read {
  static func decode(
    _ kind: String, _ body: String, _ status: Int = 200, during: Circulation.Operation? = nil
  ) -> Decoded {
    Decoding.decode(kind, status, during, Array(body.utf8), Wire.now)
  }

  static func edition(_ body: String) -> Edition? {
    if case .edition(let edition) = decode("edition", body) { edition } else { nil }
  }

  static func shelf(_ titles: String...) -> Shelf? {
    let body = Wire.document("availabilityResponse", titles.joined() + Wire.verdict("0000"))
    if case .shelf(let shelf) = decode("shelf", body) { return shelf }
    return nil
  }

  static func failure(_ decoded: Decoded) -> CirculationError? {
    if case .failure(let error) = decoded { error } else { nil }
  }

  static func availability(_ inner: String) -> Availability? {
    guard
      case .availability(let found) = decode(
        "availability", Wire.titles(Wire.title(inner)))
    else { return nil }
    return found[Wire.one]
  }
}
