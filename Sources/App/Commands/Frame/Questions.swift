import Arguments
import Console
import TextSafety

/// Asking, where asking is allowed. Every question has a flag that answers it, so that whatever
/// works at a terminal works in a script.
struct Questions: Sendable {
  let mayAsk: Bool
  private let saysYes: Bool
  private let command: ShellCommand

  init(_ input: Input, _ surroundings: Surroundings) {
    let refused = (try? input[GlobalFlags.noInput]) ?? false
    mayAsk = !refused && surroundings.inputIsTerminal && surroundings.errorIsTerminal
    saysYes = (try? input[GlobalFlags.yes]) ?? false
    command = ShellCommand(words: ["carrel"] + input.command)
  }

  /// A line of text that a flag could have given.
  func ask(_ question: TerminalText, flag: String) throws(CommandError) -> String {
    try need(question, flag: flag)
    try? OutputStream.error.write("\(question): ")
    guard let line = Keyboard.line() else { throw unanswered(question, flag: flag) }
    return line
  }

  /// A line that the screen does not show: a PIN, a passphrase.
  func askHidden(_ question: TerminalText, flag: String) throws(CommandError) -> String {
    try need(question, flag: flag)
    try? OutputStream.error.write("\(question): ")
    let line = Keyboard.hiddenLine()
    try? OutputStream.error.write("\n")
    guard let line else { throw unanswered(question, flag: flag) }
    return line
  }

  /// For what destroys something: goes on only after a yes. The answer of doing nothing is no.
  /// `subject` is what the command was given, for the line that helps when pasted.
  func confirm(_ question: TerminalText, of subject: String? = nil) throws(CommandError) {
    if saysYes { return }
    guard mayAsk else {
      throw CommandError(
        .confirmationNeeded, "\(question) This needs a yes, and nobody can be asked.",
        try: command(of: subject, with: "--yes"))
    }
    try? OutputStream.error.write("\(question) [y/N] ")
    let answer = (Keyboard.line() ?? "").lowercased()
    guard answer == "y" || answer == "yes" else {
      throw CommandError(.notConfirmed, "nothing was changed")
    }
  }

  /// For what cannot be brought back: `--yes` is not enough, the name has to be said.
  func confirm(
    _ question: TerminalText, of subject: String? = nil, naming name: String, given: String?
  ) throws(CommandError) {
    if given == name { return }
    if let given {
      throw CommandError(
        .confirmationNeeded, "--confirm names '\(given)', but this is about '\(name)'")
    }
    guard mayAsk else {
      throw CommandError(
        .confirmationNeeded, "\(question) This needs its name, and nobody can be asked.",
        try: command(of: subject, with: "--confirm=\(value: name)"))
    }
    try? OutputStream.error.write("\(question) Type '\(name)' to go on: ")
    guard Keyboard.line() == name else {
      throw CommandError(.notConfirmed, "nothing was changed")
    }
  }

  private func command(of subject: String?, with flag: ShellCommand) -> ShellCommand {
    (subject.map { "\(command) \($0)" } ?? command).adding(flag)
  }

  private func need(_ question: TerminalText, flag: String) throws(CommandError) {
    if !mayAsk { throw unanswered(question, flag: flag) }
  }

  private func unanswered(_ question: TerminalText, flag: String) -> CommandError {
    CommandError(
      .inputNeeded, "\(question) is needed, and nobody can be asked: give \(flag)",
      try: "\(command) --help")
  }
}
