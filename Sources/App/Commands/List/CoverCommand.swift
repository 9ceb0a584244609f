import Arguments
import Items
import JSON
import Machine
import Setup
import TextSafety

struct CoverCommand: Command {
  static let title = TitleArgument.title
  static let size = Option(
    "size", .choice("SIZE") as Kind<CoverOrder.Size>, default: .large, "How large a picture.",
    common: true)
  static let to = Option("to", .file, "The file to write it to.", common: true)

  static let spec = CommandSpec(
    "cover", "Save the picture of a title's cover.",
    discussion: """
      The picture is fetched from whoever lists the title the first time somebody looks, scaled, and \
      kept in the cache folder. For a title without one a cover is drawn, in a color of its own.

      A thumbnail fits into 200 by 300 pixels, a large one into 800 by 1200. What was fetched is a \
      JPEG, what was drawn a PNG.
      """,
    examples: [
      .init("carrel cover 2 --to cover.jpg", "Of the second title of the last list."),
      .init("carrel cover emma --size thumbnail --to emma.jpg", "By words of its title, small."),
    ],
    exits: [2, 5, 9, 10, 13], parameters: [title, size, to])

  static let schemas = [
    ReportSchema(
      "cover", "The picture that was written.",
      [
        .init("work", .string, "The work."),
        .init("title", .string, "Its title."),
        .init("size", .string, "thumbnail or large."),
        .init("origin", .string, "fetched just now, kept from before, or drawn."),
        .init("media_type", .string, "What kind of file it is."),
        .init("bytes", .integer, "How long it is."),
        .init("file", .string, "Where it lies now."),
      ])
  ]

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    guard let file = try input[Self.to] else {
      throw CommandError(
        .missingValue, "cover needs --to FILE", try: "carrel cover TITLE --to cover.jpg")
    }
    let title = try app.title(try input[Self.title])
    let size = try input[Self.size]
    let cover = try await app.engaged("the picture") { engine, seat throws(ErrorItem) in
      try await engine.cover(of: title, size, at: seat)
    }
    do throws(MachineError) { try WholeFile.write(cover.bytes, to: file, mode: 0o644) } catch {
      throw CommandError(.unwritable, "cannot write the cover: \(error)")
    }
    let item: JSONValue = [
      "work": .string(cover.work), "title": .string(cover.title), "size": .string(size.rawValue),
      "origin": .string(cover.origin), "media_type": .string(cover.mediaType),
      "bytes": .integer(cover.bytes.count), "file": .string(file),
    ]
    try app.output.show(
      Report(Self.schemas[0], [item]) { _ in
        "Wrote the cover of '\(cover.title)' to \(file) (\(cover.mediaType), \(cover.origin)).\n"
      })
  }
}
