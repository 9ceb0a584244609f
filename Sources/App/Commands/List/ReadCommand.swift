import Arguments
import Console
import Items
import Setup
import TextSafety

struct ReadCommand: Command {
  static let book = Argument(
    optional: "book", Kind<String>.file.called("BOOK"),
    "A title on loan, or an EPUB file; the book you read last without it.")
  static let linear = Flag(
    "linear", "As plain text, chapter by chapter, for programs that read aloud.", common: true)

  static let spec = CommandSpec(
    "read", "Read a book in the terminal.",
    discussion: """
      A title on loan is downloaded first where it is not here yet. Opens where you stopped, with your bookmarks and notes; ? shows the keys. Where chafa is \
      installed it draws the cover. Without a terminal, or with --linear, the book is printed \
      chapter by chapter with its headings announced.
      """,
    examples: [
      .init("carrel read emma", "A title on loan."),
      .init("carrel read book.epub", "A file."),
      .init("carrel read book.epub --linear", "For a screen reader."),
    ],
    exits: [6, 10, 13], parameters: [book, linear, BookArgument.passphraseFile])

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let word = try input[Self.book]
    let subject = try subject(word, app)
    var order = ReadOrder(
      subject, manner(try input[Self.linear], word ?? "", app),
      environment: app.surroundings.environment)
    order.isWrittenOut = !app.surroundings.outputIsTerminal
    let seat = try app.seat()
    let engine = try app.needed()
    var unlocking = Unlocking(input, app)
    while true {
      do throws(ErrorItem) { return try await engine.read(order, at: seat) } catch {
        if let key = try unlocking.key(after: error) {
          order.key = key
          continue
        }
        if case .file = subject { throw BookArgument.complaint(error, word ?? "") }
        throw CommandError(error)
      }
    }
  }

  /// What is there as a file is meant as one.
  private func subject(_ word: String?, _ app: App) throws(CommandError) -> ReadOrder.Subject {
    guard let word else { return .title(nil) }
    if word == "-" { return .file(try BookArgument.input()) }
    if Files.exists(word), Int(word) == nil { return .file(.file(word)) }
    if word.hasSuffix(".epub") || word.contains("/") {
      throw CommandError(
        .unreadable, "there is no file '\(word)'", try: "carrel loans")
    }
    return .title(try app.title(word))
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
    return .linear(say: { try output.write(document: Array($0.utf8)) }, ask: mayAsk ? ask : nil)
  }
}
