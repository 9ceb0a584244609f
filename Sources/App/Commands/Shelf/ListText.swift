import Arguments
import Items
import Setup
import TextSafety

/// What the commands about lists have in common.
enum ListText {
  static let list = Argument(
    "list", Kind<String>.word.called("LIST"), "The list, by its name or its id.")
  static let curator = Option(
    "curator", Kind<String>.word.called("NAME"),
    "The librarian whose list it is; the catalog names it as hers.")
  static let audiences = ["private", "friends", "everyone"]

  static let properties: [ReportSchema.Property] = [
    .init("id", .string, "The list, for ever."),
    .init("name", .string, "What it is called."),
    .init("books", .integer, "How many stand on it."),
    .init("sharing", .string, "Who may see it: private, friends, everyone."),
    .init("curator", .nullable(.string), "Whose name it goes by, where it is a librarian's."),
    .init("edited_at", .time, "When it or anything on it last changed."),
  ]

  static let bookProperties: [ReportSchema.Property] =
    [
      .init("id", .string, "The book's word on the list."),
      .init("list", .string, "The list it stands on."),
      .init("place", .integer, "Its place, from 1."),
      .init("title", .string, "The title."),
      .init("authors", .list(.string), "Who wrote it."),
      .init("isbns", .list(.string), "Its numbers."),
      .init("work", .nullable(.string), "The work, where a library has it."),
      .init("match", .string, "Whether a work was found for it: matched, unsure or none."),
      .init("note", .nullable(.string), "What is said of it there."),
      .init("added_at", .time, "When it came to the list."),
    ] + toldProperties

  /// What a file or a service told of a book.
  static let toldProperties: [ReportSchema.Property] = [
    .init("rating", .nullable(.number), "One to five, where a file or a service told."),
    .init("review", .nullable(.string), "What its reader wrote there."),
    .init("read_at", .list(.string), "When it was read, as precisely as that is known."),
    .init("shelves", .list(.string), "The shelves it stands on there."),
  ]

  static func told(_ list: ReadingListItem) -> String {
    switch (list.sharing, list.curator) {
    case ("friends", let curator?): "by \(curator), for readers"
    case ("everyone", let curator?): "by \(curator), for everyone"
    case (_, let curator?): "by \(curator), not shown yet"
    case ("friends", nil): "shared with friends"
    case ("everyone", nil): "shared with everyone"
    default: "private"
    }
  }

  static func order(_ order: ListOrder, in app: App) async throws -> ReadingListItem {
    try await app.engaged("the lists") { engine, seat throws(ErrorItem) in
      try await engine.keep(order, at: seat)
    }
  }
}
