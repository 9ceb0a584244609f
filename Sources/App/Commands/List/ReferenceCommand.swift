import Arguments
import Console
import Items
import JSON
import Setup
import TextSafety

/// Writes `docs/reference`; a test holds what lies there to what the program says of itself.
struct ReferenceCommand: Command {
  static let folder = Argument("dir", .directory, "The folder to write the pages into.")

  static let spec = CommandSpec(
    "reference", "Write the reference as pages of Markdown into a folder.",
    examples: [
      .init("carrel reference docs/reference", "All pages, beside one another."),
      .init("carrel reference /tmp/pages --json", "The same, with a list of the files."),
    ],
    exits: [10, 13], isHidden: true, parameters: [folder])

  static func needsEngine(_ input: Input) -> Bool { true }

  func run(_ input: Input, in app: App) async throws {
    let folder = try input[Self.folder]
    let providers = try await app.engaged("the reference") { engine, seat throws(ErrorItem) in
      try await engine.providers(at: seat)
    }
    let pages = Reference.pages(providers)
    do throws(Files.Trouble) {
      try Files.makeFolder(folder)
      for page in pages { try Files.write(Array(page.text.utf8), to: "\(folder)/\(page.name)") }
    } catch {
      throw CommandError(.unwritable, "cannot write the reference into \(folder): \(error)")
    }
    let items = pages.map { page -> JSONValue in ["file": .string("\(folder)/\(page.name)")] }
    try app.output.show(Report(ManCommand.schemas[0], items))
  }
}
