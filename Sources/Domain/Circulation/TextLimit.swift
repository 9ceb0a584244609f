/// How much is taken of a text that a catalog sends, in code points: terminals, feeds and pages show
/// titles and names whole.
package enum TextLimit {
  package static let title = 1000
  package static let name = 500
  package static let summary = 20_000
}

extension String {
  /// By code points: a single character can be as long as a book.
  package func limited(to most: Int) -> String {
    utf8.count <= most ? self : String(String.UnicodeScalarView(unicodeScalars.prefix(most)))
  }
}

extension [String] {
  func limited(to most: Int) -> [String] {
    contains { $0.utf8.count > most } ? map { $0.limited(to: most) } : self
  }
}
