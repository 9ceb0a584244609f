import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit
import Synchronization

@testable import HathiTrust

/// A service of prepared answers, and a note of the questions it was asked.
final class PlayedService: Sendable {
  private struct State {
    var answers: [@Sendable ([String]) -> (Int, String)] = []
    var asked: [[String]] = []
    var details: [String] = []
  }

  private let state = Mutex(State())

  /// The next answer, made of the specs that are asked; the last one stays.
  func on(_ answer: @escaping @Sendable (_ specs: [String]) -> (Int, String)) {
    state.withLock { $0.answers.append(answer) }
  }

  func on(_ body: String, status: Int = 200) { on { _ in (status, body) } }

  /// The specs of each question.
  var asked: [[String]] { state.withLock { $0.asked } }
  var details: [String] { state.withLock { $0.details } }

  private func answer(_ request: HTTPClient.Request) -> Reply {
    let segments = request.address.path.split(separator: "/").map {
      PercentCoding.decode(String($0)) ?? String($0)
    }
    let specs = segments.last?.split(separator: "|").map(String.init) ?? []
    let (status, body) = state.withLock { state -> (Int, String) in
      state.asked.append(specs)
      state.details.append(segments.count > 2 ? segments[2] : "")
      guard let first = state.answers.first else { return (500, "") }
      if state.answers.count > 1 { state.answers.removeFirst() }
      return first(specs)
    }
    return Reply(
      head: ReplyHead(status: Status(status), headers: [:]), body: Array(body.utf8),
      address: request.address)
  }

  func adapter(country: String? = "us") throws -> HathiTrustProvider {
    let clock = SessionClock(
      now: { .now }, date: { Wire.now }, sleep: { _ throws(CancellationError) in })
    let session = Session(
      provider: ProviderID("hathitrust"), transport: Transport(send: { [self] in answer($0) }),
      clock: clock, chance: { 0 })
    let library = Library(
      id: LibraryID("l"), provider: ProviderID("hathitrust"), name: "L",
      endpoints: ["catalog": try Address("https://catalog.example")],
      settings: country.map { ["country": $0] } ?? [:])
    return HathiTrustProvider(settings: try Settings(library), session: session)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(60), requestID: "r") }
}

/// Answers as the service writes them, about books that nobody wrote.
enum Wire {
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  static func volume(
    _ rights: String, of record: String = "000000042", part: String = "false",
    id: String = "mdp.39015000000042", says: String = "Limited (search-only)"
  ) -> String {
    """
    {"orig":"Somewhere","fromRecord":"\(record)","htid":"\(id)",
     "itemURL":"https://babel.example/cgi/pt?id=\(id)","rightsCode":"\(rights)",
     "lastUpdate":"00000000","enumcron":\(part),"usRightsString":"\(says)"}
    """
  }

  static func record(
    _ number: String = "000000042", title: String = "The tin harbour / by Odile Marsh.",
    isbns: [String] = [], oclcs: [String] = [], lccns: [String] = [], marc: String? = nil
  ) -> String {
    func list(_ texts: [String]) -> String {
      "[" + texts.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }
    let full = marc.map { ",\"marc-xml\":\"\($0.replacing("\"", with: "\\\""))\"" } ?? ""
    return """
      "\(number)":{"recordURL":"https://catalog.example/Record/\(number)","titles":["\(title)"],
      "isbns":\(list(isbns)),"issns":[],"oclcs":\(list(oclcs)),"lccns":\(list(lccns)),
      "publishDates":["1911"]\(full)}
      """
  }

  static func book(_ records: [String], _ volumes: [String]) -> String {
    "{\"records\":{\(records.joined(separator: ","))},\"items\":[\(volumes.joined(separator: ","))]}"
  }

  static func many(_ books: [String]) -> String {
    let labelled = books.enumerated().map { "\"w\($0)\":\($1)" }
    return "{\(labelled.joined(separator: ","))}"
  }

  static let nothing = #"{"records":[],"items":[]}"#

  static func decode(
    _ kind: String, _ body: String, _ status: Int = 200, during: Circulation.Operation? = nil
  ) -> Decoded {
    Decoding.decode(kind, status, during, Array(body.utf8), now)
  }

  static func edition(_ body: String) -> Edition? {
    if case .edition(let edition) = decode("edition", body) { edition } else { nil }
  }

  static func reason(_ decoded: Decoded) -> CirculationError.Reason? {
    if case .failure(let error) = decoded { error.reason } else { nil }
  }
}
