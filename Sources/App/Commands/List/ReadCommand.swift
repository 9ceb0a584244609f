import Arguments
import Console
import Items
import Setup

struct ReadCommand: Command {
  static let book = Argument("file", .file, "An EPUB file.")
  static let linear = Flag(
    "linear", "As plain text, chapter by chapter, for programs that read aloud.", common: true)

  static let spec = CommandSpec(
    "read", "Read a book in the terminal.",
    discussion: """
      Opens where you stopped, with your bookmarks and notes; ? shows the keys. Where chafa is \
      installed it draws the cover. Without a terminal, or with --linear, the book is printed \
      chapter by chapter with its headings announced.
      """,
    examples: [
      .init("carrel read book.epub", "Open a book."),
      .init("carrel read book.epub --linear", "For a screen reader."),
    ],
    exits: [6, 10, 13], parameters: [book, linear])

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let path = try input[Self.book]
    guard path == "-" || Files.exists(path) else {
      throw CommandError(
        .unreadable,
        "there is no file '\(BookText.tame(path))', and titles cannot be opened by name yet: "
          + "borrow the book, fetch its file with a reading app, and name the file here",
        try: "carrel loans")
    }
    let source = path == "-" ? try BookArgument.input() : .file(path)
    let order = ReadOrder(
      source, manner(try input[Self.linear], path, app), environment: app.surroundings.environment)
    let seat = try app.seat()
    let engine = try app.needed()
    do throws(ErrorItem) { try await engine.read(order, at: seat) } catch {
      throw BookArgument.complaint(error, path)
    }
  }

  private func manner(_ isLinear: Bool, _ path: String, _ app: App) -> ReadOrder.Manner {
    let surroundings = app.surroundings
    let isAtTerminal = surroundings.inputIsTerminal && surroundings.outputIsTerminal
    if isAtTerminal, !isLinear, surroundings["TERM"] != "dumb", path != "-" {
      return .pages(isColored: app.output.layout.isStyled)
    }
    let output = app.output
    let mayAsk = app.questions.mayAsk && path != "-"
    let ask: @Sendable () -> String? = { Keyboard.line() }
    return .linear(say: { try output.write($0) }, ask: mayAsk ? ask : nil)
  }
}
