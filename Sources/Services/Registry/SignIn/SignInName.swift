package import Circulation
package import Secrets

/// A card number as it was typed, and the library that it is of. Everything that a patron types as a
/// name is read here: `21234000000018`, or `town/21234000000018` where more than one library may know
/// the number.
package struct SignInName: Sendable {
  /// Without the library.
  let card: CardNumber
  /// What rows were made from before some spellings became one. Such a row lets in those who type the
  /// number as they did then, until the card is linked or signs in anew.
  let earlier: Secret?
  /// Nil where it may be of any.
  package let library: LibraryID?

  /// Only a library whose cards sign in here is one: any other text before a slash is part of the
  /// number. `named` was chosen beside the number, and counts more than what stands before it.
  package init(
    _ typed: Secret, at named: LibraryID? = nil, among libraries: some Collection<LibraryID>
  ) {
    let only = libraries.count == 1 ? libraries.first : nil
    let split = Self.split(CardNumber(typed).asked, libraries)
    card = CardNumber(split.number)
    earlier = CardNumber.earlier(Self.split(typed, libraries).number)
    library = named ?? split.library ?? only
  }

  /// What the card may be found by.
  var numbers: [Secret] {
    card.plain.isEmpty ? [] : [card.plain] + (earlier.map { [$0] } ?? [])
  }

  private static func split(
    _ typed: Secret, _ libraries: some Collection<LibraryID>
  ) -> (number: Secret, library: LibraryID?) {
    typed.revealText { text in
      guard let slash = text.firstIndex(of: "/") else { return (typed, nil) }
      let word = text[..<slash].filter { !$0.isWhitespace }
      // Telephones begin a word with a capital letter.
      let library =
        libraries.first { $0.rawValue == word }
        ?? libraries.first { $0.rawValue.lowercased() == word.lowercased() }
      guard let library else { return (typed, nil) }
      return (Secret(String(text[text.index(after: slash)...])), library)
    }
  }
}
