import Arguments
import Console
import TextSafety

/// What the process finds around itself, taken once at the start.
struct Surroundings: Sendable {
  var environment: [String: String]
  var inputIsTerminal: Bool
  var outputIsTerminal: Bool
  var errorIsTerminal: Bool
  /// Columns of the terminal that results go to.
  var columns: Int?
  var systemFile = "/etc/carrel/config.yaml"

  static var current: Surroundings {
    Surroundings(
      environment: Process.environment, inputIsTerminal: Keyboard.isTerminal,
      outputIsTerminal: OutputStream.output.isTerminal,
      errorIsTerminal: OutputStream.error.isTerminal, columns: OutputStream.output.columns)
  }

  /// The value of a variable; an empty one counts as unset.
  subscript(_ variable: String) -> String? {
    environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// COLUMNS wins over the terminal, and makes even a pipe wrap.
  var width: Int? { self["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? columns }

  /// How what is said aside is laid out: on a terminal in its width, elsewhere line by line.
  var asides: TextLayout {
    TextLayout(width: errorIsTerminal ? OutputStream.error.columns : nil, isStyled: false)
  }

  func hasColor(on terminal: Bool, refused: Bool) -> Bool {
    if refused || self["NO_COLOR"] != nil { return false }
    if let force = self["CLICOLOR_FORCE"], force != "0" { return true }
    return terminal && self["TERM"] != "dumb" && self["TERM"] != nil
  }
}
