package import MockKit

/// A library of paper as all of its faces see it: copies at branches, each in its state, made from
/// what the lending library counts. A value; whoever changes something changes the world and looks
/// again.
package struct PaperLibrary: Sendable {
  package struct Branch: Sendable, Hashable {
    package let code: String
    package let name: String
    package let address: String
    /// Whether books can be fetched there.
    package let isPickup: Bool
  }

  /// One of a title's copies, and where it is.
  package struct Copy: Sendable, Hashable {
    package enum State: Sendable, Hashable {
      case free
      case out(MockKit.Loan)
      /// On the shelf of holds.
      case aside(MockKit.Hold)
      case inTransit(MockKit.Hold)
      case odd(OddCopy.State)
    }

    package let title: Title
    /// The system's own number of the copy.
    package let number: Int
    package let home: Branch
    package let state: State

    package var barcode: String {
      let digits = String(number)
      return "39" + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
    }

    package var callNumber: String {
      "FIC " + (title.authors.first?.split(separator: " ").last ?? "ANON").uppercased()
    }

    /// Where it is, or was seen last.
    package var place: Branch {
      guard case .aside(let hold) = state else { return home }
      return PaperLibrary.branches.first { $0.code == hold.pickup } ?? home
    }
  }

  package let library: MockLibrary
  package let now: Moment

  package init(_ library: MockLibrary, at now: Moment) { (self.library, self.now) = (library, now) }

  package var lending: LendingLibrary { library.lending }

  /// The last one has no desk: nothing can be fetched there.
  package static let branches = [
    Branch(
      code: "CPL", name: "Central Library", address: "1 Library Square", isPickup: true),
    Branch(code: "MTH", name: "Mott Haven", address: "321 East 140th Street", isPickup: true),
    Branch(code: "HLS", name: "Hillside Book Stop", address: "Platform 2", isPickup: false),
  ]

  // MARK: - Titles and copies

  /// The number of a title's record. Titles here are named by numbers; another name gets one.
  package static func number(of title: String) -> Int { Int(title) ?? 1_000_000 + sum(title) }

  package func title(numbered number: Int) -> Title? {
    lending.titles[String(number)]
      ?? lending.titles.values.first { Self.number(of: $0.id) == number }
  }

  /// All of a title's copies, those that are counted first. A title that has left the catalogue has
  /// those that are out.
  package func copies(of id: String) -> [Copy] {
    let title =
      lending.titles[id]
      ?? Title(id: id, name: "Withdrawn", authors: [], copies: .counted(0), added: now)
    let loans = lending.loans.filter { $0.title == id }
    let holds = lending.holds.filter { $0.title == id && $0.copy != nil }
    var count = 0
    if case .counted(let owned) = title.copies { count = owned }
    count = max(count, (loans.map(\.copy).max() ?? -1) + 1)
    let counted = (0..<count).map { index -> Copy in
      if let loan = loans.first(where: { $0.copy == index }) {
        return copy(index, of: title, .out(loan))
      }
      if let hold = holds.first(where: { $0.copy == index }) {
        return copy(index, of: title, hold.isReady ? .aside(hold) : .inTransit(hold))
      }
      return copy(index, of: title, .free)
    }
    return counted
      + title.oddCopies.enumerated().map { copy(count + $0, of: title, .odd($1.state)) }
  }

  private func copy(_ index: Int, of title: Title, _ state: Copy.State) -> Copy {
    let number = Self.number(of: title.id)
    return Copy(
      title: title, number: number * 100 + index,
      home: Self.branches[(number + index) % Self.branches.count], state: state)
  }

  package func copy(numbered number: Int) -> Copy? {
    let titles = Set(lending.titles.keys).union(lending.loans.map(\.title))
    guard let title = titles.first(where: { Self.number(of: $0) == number / 100 }) else {
      return nil
    }
    return copies(of: title).first { $0.number == number }
  }

  package func copy(withBarcode barcode: String) -> Copy? {
    guard barcode.hasPrefix("39"), let number = Int(barcode.dropFirst(2)) else { return nil }
    return copy(numbered: number)
  }

  /// The copy that a loan is of.
  package func copy(of loan: MockKit.Loan) -> Copy? {
    copies(of: loan.title).first { $0.state == .out(loan) }
  }

  // MARK: - Readers

  package static func number(ofCard card: String) -> Int { 10_000 + sum(card) }

  package func patron(numbered number: Int) -> Patron? {
    lending.patrons.values.first { Self.number(ofCard: $0.card) == number }
  }

  /// The same for the same text, and hardly ever for another.
  private static func sum(_ text: String) -> Int {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(sum % 899_999_983)
  }
}

extension Patron {
  /// In hundredths; whoever is blocked for it owes something.
  package var owed: Int64 { block == .fines ? max(owes, 12_50) : owes }

  package var isLost: Bool { block == .lost }
  package var isBarred: Bool { block == .barred }
}
