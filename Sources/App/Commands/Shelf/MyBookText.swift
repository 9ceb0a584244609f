import Arguments
import Items
import Setup
import TextSafety

/// What the commands about the reader's own books have in common.
enum MyBookText {
  static let exits = [5, 6, 9, 10]

  static let properties: [ReportSchema.Property] = [
    .init("id", .string, "What every command takes for its title."),
    .init("work", .nullable(.string), "The work, where it is in the catalogue."),
    .init("title", .string, "Its title."),
    .init("authors", .list(.string), "Who wrote it."),
    .init("state", .string, "Which of the twelve states it is in."),
    .init("since", .nullable(.time), "Since when."),
    .init("until", .nullable(.time), "When the loan or the offer ends, or ended."),
    .init("account", .nullable(.string), "The card it is on."),
    .init("item", .nullable(.string), "The provider's own name for the title."),
    .init("ignored", .boolean, "Whether lanes and searches leave it out."),
    .init("rating", .nullable(.integer), "Your rating, 1 to 5."),
    .init("finished", .nullable(.string), "The day you finished it."),
    .init("actions", .list(.string), "Commands that its state allows."),
  ]

  static func schema(_ name: String, _ summary: String) -> ReportSchema {
    ReportSchema(name, summary, properties)
  }

  static func list(
    _ choice: MyBookChoice, _ schema: ReportSchema, empty: TerminalText, in app: App
  ) async throws {
    let books = try await app.engaged("your books") { engine, seat throws(ErrorItem) in
      try await engine.myBooks(choice, at: seat)
    }
    if !books.isEmpty { app.remember(books.map { $0.work ?? $0.name }) }
    try app.output.show(
      Report(schema, books.map(\.json)) { layout in
        books.isEmpty ? empty : Grid(rows: books.enumerated().map(row), yielding: 1).text(layout)
      })
  }

  static func carryOut(_ verb: MyBookOrder.Verb, _ word: String, in app: App) async throws
    -> MyBookItem
  {
    let order = MyBookOrder(verb, try app.title(word))
    return try await app.engaged("your books") { engine, seat throws(ErrorItem) in
      try await engine.decide(order, at: seat)
    }
  }

  private static func row(_ index: Int, _ book: MyBookItem) -> [String] {
    [
      "\(index + 1)", book.title, book.authors.prefix(2).joined(separator: ", "),
      book.account ?? "", state(book),
    ]
  }

  private static func state(_ book: MyBookItem) -> String {
    var text = book.stateWord
    if book.isIgnored { text = book.state == "none" ? "ignored" : text + ", ignored" }
    if let end = ending(book) { text += ", \(end)" }
    if let rating = book.rating { text += ", rated \(rating)" }
    return text
  }

  private static func ending(_ book: MyBookItem) -> String? {
    switch book.state {
    case "loan_expired", "loan_offer_expired": Moments.day(book.until).map { "on \($0)" }
    default: Moments.ahead(book.until).map { "until \($0)" }
    }
  }
}
