import Arguments
import Items
import Machine
import Setup
import TextSafety

struct NoteImportCommand: Command {
  static let notes = Argument("file", .file, "A file of notes; - is the input.")
  static let book = Option(
    "book", .file, "The EPUB file they were written in, where the notes do not say it well.",
    common: true)

  private static let limit = 64 << 20

  static let spec = CommandSpec(
    "note import", "Bring in notes from another program.",
    discussion: """
      Takes Web Annotations, as Thorium and other reading apps write them, and KOReader's JSON. \
      What is there already comes in once; of two with one name the later holds. With --book each \
      is looked for in that file by its words, and those that are not in it are counted.
      """,
    examples: [
      .init("carrel note import book.annotation --book book.epub", "From a reading app."),
      .init("carrel note import koreader.json", "From KOReader, several books at once."),
    ],
    exits: AnnotationWork.exits, parameters: [notes, book, BookArgument.passphraseFile])

  static let schemas = [
    ReportSchema(
      "notes-imported", "What came in.",
      [
        .init("added", .integer, "New ones."),
        .init("changed", .integer, "Those that were there and are newer now."),
        .init("known", .integer, "Those that were there as they are."),
        .init("skipped", .integer, "Entries that do not say where they are."),
        .init(
          "too_long", .integer,
          "Left out: a note over 10,000 characters, or a mark over 40,000 with its place."),
        .init("full", .integer, "Left out: this gateway stores no more for the book or for you."),
        .init("lost", .nullable(.integer), "Those whose words are not in the book's file."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let path = try input[Self.notes]
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try WholeFile.read(path == "-" ? "/dev/stdin" : path, upTo: Self.limit)
    } catch {
      throw CommandError(.unreadable, "\(error)", try: "carrel help note import")
    }
    let book = try input[Self.book].map { BookSource.file($0) }
    let item = try await AnnotationWork.unlocked(input, app) {
      engine, seat, key throws(ErrorItem) in
      try await engine.importAnnotations(bytes, into: book, opening: key, at: seat)
    }
    try app.output.show(
      Report(Self.schemas[0], [item.json]) { _ in
        var text: TerminalText =
          "\(item.added) added, \(item.changed) changed, \(item.known) known already"
        if item.skipped > 0 { text += ", \(item.skipped) without a place left out" }
        if item.tooLong > 0 {
          text += ", \(item.tooLong) left out: a note has at most 10,000 characters"
        }
        if item.full > 0 {
          text += ", \(item.full) left out: at most 2,000 in a book and 20,000 in all are stored"
        }
        if let lost = item.lost, lost > 0 { text += "; \(lost) of them are not in this file" }
        return text + "\n"
      })
  }
}
