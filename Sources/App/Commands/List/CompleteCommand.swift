import Arguments
import Console
import JSON
import Setup
import Shelving
import TextSafety

/// What the completion scripts ask for while somebody types: local facts only, at once.
struct CompleteCommand: Command {
  static let kind = Argument(
    "kind", .word, "What is wanted: topics, settings, schemas, lanes, profiles.")

  static let spec = CommandSpec(
    "complete", "Print words for a completion script, one a line.",
    examples: [
      .init("carrel complete settings", "The names of all settings."),
      .init("carrel complete profiles", "The profiles that exist."),
    ],
    isHidden: true, parameters: [kind])

  static let schemas = [
    ReportSchema("words", "Words to complete with.", [.init("word", .string, "One of them.")])
  ]

  func run(_ input: Input, in app: App) async throws {
    let words = Self.words(try input[Self.kind], app)
    let items = words.map { word -> JSONValue in ["word": .string(word)] }
    try app.output.show(Report(Self.schemas[0], items))
  }

  /// A kind that is unknown, or that nothing can be said about, has no words: a shell in the middle
  /// of a line has no use for an error.
  private static func words(_ kind: String, _ app: App) -> [String] {
    switch kind {
    case "topics":
      return Program.carrel.words(after: []).map(\.term) + HelpTopic.allCases.map(\.rawValue)
    case "settings": return Settings.all.map(\.key) + Settings.sections.map(\.name)
    case "schemas": return SchemaCommand.all.map(\.name)
    case "lanes":
      guard let lanes = try? app.configuration().lanes.shown else { return [] }
      return lanes.flatMap(\.flattened).map(\.lane.id)
    case "profiles":
      guard let folder = try? app.places().profiles else { return [] }
      return Files.names(in: folder).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
    default: return []
    }
  }
}
