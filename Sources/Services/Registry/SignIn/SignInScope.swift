package import Circulation

/// At which libraries a card is looked for.
package struct SignInScope: Sendable, Hashable {
  private let libraries: Set<LibraryID>
  private let isExcept: Bool

  package static let all = SignInScope(libraries: [], isExcept: true)
  static func only(_ libraries: Set<LibraryID>) -> Self {
    Self(libraries: libraries, isExcept: false)
  }
  static func except(_ libraries: Set<LibraryID>) -> Self {
    Self(libraries: libraries, isExcept: true)
  }

  /// For telling it from others.
  var text: String {
    (isExcept ? "except " : "only ") + libraries.map(\.rawValue).sorted().joined(separator: "/")
  }

  package func contains(_ library: LibraryID) -> Bool {
    libraries.contains(library) != isExcept
  }
}
