import Phrasebook

/// A guess at a wait. Lenders name places in a queue, never days: how long the others keep the book
/// is a guess, so it is given as a span, with what it is made of.
package struct Wait: Sendable, Hashable {
  package let lowDays: Int
  package let highDays: Int
  package let basis: String

  /// How long a copy stays out. Readers return e-books early or not at all.
  package struct Period: Sendable, Hashable {
    package let low: Int
    package let high: Int

    package static let usual = Period(low: 9, high: 21)

    /// Where the library's own term is known. Many are back before half of it is over.
    package init(term: Int) {
      high = max(1, term)
      low = max(1, high * 3 / 7)
    }

    private init(low: Int, high: Int) { (self.low, self.high) = (low, high) }
  }

  /// `behind` is how many readers come first; nil copies count as one. What was seen of the queue
  /// counts for more than what loans usually take.
  package init(
    behind: Int, copies: Int?, period: Period = .usual, movement: Movement? = nil
  ) {
    let copies = max(1, copies ?? 1)
    let ahead = max(0, behind)
    let readers =
      ahead == 0
      ? said("nobody", "before a reader")
      : counted(ahead, one: "\(ahead) reader", many: "\(ahead) readers")
    let stock = counted(copies, one: "\(copies) copy", many: "\(copies) copies")
    // The copy that comes back next has been out for a while already.
    let low = ahead / copies * period.low
    let high = (ahead / copies + 1) * period.high
    guard let movement, movement.isTelling, ahead > 0 else {
      (lowDays, highDays) = (low, high)
      basis = said(
        "\(readers) before you, \(stock), loans of \(period.low) to \(period.high) days")
      return
    }
    let expected = Double(ahead) * movement.days / Double(movement.served)
    lowDays = Int((expected * 0.7).rounded(.down))
    // Newcomers hide some of those who were served: it moves at least as fast as was seen.
    highDays = max(lowDays + 1, Int((expected * 1.3).rounded(.up)))
    let days = Int(movement.days.rounded())
    basis = said("\(readers) before you, \(stock), \(movement.served) served in \(days) days")
  }
}

/// How a queue moved while it was watched.
package struct Movement: Sendable, Hashable {
  /// How many readers left it at least. Those who joined in the meantime hide others.
  package let served: Int
  package let days: Double

  /// Lengths of the queue by time in seconds, in any order.
  package init(_ seen: [(second: Double, holds: Int)]) {
    let ordered = seen.sorted { $0.second < $1.second }
    served = zip(ordered, ordered.dropFirst()).reduce(0) { $0 + max(0, $1.0.holds - $1.1.holds) }
    days = ((ordered.last?.second ?? 0) - (ordered.first?.second ?? 0)) / 86_400
  }

  /// A few days and a few readers are chance.
  package var isTelling: Bool { served >= 3 && days >= 4 }
}
