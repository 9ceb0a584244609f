import Arguments
import Items
import JSON
import Setup
import TextSafety

struct EPUBSearchCommand: Command {
  static let words = Argument(list: "words", Kind<String>.word, "What stands in the book.")
  static let exact = Flag("match-case", "Large and small letters make a difference.")
  static let whole = Flag("whole-words", "Not as a part of a longer word.")
  static let limit = Option(
    "limit", .integer(1...10_000), default: 200, "How many places to show; all are counted.",
    common: true)

  static let spec = CommandSpec(
    "epub search", "Find words in a book file.",
    discussion: """
      The words are one phrase. Case, accents, ligatures and soft hyphens make no difference, \
      quotation marks and dashes of all kinds are alike. Places are shown as they are found.
      """,
    examples: [
      .init("carrel epub search book.epub white whale", "The phrase, wherever it stands."),
      .init("carrel epub search book.epub Ahab --json", "With places that readers can go to."),
    ],
    exits: [6, 13],
    parameters: [BookArgument.file, words, BookArgument.passphraseFile, exact, whole, limit])

  static let schemas = [
    ReportSchema(
      "epub_search", "Where words stand in a book file.",
      [
        .init("count", .integer, "How often, shown or not."),
        .init("hits", .list(.object(hit)), "The places, in the order of the book."),
      ])
  ]

  private static let hit: [ReportSchema.Property] = [
    .init("item", .integer, "The document's place in reading order, from 0."),
    .init("href", .string, "The entry of the archive."),
    .init("chapter", .nullable(.string), "The entry of the contents it is under."),
    .init("progression", .number, "Through the document, from 0 to 1."),
    .init("total_progression", .number, "Through the book, from 0 to 1."),
    .init("position", .integer, "The place of a kilobyte, from 1."),
    .init("cfi", .string, "The place step by step, as readers exchange it."),
    .init("before", .string, "What stands before it."),
    .init("match", .string, "The words as they are written there."),
    .init("after", .string, "What follows."),
  ]

  static func opensBook(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let words = try input[Self.words]
    guard !words.isEmpty else {
      throw CommandError(
        .missingArgument, "what is to be searched for?", try: "carrel epub search FILE WORDS")
    }
    var order = ContentOrder(words: words.joined(separator: " "))
    order.matchesCase = try input[Self.exact]
    order.wholeWords = try input[Self.whole]
    order.limit = try input[Self.limit]
    let wish = order
    let isShownAtOnce = app.output.mode == .human && app.output.file == nil
    var hits: [ContentHitItem] = []
    var trouble: CommandError?
    let count: Int
    do {
      count = try await BookArgument.answer(input, app) { books, source throws(ErrorItem) in
        try await books.search(source, for: wish) { hit throws(ErrorItem) in
          hits.append(hit)
          guard isShownAtOnce else { return }
          do throws(CommandError) { try app.output.write(Self.line(hit)) } catch {
            trouble = error
            throw ErrorItem(error.code.rawValue)
          }
        }
      }
    } catch {
      throw trouble ?? error
    }
    if isShownAtOnce {
      try app.output.write(Self.sum(count, hits.count, wish.words))
    } else {
      let item: JSONValue = [
        "count": .integer(count), "hits": .array(hits.map(\.json)),
      ]
      let shown = hits
      try app.output.show(
        Report(Self.schemas[0], [item]) { _ in
          shown.map(Self.line).joined() + Self.sum(count, shown.count, wish.words)
        })
    }
  }

  private static func line(_ hit: ContentHitItem) -> TerminalText {
    let share = "\(Int((hit.total * 100).rounded()))%"
    let chapter = hit.chapter.map { "\($0): " } ?? ""
    let words: TerminalText = "\(hit.before)[\(hit.match)]\(hit.after)"
    return "\(String(repeating: " ", count: max(0, 4 - share.count)))\(share)  \(chapter)\(words)\n"
  }

  private static func sum(_ count: Int, _ shown: Int, _ words: String) -> TerminalText {
    if count == 0 { return "'\(words)' is nowhere in it.\n" }
    let all = Counted.text(count, "place")
    return count > shown ? "\(all), \(shown) shown\n" : "\(all)\n"
  }
}
