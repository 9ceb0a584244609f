/// A state of affairs with a name. Written without any vendor's words: each dialect furnishes its
/// libraries first, then the scenario arranges what is out, who waits and what goes wrong.
package struct Scenario: Sendable {
  package let name: String
  /// One line, for the list.
  package let summary: String
  package var titles = 24
  /// How many books a reader keeps on lists where a service is about lists.
  package var listed = 12
  package var cards: [Patron] = Scenario.threeReaders
  package var faults: [Fault] = []
  /// Borrows, queues and empties shelves; called for every library, with its cards and titles in.
  package var arrange: @Sendable (inout LendingLibrary, Moment) -> Void = { _, _ in }

  package init(_ name: String, _ summary: String) { (self.name, self.summary) = (name, summary) }

  /// The demonstration cards. Numbers look like library cards, and no library has them.
  package static let threeReaders: [Patron] = [
    reader("23000000000001", "1111", "Ada Fairweather", "ada@example.org"),
    reader("23000000000002", "2222", "Bruno Lindqvist", nil),
    reader("23000000000003", "3333", "Chinua Rowe", "chinua@example.org"),
  ]

  private static func reader(_ card: String, _ pin: String, _ name: String, _ email: String?)
    -> Patron
  {
    var patron = Patron(card: card, pin: pin, name: name)
    patron.email = email
    return patron
  }

  /// People who have and want what the demonstration cards would like; they have no PIN to sign in
  /// with.
  package static func crowd(_ count: Int, into library: inout LendingLibrary) -> [String] {
    (0..<count).map { number in
      let card = "crowd-\(number)"
      library.add(Patron(card: card, pin: "", name: "Reader \(number)"))
      return card
    }
  }
}
