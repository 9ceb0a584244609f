/// A book to be read in the terminal.
package struct ReadOrder: Sendable {
  package enum Manner: Sendable {
    /// Page by page on the whole screen.
    case pages(isColored: Bool)
    /// Chapter by chapter as plain text, with a line asked for in between; nil reads on to the end.
    case linear(say: @Sendable (String) throws -> Void, ask: (@Sendable () -> String?)?)
  }

  package enum Subject: Sendable {
    case file(BookSource)
    /// A title on loan, fetched first if need be; nil for the one that was read last.
    case title(String?)
  }

  package let book: Subject
  package let manner: Manner
  package let environment: [String: String]
  /// For a book that is locked.
  package var key: LockKey?
  /// Whether what is told goes into a file or another program, where it would stay.
  package var isWrittenOut = false

  package init(_ book: Subject, _ manner: Manner, environment: [String: String]) {
    (self.book, self.manner, self.environment) = (book, manner, environment)
  }
}
