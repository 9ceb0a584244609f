import Arguments
import Console
import Items
import Machine
import Setup
import TextSafety

struct ExportCommand: Command {
  static let all = Flag("all", "Everything that is kept; the only choice there is.")
  static let place = Argument(
    "place", .file, "A folder, which is made; or - for an archive on the standard output.")

  static let properties: [ReportSchema.Property] = [
    .init("place", .string, "The folder, or - for an archive."),
    .init("readers", .list(.string), "Whose things went along."),
    .init(
      "kinds",
      .list(
        .object([
          .init("name", .string, "What it is: cards, loans, notes."),
          .init("count", .integer, "How many."),
        ])), "How many things of each kind."),
    .init("books", .integer, "How many files of books."),
    .init("unchanged", .integer, "How many were here already.", required: false),
  ]

  static let spec = CommandSpec(
    "export", "Take everything along in open forms, without secrets.",
    discussion: """
      Cards, works, editions, shelves, loans, holds, history, notes, progress, lists, wishes and \
      rules, a file of JSON Lines each, with the files of books and a README. Card numbers and PINs \
      are not in it. With --as it is what is kept of one reader; without, of everybody, and the \
      whole catalogue.
      """,
    examples: [
      .init("carrel export --all mine --as ada", "What is kept of one reader."),
      .init("carrel export --all -", "Everybody's, as an archive for the next program."),
    ],
    exits: [2, 5, 7, 10, 13], parameters: [all, place])

  static let schemas = [ReportSchema("exported", "What went along.", properties)]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    guard input.has(Self.all) else {
      throw CommandError(
        .inputNeeded, "export needs --all: lists and notes have exports of their own",
        try: "carrel export --all DIR")
    }
    let place = try input[Self.place]
    let isArchive = place == "-"
    if isArchive, app.surroundings.outputIsTerminal {
      throw CommandError(
        .badValue, "an archive is nothing for a terminal: give a folder, or send it on",
        try: "carrel export --all export")
    }
    let order = ExportOrder(reader: app.patron, folder: isArchive ? nil : place) {
      bytes throws(MachineError) in
      do throws(OutputStream.Trouble) { try OutputStream.output.write(document: bytes) } catch {
        throw MachineError(code: 32, attempt: "write", subject: "the standard output")
      }
    }
    let item = try await app.engaged("the database") { engine, seat throws(ErrorItem) in
      try await engine.export(order, at: seat)
    }
    guard !isArchive else {
      app.output.note("\(item.count) things and \(item.books) books went along")
      return
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { Self.text("went along to \(place)", item, $0) })
  }

  static func text(_ verb: String, _ item: ExportItem, _ layout: TextLayout) -> TerminalText {
    let rows = item.kinds.filter { $0.count > 0 }.map { ["\($0.count)", $0.name] }
    return "\(item.count) things and \(item.books) books \(verb).\n"
      + Grid(rows: rows, yielding: 1).text(layout)
      + (item.unchanged.map { $0 > 0 ? "\($0) were here already.\n" : "" } ?? "")
  }
}
