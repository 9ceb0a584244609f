import Circulation
import Database
import Downloads
import HTTP
import HTTPServer
import Machine
import Metrics
import ProviderKit
import Schedule
import Synchronization

/// Counts what the gateway does while it does it. Every key comes from a closed set: a pattern of a
/// route, a kind of service, a kind of work.
final class Meter: Sendable {
  struct Served: Sendable, Hashable {
    let route: String
    let method: String
    let status: Int
  }

  struct Asked: Sendable, Hashable {
    let provider: String
    let operation: String
    let outcome: String
  }

  struct Question: Sendable, Hashable {
    let provider: String
    let operation: String
  }

  struct Worked: Sendable, Hashable {
    let kind: String
    let outcome: String
  }

  static let requestBounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]
  static let providerBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

  let served = Histogram<Served>(bounds: requestBounds)
  let inFlight = Atomic<Int>(0)
  let asked = Tally<Asked>()
  let answered = Histogram<Question>(bounds: providerBounds)
  let worked = Tally<Worked>(
    DueWork.all.flatMap { work in
      ["done", "failed"].map { Worked(kind: work.kind.rawValue, outcome: $0) }
    })
  let scans = Tally<String>(["clean", "found", "unexamined"])
  let slowStatements = Atomic<Int>(0)
  let started = Time.system.now()

  // MARK: - Requests

  func note(_ record: AccessRecord) {
    var route = record.route ?? "unmatched"
    if case .refused = record.outcome { route = "refused" }
    served.observe(
      record.duration,
      Served(
        route: route, method: Self.word(for: record.head?.method), status: record.status.code))
  }

  private static func word(for method: Method?) -> String {
    switch method {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    default: "other"
    }
  }

  /// Counts what takes longer than the blink of a loop; what lies ready is never in flight.
  func counting(_ handler: Handler) -> Handler {
    handler.answering { [self] request in
      switch handler.answer(request) {
      case .now(let response): return .now(response)
      case .later(let rest):
        return .later { [self] in
          inFlight.add(1, ordering: .relaxed)
          defer { inFlight.subtract(1, ordering: .relaxed) }
          return await rest()
        }
      }
    }
  }

  // MARK: - Providers

  func note(_ entry: JournalEntry, of provider: ProviderID) {
    let operation = Circulation.Operation(rawValue: entry.operation)?.rawValue ?? "other"
    let outcome = Self.outcome(entry.result)
    asked.add(Asked(provider: provider.rawValue, operation: operation, outcome: outcome))
    answered.observe(entry.took, Question(provider: provider.rawValue, operation: operation))
  }

  static let outcomes = [
    "ok", "refused", "busy", "failed", "timeout", "unreachable", "insecure", "cancelled", "other",
  ]

  static func outcome(_ result: JournalEntry.Result) -> String {
    switch result {
    case .status(429), .status(503): "busy"
    case .status(400..<500): "refused"
    case .status(500...): "failed"
    case .status: "ok"
    case .fault("timedOut"), .fault("deadlineExceeded"): "timeout"
    case .fault("cannotResolve"), .fault("cannotConnect"), .fault("connectionLost"),
      .fault("proxyRefused"):
      "unreachable"
    case .fault("tls"): "insecure"
    case .fault("cancelled"), .fault("stopped"), .fault("stoppedBySink"): "cancelled"
    case .fault: "other"
    }
  }

  // MARK: - Work

  func note(_ event: WorkEvent) {
    guard case .ended(let job, let outcome) = event else { return }
    worked.add(Worked(kind: job.kind.rawValue, outcome: outcome.word))
  }

  func note(_ sighting: Sentry.Sighting) {
    switch sighting {
    case .clean: scans.add("clean")
    case .found: scans.add("found")
    case .unexamined: scans.add("unexamined")
    }
  }

  func noteSlow() { slowStatements.add(1, ordering: .relaxed) }
}
