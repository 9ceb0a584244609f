import Arguments
import JSON
import TextSafety

struct HelpCommand: Command {
  static let topic = Argument(
    list: "topic", Kind<String>.word.completed(by: .dynamic("topics")),
    "A command, a word such as 'config', or a reference page such as 'errors'.")

  static let spec = CommandSpec(
    "help", "Explain a command or a topic.",
    examples: [
      .init("carrel help config show", "All about one command."),
      .init("carrel help errors", "Every error code, its cause and its remedy."),
      .init("carrel help --json", "The whole command line, for programs."),
    ],
    exits: [5], parameters: [topic])

  static let schemas = [commandSchema, HelpTopic.errorSchema, HelpTopic.schema]

  static let commandSchema = ReportSchema(
    "commands", "Commands and their parameters.",
    [
      .init("command", .string, "Its words."),
      .init("summary", .string, "What it does."),
      .init("usage", .string, "How it is called."),
      .init("aliases", .list(.string), "Other words for it."),
      .init("examples", .list(.string), "Lines that work."),
      .init("parameters", .list(.object(parameterProperties)), "Arguments and flags."),
    ])

  private static let parameterProperties: [ReportSchema.Property] = [
    .init("name", .string, "As it is typed."),
    .init("short", .string, "Its short form.", required: false),
    .init("value", .string, "What stands for its value in help.", required: false),
    .init("help", .string, "What it does."),
    .init("required", .boolean, "Whether it must be there."),
    .init("repeatable", .boolean, "Whether it may be there several times."),
    .init("default", .string, "Its value when left out.", required: false),
    .init("choices", .list(.string), "The values it takes.", required: false),
  ]

  func answerAtOnce(_ input: Input, in app: App) throws -> Bool {
    let words = try input[Self.topic]
    if words.count == 1, let topic = HelpTopic(rawValue: words[0]) {
      try app.output.show(topic.report)
    } else {
      try Self.show(words, in: app)
    }
    return true
  }

  /// Help on a command, on a noun, or (for no words) on the whole program.
  static func show(_ words: [String], in app: App) throws(CommandError) {
    let program = Program.carrel
    // Help is read, not processed: a pipe gets lines of a common length.
    let layout = TextLayout(
      width: app.surroundings.width ?? 80, isStyled: app.output.layout.isStyled)
    guard let page = HelpPage(program, layout).text(of: words) else {
      throw unknown(words)
    }
    let command = program.command(at: words).map { [$0] }
    let items = (command ?? program.commands(below: words)).map(item)
    try app.output.show(Report(commandSchema, items) { _ in page })
  }

  private static func unknown(_ words: [String]) -> CommandError {
    let typed = words.joined(separator: " ")
    let names =
      Program.carrel.shown.map(\.name) + HelpTopic.allCases.map(\.rawValue)
      + Program.carrel.nouns.map(\.name)
    var error = CommandError(
      .unknownTopic, "there is no help on '\(typed)'", try: "carrel help")
    error.suggestions = nearest(to: typed, among: names)
    return error
  }

  private static func item(_ command: CommandSpec) -> JSONValue {
    [
      "command": .string(command.name), "summary": .string(command.summary),
      "usage": .string(command.usage(of: Program.carrel.name)),
      "aliases": .array(command.aliases.map { .string($0.joined(separator: " ")) }),
      "examples": .array(command.examples.map { .string($0.line) }),
      "parameters": .array(command.parameters.map(item)),
    ]
  }

  private static func item(_ parameter: Parameter) -> JSONValue {
    var object = JSONObject([
      .init("name", .string(parameter.spelling)), .init("help", .string(parameter.help)),
      .init("required", .bool(parameter.isRequired)),
      .init("repeatable", .bool(parameter.isRepeatable || parameter.role == .count)),
    ])
    object["short"] = parameter.short.map { .string("-\($0)") }
    object["value"] = parameter.takesValue ? .string(parameter.placeholder) : nil
    object["default"] = parameter.defaultText.map(JSONValue.string)
    if case .choices(let words) = parameter.completion {
      object["choices"] = .array(words.map(JSONValue.string))
    }
    return .object(object)
  }
}
