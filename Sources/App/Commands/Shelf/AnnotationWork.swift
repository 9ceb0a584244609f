import Arguments
import Console
import Items
import Setup
import TextSafety

/// What the commands about bookmarks and notes have in common.
enum AnnotationWork {
  static let exits = [5, 6, 10, 13]

  static let file = Argument("file", .file, "The EPUB file that it is in.")
  static let some = Argument(
    optional: "book", Kind<String>.word.called("BOOK"),
    "An EPUB file, or words of a book's title; without it those in all books.")
  static let name = Argument(
    "id", Kind<String>.word.called("ID"), "Its name, or the beginning of it.")
  static let at = Option(
    "at", Kind<String>.word.called("PLACE"), "Where: 45% of the book, or an EPUB CFI.",
    common: true)
  static let quote = Option(
    "quote", Kind<String>.word.called("WORDS"), "Where: the first place with these words.",
    common: true)
  static let tag = Option(
    "tag", Kind<String>.word.called("WORD"), "Only those with this tag.", common: true)

  static let properties: [ReportSchema.Property] = [
    .init("id", .string, "Its name."),
    .init("kind", .string, "bookmark, highlight or note."),
    .init("title", .nullable(.string), "The book's title."),
    .init("authors", .list(.string), "Who wrote the book."),
    .init("chapter", .nullable(.string), "The chapter it is in."),
    .init("position", .nullable(.integer), "The place of a kilobyte, from 1."),
    .init("progression", .nullable(.number), "Through the book, from 0 to 1."),
    .init("quote", .nullable(.string), "The words marked, or those that follow."),
    .init("note", .nullable(.string), "What the reader wrote."),
    .init("tags", .list(.string), "The reader's words for it."),
    .init("made_at", .time, "When it was made."),
    .init(
      "anchored", .nullable(.string),
      "In the file asked about: exact, moved, near, or lost where its words are not in it."),
  ]

  static func place(_ input: Input) throws -> AnnotationOrder.Place {
    let (place, words) = (try input[at], try input[quote])
    switch (place, words) {
    case (nil, let words?): return .words(words)
    case (let place?, nil):
      if place.hasPrefix("epubcfi(") { return .steps(place) }
      let digits = place.hasSuffix("%") ? String(place.dropLast()) : place
      guard let percent = Double(digits), (0...100).contains(percent) else {
        throw CommandError(.badValue, "--at is a percentage or an EPUB CFI, not '\(place)'")
      }
      return .percent(percent)
    case (nil, nil):
      throw CommandError(.missingValue, "where? --at 45% and --quote WORDS say it")
    case (_?, _?):
      throw CommandError(.conflictingFlags, "--at and --quote contradict each other: choose one")
    }
  }

  /// A book that is named by its file or by words of its title.
  static func choice(_ kinds: Set<AnnotationOrder.Kind>, _ input: Input) throws -> AnnotationChoice
  {
    guard let word = try input[some] else { return AnnotationChoice(kinds) }
    if Files.exists(word) { return AnnotationChoice(kinds, in: .file(word)) }
    var choice = AnnotationChoice(kinds)
    choice.title = word
    return choice
  }

  static func list(
    _ choice: AnnotationChoice, _ schema: ReportSchema, empty: TerminalText, _ input: Input,
    in app: App
  ) async throws {
    let items = try await unlocked(input, app) { engine, seat, key throws(ErrorItem) in
      var choice = choice
      choice.key = key
      return try await engine.annotations(choice, at: seat)
    }
    try app.output.show(
      Report(schema, items.map(\.json)) { layout in
        items.isEmpty ? empty : Grid(rows: items.map(row), yielding: 2).text(layout)
      })
  }

  static func add(
    _ order: AnnotationOrder, _ schema: ReportSchema, _ input: Input, in app: App
  ) async throws {
    let item = try await unlocked(input, app) { engine, seat, key throws(ErrorItem) in
      var order = order
      order.key = key
      return try await engine.annotate(order, at: seat)
    }
    try app.output.show(
      Report(schema, [item.json]) { _ in
        let words = item.quote.map { ": \(few($0))" } ?? ""
        return "Kept as \(item.id.prefix(8))\(words)\n"
      })
  }

  static func remove(_ input: Input, _ schema: ReportSchema, in app: App) async throws {
    let name = try input[name]
    let item = try await carriedOut(app) { engine, seat throws(ErrorItem) in
      try await engine.removeAnnotation(name, at: seat)
    }
    try app.output.show(
      Report(schema, [item.json]) { _ in
        "The \(item.kind) \(item.id.prefix(8)) is gone\(item.quote.map { ": \(few($0))" } ?? "").\n"
      })
  }

  private static func carriedOut<Answer>(
    _ app: App, _ body: (any Engine, Seat) async throws(ErrorItem) -> Answer
  ) async throws -> Answer {
    let engine = try app.needed()
    let seat = try app.seat()
    do throws(ErrorItem) { return try await body(engine, seat) } catch { throw complaint(error) }
  }

  /// For what opens a book, which may be locked: then it is asked for until it opens.
  static func unlocked<Answer>(
    _ input: Input, _ app: App,
    _ body: (any Engine, Seat, LockKey?) async throws(ErrorItem) -> Answer
  ) async throws -> Answer {
    let engine = try app.needed()
    let seat = try app.seat()
    var unlocking = Unlocking(input, app)
    var key: LockKey?
    while true {
      do throws(ErrorItem) { return try await body(engine, seat, key) } catch {
        key = try unlocking.key(after: error)
        guard key != nil else { throw complaint(error) }
      }
    }
  }

  private static func complaint(_ error: ErrorItem) -> CommandError {
    let code = ErrorCode(rawValue: error.code)
    if let code, code.bookRow != nil || code == .unreadable {
      return BookArgument.complaint(error, "the book")
    }
    return CommandError(error)
  }

  private static func row(_ item: AnnotationItem) -> [String] {
    let percent = item.progression.map { "\(Int(($0 * 100).rounded(.down)))%" } ?? ""
    let note = item.note.map { " — \(few($0))" } ?? ""
    let anchored = item.anchored.map { $0 == "exact" ? "" : " (\($0))" } ?? ""
    let title = item.title ?? ""
    return [
      String(item.id.prefix(8)), percent,
      few(item.quote ?? "") + note + anchored, few(title.isEmpty ? "Untitled" : title),
    ]
  }

  private static func few(_ text: String) -> String {
    let line = text.oneLine
    return line.count > 60 ? String(line.prefix(59)) + "…" : line
  }
}
