/// The text that Prometheus reads, version 0.0.4: for each family its help, its type and its numbers.
package struct Exposition: Sendable {
  package static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  package private(set) var text = ""

  package init() { text.reserveCapacity(16 << 10) }

  /// A family without numbers is left out: there is nothing to say of it yet.
  package mutating func add(_ family: MetricFamily, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    open(family)
    for sample in samples.sorted(by: { $0.labels.lexicographicallyPrecedes($1.labels) }) {
      line(family.name, Self.pairs(family, sample.labels), sample.value)
    }
  }

  package mutating func add<Key>(
    _ family: MetricFamily, _ histogram: Histogram<Key>, labels: (Key) -> [String]
  ) {
    let all = histogram.all.map { (labels: labels($0.key), cells: $0.value) }
      .sorted { $0.labels.lexicographicallyPrecedes($1.labels) }
    guard !all.isEmpty else { return }
    open(family)
    for one in all {
      let own = Self.pairs(family, one.labels)
      var seen = 0
      for (bound, count) in zip(histogram.bounds, one.cells.counts) {
        seen += count
        line(family.name + "_bucket", own + [("le", Self.number(bound))], Double(seen))
      }
      line(family.name + "_bucket", own + [("le", "+Inf")], Double(one.cells.count))
      line(family.name + "_sum", own, one.cells.sum)
      line(family.name + "_count", own, Double(one.cells.count))
    }
  }

  private mutating func open(_ family: MetricFamily) {
    text += "# HELP \(family.name) \(Self.escaped(family.help))\n"
    text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
  }

  private mutating func line(_ name: String, _ pairs: [(String, String)], _ value: Double) {
    text += name
    if !pairs.isEmpty {
      let written = pairs.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }
      text += "{\(written.joined(separator: ","))}"
    }
    text += " \(Self.number(value))\n"
  }

  private static func pairs(_ family: MetricFamily, _ values: [String]) -> [(String, String)] {
    zip(family.labels, values).map { ($0.name, $1) }
  }

  private static func escaped(_ text: String, quotes: Bool = false) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\"" where quotes: out += "\\\""
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// As Go reads it. Whole numbers have no point, since most of them are counts.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
    return "\(value)"
  }
}
