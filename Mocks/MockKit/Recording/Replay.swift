import HTTP
import HTTPServer
package import JSON
import Synchronization

/// Answers from a recording. A question that was asked several times is answered in the same order,
/// and with the last answer from then on.
package final class Replay: Sendable {
  package enum Match: String, Sendable, CaseIterable {
    /// Method, path, query and body.
    case strict
    /// Method and path; of several the nearest.
    case loose
  }
  package enum Timing: String, Sendable, CaseIterable { case kept, dropped }

  let match: Match
  private let timing: Timing
  private let exchanges: [RecordedExchange]
  private let used: Mutex<Set<Int>>

  package init(_ lines: [UInt8], match: Match, timing: Timing) throws(AdminRefusal) {
    var exchanges: [RecordedExchange] = []
    for (place, line) in lines.split(separator: 0x0A).enumerated() {
      guard let value = try? JSONValue(parsing: Array(line)) else {
        throw AdminRefusal("line \(place + 1) of the recording is no JSON")
      }
      do throws(AdminRefusal) {
        exchanges.append(try RecordedExchange(reading: value))
      } catch { throw AdminRefusal("line \(place + 1) of the recording: \(error)") }
    }
    (self.exchanges, self.match, self.timing) = (exchanges, match, timing)
    used = Mutex([])
  }

  package var count: Int { exchanges.count }

  /// From the first answer again.
  package func rewind() { used.withLock { $0 = [] } }

  /// The recorded answer and what it took; without one, what came nearest.
  func answer(_ request: MockRequest) -> (response: Response, milliseconds: Int)? {
    let judged = exchanges.indices.map { ($0, Likeness(of: request, to: exchanges[$0])) }
    let fitting = judged.filter { $0.1.fits(match) }
    let chosen = used.withLock { used -> Int? in
      // In strict replays the first that has not been used, else the last; the nearest comes first.
      let best = fitting.map(\.1.distance).min()
      let near = fitting.filter { $0.1.distance == best }.map(\.0)
      let index = near.first { !used.contains($0) } ?? near.last
      if let index { used.insert(index) }
      return index
    }
    guard let chosen else { return nil }
    let exchange = exchanges[chosen]
    let base = Array(RecordedExchange.base.utf8)
    var response = Response(
      Status(exchange.status),
      body: .bytes(exchange.body.replacing(base, with: Array(request.base.utf8))))
    for field in exchange.headers.fields {
      response.headers.add(
        field.name, field.value.replacing(RecordedExchange.base, with: request.base))
    }
    return (response, timing == .kept ? exchange.milliseconds : 0)
  }

  /// What was recorded and comes nearest, with the differences.
  func nearMisses(of request: MockRequest, most: Int = 3) -> [JSONValue] {
    exchanges.map { ($0, Likeness(of: request, to: $0)) }
      .sorted { $0.1.distance < $1.1.distance }.prefix(most)
      .map { exchange, likeness in
        [
          "recorded": ["method": .string(exchange.method), "target": .string(exchange.target)],
          "differences": .array(likeness.differences.map(\.json)),
        ]
      }
  }
}
