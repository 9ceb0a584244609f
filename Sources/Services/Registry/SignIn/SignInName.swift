package import Circulation
package import Secrets

/// A card number as it was typed, and the library that it is of. Everything that a patron types as a
/// name is read here: `21234000000018`, or `town/21234000000018` where more than one library may know
/// the number.
package struct SignInName: Sendable {
  /// As it was typed, without the library.
  package let number: Secret
  /// Nil where it may be of any.
  package let library: LibraryID?

  /// Only a library whose cards sign in here is one: any other text before a slash is part of the
  /// number. `named` was chosen beside the number, and counts more than what stands before it.
  package init(
    _ typed: Secret, at named: LibraryID? = nil, among libraries: some Collection<LibraryID>
  ) {
    let only = libraries.count == 1 ? libraries.first : nil
    let split = typed.revealText { text -> (LibraryID, Secret)? in
      guard let slash = text.firstIndex(of: "/") else { return nil }
      let word = text[..<slash].filter { !$0.isWhitespace }
      // Telephones begin a word with a capital letter.
      let library =
        libraries.first { $0.rawValue == word }
        ?? libraries.first { $0.rawValue.lowercased() == word.lowercased() }
      return library.map { ($0, Secret(String(text[text.index(after: slash)...]))) }
    }
    number = split?.1 ?? typed
    library = named ?? split?.0 ?? only
  }
}
