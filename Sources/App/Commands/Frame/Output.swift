import Arguments
import Console
import JSON
import Machine
import TextSafety

/// The one way out for all commands: results here, everything about them on the error stream.
struct Output: Sendable {
  enum Mode: Sendable { case human, plain, json, jsonLines }

  let mode: Mode
  /// Nil for the standard output.
  let file: String?
  let layout: TextLayout
  /// Of the error stream, where it is a terminal.
  private let asides: TextLayout
  let isQuiet: Bool
  private let errorsAsJSON: Bool

  init(_ input: Input, _ surroundings: Surroundings) throws(CommandError) {
    mode = try Self.mode(of: input)
    let path = (try? input[GlobalFlags.output]) ?? nil
    file = path == "-" ? nil : path
    let refused = (try? input[GlobalFlags.noColor]) ?? false
    let isTerminal = surroundings.outputIsTerminal && file == nil
    layout = TextLayout(
      width: surroundings.width,
      isStyled: surroundings.hasColor(on: isTerminal, refused: refused))
    asides = surroundings.asides
    isQuiet = (try? input[GlobalFlags.quiet]) ?? false
    errorsAsJSON = mode == .json || mode == .jsonLines
  }

  private static func mode(of input: Input) throws(CommandError) -> Mode {
    let modes: [(flag: Flag, mode: Mode)] = [
      (GlobalFlags.json, .json), (GlobalFlags.jsonLines, .jsonLines), (GlobalFlags.plain, .plain),
    ]
    let chosen = modes.filter { input.has($0.flag) }
    guard chosen.count <= 1 else {
      let names = chosen.map(\.flag.parameter.spelling).joined(separator: " and ")
      throw CommandError(
        .conflictingFlags, "\(names) contradict each other: choose one",
        try: ShellCommand(
          words: ["carrel"] + input.command + [chosen[0].flag.parameter.spelling]))
    }
    return chosen.first?.mode ?? .human
  }

  func show(_ report: Report) throws(CommandError) {
    switch mode {
    case .json:
      try write(TerminalText(json: report.envelope().text() + "\n"))
    case .jsonLines:
      for warning in report.warnings { warn("\(warning)") }
      try write(TerminalText(json: report.items.map { $0.text() + "\n" }.joined()))
    case .plain:
      for warning in report.warnings { warn("\(warning)") }
      try write(report.plain)
    case .human:
      for warning in report.warnings { warn("\(warning)") }
      try write(layout.fitted(report.text?(layout) ?? report.table))
    }
  }

  func write(_ text: TerminalText) throws(CommandError) {
    if let file { return try Self.write(Array(text.text.utf8), to: file) }
    try Self.write { () throws(OutputStream.Trouble) in try OutputStream.output.write(text) }
  }

  /// A result that is a file in itself: a script, a calendar, the text of a book.
  func write(document bytes: [UInt8]) throws(CommandError) {
    if let file { return try Self.write(bytes, to: file) }
    try Self.write { () throws(OutputStream.Trouble) in
      try OutputStream.output.write(document: bytes)
    }
  }

  private static func write(_ bytes: [UInt8], to file: String) throws(CommandError) {
    do throws(Files.Trouble) {
      try Files.write(bytes, to: file)
    } catch {
      throw CommandError(.unwritable, "cannot write \(file): \(error)")
    }
  }

  private static func write(
    _ put: () throws(OutputStream.Trouble) -> Void
  ) throws(CommandError) {
    Waiting.clear()
    do throws(OutputStream.Trouble) {
      try put()
    } catch .readerGone {
      // Like `head`, the reader has what it wanted. Nobody is left to be told anything.
      Process.leave(with: ExitCode.done.rawValue)
    } catch {
      throw CommandError(.unwritable, "cannot write the result: \(error)")
    }
  }

  func warn(_ text: TerminalText) {
    if !isQuiet { say("warning: \(text)\n") }
  }

  /// What is going on, for people who wait.
  func note(_ text: TerminalText) {
    if !isQuiet, !errorsAsJSON { say(text + "\n") }
  }

  /// What somebody must do for the command to go on: said in every mode.
  func instruct(_ text: TerminalText) { say(text + "\n") }

  /// When even the error stream is closed there is nobody to tell.
  private func say(_ text: TerminalText) {
    Waiting.clear()
    try? OutputStream.error.write(asides.fitted(text))
  }
}
