import Arguments
import JSON
import TextSafety

struct CompletionCommand: Command {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  static let shell = Argument("shell", .choice("SHELL") as Kind<Shell>, "The shell you use.")

  static let spec = CommandSpec(
    "completion", "Print a completion script for your shell.",
    discussion: """
      Put the script where your shell looks for it:

        bash  ~/.local/share/bash-completion/completions/carrel
        zsh   a file _carrel in a folder of $fpath
        fish  ~/.config/fish/completions/carrel.fish
      """,
    examples: [
      .init("carrel completion bash", "Print the script for bash."),
      .init("carrel completion fish -o carrel.fish", "Write the one for fish to a file."),
    ],
    exits: [13], parameters: [shell])

  static let schemas = [
    ReportSchema(
      "completion", "A completion script.",
      [
        .init("shell", .string, "The shell it is for."),
        .init("script", .string, "The script."),
      ])
  ]

  func run(_ input: Input, in app: App) async throws {
    let shell = try input[Self.shell]
    let script =
      switch shell {
      case .bash: Program.carrel.bashCompletion
      case .zsh: Program.carrel.zshCompletion
      case .fish: Program.carrel.fishCompletion
      }
    let item: JSONValue = ["shell": .string(shell.rawValue), "script": .string(script)]
    try app.output.show(Report(Self.schemas[0], [item]) { _ in TerminalText(lines: script) })
  }
}
