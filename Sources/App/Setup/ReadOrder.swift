/// A book to be read in the terminal.
package struct ReadOrder: Sendable {
  package enum Manner: Sendable {
    /// Page by page on the whole screen.
    case pages(isColored: Bool)
    /// Chapter by chapter as plain text, with a line asked for in between; nil reads on to the end.
    case linear(say: @Sendable (String) throws -> Void, ask: (@Sendable () -> String?)?)
  }

  package let book: BookSource
  package let manner: Manner
  package let environment: [String: String]

  package init(_ book: BookSource, _ manner: Manner, environment: [String: String]) {
    (self.book, self.manner, self.environment) = (book, manner, environment)
  }
}
