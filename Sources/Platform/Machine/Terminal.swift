import Glibc

/// What may be asked about one stream, judged for that stream alone: output may go to a file while
/// errors still go to a person.
package struct Terminal: Sendable, Hashable {
  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  package static let input = Terminal(descriptor: 0)
  package static let output = Terminal(descriptor: 1)
  package static let error = Terminal(descriptor: 2)

  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// In cells. COLUMNS counts first, since a person can set it; nothing where there is no terminal
  /// and so no reason to wrap.
  package func width(in environment: Environment) -> Int? {
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), (1...10_000).contains(columns) {
      return columns
    }
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  package func usesColor(in environment: Environment, isRefused: Bool = false) -> Bool {
    Self.usesColor(isTerminal: isTerminal, in: environment, isRefused: isRefused)
  }

  /// A refusal (`--no-color`, NO_COLOR) beats force, force beats what the terminal seems able to do.
  package static func usesColor(
    isTerminal: Bool, in environment: Environment, isRefused: Bool = false
  ) -> Bool {
    if isRefused || environment.nonEmpty("NO_COLOR") != nil { return false }
    if let force = environment.nonEmpty("CLICOLOR_FORCE"), force != "0" { return true }
    return isTerminal && environment["TERM"] != "dumb"
  }
}
