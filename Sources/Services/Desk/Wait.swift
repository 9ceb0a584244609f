/// A guess at a wait. Lenders name places in a queue, never days: how long the others keep the book
/// is a guess, so it is given as a span, with what it is made of.
package struct Wait: Sendable, Hashable {
  package let lowDays: Int
  package let highDays: Int
  package let basis: String

  /// How long a copy stays out. Readers return e-books early or not at all.
  private static let period = (low: 9, high: 21)

  /// `behind` is how many readers come first; nil copies count as one.
  package init(behind: Int, copies: Int?) {
    let copies = max(1, copies ?? 1)
    let ahead = max(0, behind)
    // The copy that comes back next has been out for a while already.
    lowDays = ahead / copies * Self.period.low
    highDays = (ahead / copies + 1) * Self.period.high
    let readers = ahead == 1 ? "1 reader" : "\(ahead) readers"
    let stock = copies == 1 ? "1 copy" : "\(copies) copies"
    basis =
      "\(readers) before you, \(stock), loans of \(Self.period.low) to \(Self.period.high) days"
  }
}
