import Circulation
package import Items
import Matching
package import Setup

extension LinkedEngine {
  package func match(_ order: MatchOrder, at seat: Seat) async throws(ErrorItem) -> [MatchItem] {
    order.pairs.map { pair in
      let verdict = Matcher.verdict(Candidate(pair.one), Candidate(pair.two))
      return MatchItem(
        id: pair.id, verdict: verdict.verdict.rawValue, score: verdict.score, why: verdict.why)
    }
  }
}

extension Candidate {
  init(_ side: MatchOrder.Side) {
    self.init(title: side.title, subtitle: side.subtitle, authors: side.authors)
    year = side.year
    languages = side.languages
    isbns = side.isbns.compactMap { ISBN(listed: $0) }
    identifiers = side.identifiers.compactMap { text in
      guard let colon = text.firstIndex(of: ":") else { return nil }
      return ForeignIdentifier(
        scheme: text[..<colon].lowercased(), value: String(text[text.index(after: colon)...]))
    }
    medium = side.medium.flatMap { Medium(rawValue: $0.lowercased()) }
    series = side.series.map(Self.series)
  }

  /// `Dune #2`, `Dune, 2`, `Dune`.
  private static func series(_ text: String) -> Series {
    var parts = text.split(whereSeparator: { " #,;".contains($0) })
    guard parts.count > 1, let position = parts.last.flatMap({ Double($0) }) else {
      return Series(name: text)
    }
    parts.removeLast()
    return Series(name: parts.joined(separator: " "), position: position)
  }
}
