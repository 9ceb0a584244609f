import Arguments
import Items
import Setup
import TextSafety

struct WishAddCommand: Command {
  static let title = Argument(
    optional: "title", Kind<String>.word.called("TITLE"),
    "A number of the last list, a work id, or words of the title.")
  static let author = Option(
    list: "author", Kind<String>.word.called("NAME"),
    "Who wrote it, for a book that no library has yet.", common: true)
  static let isbn = Option(
    "isbn", Kind<String>.word.called("ISBN"), "Its number, for the same.", common: true)

  static let spec = CommandSpec(
    "wish add", "Wish for a book, or for all books of a list.",
    discussion: """
      A wish is looked for at all your libraries until it can be had; then you are told, or it is \
      borrowed or waited for, as its rule says. See carrel notify add for how you are told.

      With a list and no title all its books are wishes, also those that come to it later. Without \
      a list the book goes on the one that is called Wishes.
      """,
    examples: [
      .init("carrel wish add 2", "The second title of the last list."),
      .init("carrel wish add 2 --rule borrow", "Borrowed as soon as a copy is there."),
      .init(
        "carrel wish add Tides --author Moss --isbn 9780306406157", "No library has it yet."),
      .init("carrel wish add --list later", "All that stands on a list, and will."),
    ],
    exits: WishText.exits, parameters: [title, author, isbn, WishText.rule, WishText.list])

  static let schemas = [WishText.schema("wishes-added", "The wishes.")]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let (list, rule) = (try input[WishText.list], try input[WishText.rule])
    let (authors, isbn) = (try input[Self.author], try input[Self.isbn])
    let order: WishOrder
    if let title = try input[Self.title] {
      let book = WishedBook(
        // What its own words name is no number of a list.
        title: authors.isEmpty && isbn == nil ? try app.title(title) : title, authors: authors,
        isbn: isbn)
      order = .add(book, to: list, rule: rule)
    } else if let list, authors.isEmpty, isbn == nil {
      order = .mark(list, rule: rule)
    } else {
      throw CommandError(
        .missingValue, "which book? TITLE or --list LIST says it", try: "carrel help wish add")
    }
    let wishes = try await WishText.order(order, in: app)
    try app.output.show(
      Report(Self.schemas[0], wishes.map(\.json)) { _ in
        if case .mark = order {
          return "\(Counted.text(wishes.count, "book")) of that list "
            + (wishes.count == 1 ? "is a wish now.\n" : "are wishes now.\n")
        }
        return wishes.map { "'\($0.title)': \(WishText.state($0)).\n" }.joined()
      })
  }
}
