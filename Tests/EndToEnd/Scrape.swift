import HTTP
import HTTPClient
import JourneySupport
import Metrics
import Setup
import TestSupport
import Testing

/// Reads /metrics as monitoring does, and holds it to the rules of its format.
struct Scrape {
  private let address: String
  private let client: Client

  /// Where the gateway says that it listens for monitoring.
  init(_ gateway: RunningGateway) async throws {
    client = gateway.client
    let found = gateway.log.firstMatch(of: #/http://127\.0\.0\.1:[0-9]+/metrics/#)
    address = String(try #require(found).output)
  }

  func text() async throws -> String {
    let reply = try await client.send(HTTPClient.Request(.get, try Address(address)))
    #expect(reply.status == .ok)
    #expect(reply.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
    return String(decoding: reply.body, as: UTF8.self)
  }

  /// What is wrong with a scrape: lines out of order or of another form, metrics and labels that the
  /// table does not have, boxes that shrink.
  static func faults(in text: String) -> [String] {
    var faults: [String] = []
    var family: MetricFamily?
    var seen: Set<String> = []
    var lastBox: (of: String, count: Double) = ("", 0)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("# HELP ") {
        family = MetricTable.all.first { line == "# HELP \($0.name) \($0.help)" }
        if family.map({ seen.insert($0.name).inserted }) != true { faults.append("\(line)") }
        continue
      }
      guard let family else {
        faults.append("\(line)")
        continue
      }
      if line.hasPrefix("#") {
        if line != "# TYPE \(family.name) \(family.kind.rawValue)" { faults.append("\(line)") }
        continue
      }
      guard
        let match = line.wholeMatch(
          of: #/([a-z_]+?)(_bucket|_sum|_count)?(\{(.*)\})? (\+Inf|[0-9.e+-]+)/#),
        String(match.1) + (family.kind == .histogram ? "" : String(match.2 ?? "")) == family.name,
        let value = Double(match.5)
      else {
        faults.append("\(line)")
        continue
      }
      let labels = (match.4 ?? "").matches(of: #/([a-z]+)="((?:[^"\\]|\\.)*)"/#)
      let names = labels.map { String($0.1) }.filter { $0 != "le" }
      if names != family.labels.map(\.name) { faults.append("\(line)") }
      if match.2 == "_bucket" {
        let own = Self.withoutBox(line)
        if own == lastBox.of, value < lastBox.count { faults.append("\(line) shrinks") }
        lastBox = (own, value)
      }
    }
    if !text.hasSuffix("\n") { faults.append("no line end") }
    return faults
  }

  private static func withoutBox(_ line: Substring) -> String {
    String(line.replacing(#/,?le="[^"]*"/#, with: "").prefix { $0 != " " })
  }
}
