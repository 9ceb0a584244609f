import Foundation
import JSON
import Metrics
import Setup
import Testing

@testable import Commands

@Suite struct `What monitoring is given` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  static let files = [
    "config/monitoring/alerts.yaml", "config/monitoring/grafana.json",
  ]

  /// Rewrite it with: carrel metrics -o docs/metrics.md
  @Test func `What monitoring is given: is documented by the table itself`() throws {
    #expect(try text("docs/metrics.md") == Reference.metrics)
  }

  @Test(arguments: MetricTable.all)
  func `What monitoring is given: has names and labels as they are meant to be`(
    _ family: MetricFamily
  ) {
    #expect(family.name.wholeMatch(of: #/carrel_[a-z_]+/#) != nil)
    #expect(family.name.hasSuffix("_total") == (family.kind == .counter))
    #expect(family.help.hasSuffix("."))
    #expect(family.labels.allSatisfy { $0.name.wholeMatch(of: #/[a-z_]+/#) != nil })
    let forbidden = ["patron", "reader", "title", "path", "url", "query", "card", "account"]
    #expect(!family.labels.contains { forbidden.contains($0.name) })
  }

  @Test func `What monitoring is given: has no name twice`() {
    #expect(Set(MetricTable.all.map(\.name)).count == MetricTable.all.count)
  }

  @Test(arguments: files)
  func `What monitoring is given: asks only for what the program exports`(_ file: String) throws {
    let names = try text(file).matches(of: #/carrel_[a-z_]+/#).map { String($0.output) }
    #expect(names.count > 10)
    for name in names { #expect(Self.family(name) != nil, "\(name)") }
  }

  @Test(arguments: files)
  func `What monitoring is given: chooses only by labels that there are`(_ file: String) throws {
    let own = ["instance", "job", "le"]
    for match in try text(file).matches(of: #/(carrel_[a-z_]+)\{([^}]*)\}/#) {
      let known = (Self.family(String(match.1))?.labels.map(\.name) ?? []) + own
      for label in match.2.matches(of: #/([a-z_]+)=/#) {
        #expect(known.contains(String(label.1)), "\(match.0)")
      }
    }
  }

  @Test func `What monitoring is given: shows every metric on the dashboard or watches it`() throws
  {
    let all = try Self.files.map(text).joined()
    for family in MetricTable.all { #expect(all.contains(family.name), "\(family.name)") }
  }

  @Test func `What monitoring is given: says of each alert how bad it is and what to try`() throws {
    let rules = try text("config/monitoring/alerts.yaml").split(separator: "- alert: ").dropFirst()
    #expect(rules.count > 8)
    for rule in rules {
      for part in ["expr:", "severity: ", "summary: ", "try: "] {
        #expect(rule.contains(part), "\(rule.prefix { $0 != "\n" }) has no \(part)")
      }
      #expect(rule.contains("severity: page") || rule.contains("severity: ticket"))
    }
  }

  @Test func `What monitoring is given: has a dashboard whose panels do not lie over one another`()
    throws
  {
    let board = try JSONValue(parsing: try text("config/monitoring/grafana.json"))
    var taken: Set<[Int]> = []
    for panel in board["panels"]?.array ?? [] {
      let place = ["x", "y", "w", "h"].compactMap { panel["gridPos"]?[$0]?.integer }
      try #require(place.count == 4 && place[0] + place[2] <= 24)
      for x in place[0]..<place[0] + place[2] {
        for y in place[1]..<place[1] + place[3] { #expect(taken.insert([x, y]).inserted) }
      }
      #expect(panel["targets"]?.array?.isEmpty == false)
    }
    #expect(taken.count > 1000)
  }

  private static func family(_ name: String) -> MetricFamily? {
    MetricTable.all.first { family in
      family.name == name
        || family.kind == .histogram
          && ["_bucket", "_sum", "_count"].contains { family.name + $0 == name }
    }
  }
}
