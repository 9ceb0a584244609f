import Arguments
import Console
import JSON
import TextSafety

/// Writes the manual; `make install` and the package call it.
struct ManCommand: Command {
  static let folder = Argument("dir", .directory, "The folder to write the pages into.")

  static let spec = CommandSpec(
    "man", "Write the pages of the manual into a folder.",
    examples: [
      .init("carrel man share/man", "All pages, beside one another."),
      .init("carrel man /tmp/pages --json", "The same, with a list of the files."),
    ],
    exits: [13], isHidden: true, parameters: [folder])

  static let schemas = [
    ReportSchema("pages", "Pages that were written.", [.init("file", .string, "One of them.")])
  ]

  func run(_ input: Input, in app: App) async throws {
    let folder = try input[Self.folder]
    var items: [JSONValue] = []
    do throws(Files.Trouble) {
      try Files.makeFolder(folder)
      for page in Manual.pages {
        try Files.write(Array(page.text.utf8), to: "\(folder)/\(page.fileName)")
        items.append(["file": .string("\(folder)/\(page.fileName)")])
      }
    } catch {
      throw CommandError(.unwritable, "cannot write the manual into \(folder): \(error)")
    }
    try app.output.show(Report(Self.schemas[0], items))
  }
}
