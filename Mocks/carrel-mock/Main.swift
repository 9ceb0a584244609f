import Arguments
import Console
import TextSafety

/// Starts the command line of the mock and leaves with its exit code: 0 done, 1 refused or not
/// verified, 2 wrong usage.
@main enum Main {
  static func main() {
    Process.takeSignals()
    Process.reportCrashes()
    let words = Array(CommandLine.arguments.dropFirst())
    Signals.watch([.interrupt, .terminate]) { _ in
      if !stop.give() { Process.leave(with: 130) }
      return nil
    }
    // Not on the main actor: this thread will not run it.
    Task.detached { await begin(words) }
    Process.park()
  }

  /// Given by a signal or over the admin interface.
  static let stop = Stop()

  private static func begin(_ words: [String]) async {
    do throws(UsageError) {
      switch try program.read(words) {
      case .run(let command, let input): Process.leave(with: try await run(command, input))
      case .help(let path, _):
        let page = HelpPage(program, TextLayout(width: 80, isStyled: false)).text(of: path)
        Process.leave(with: say(page?.text ?? "", on: .output) ? 0 : 1)
      case .version: Process.leave(with: say("carrel-mock 0.1.0\n", on: .output) ? 0 : 1)
      }
    } catch {
      say("carrel-mock: \(error.message)\n", on: .error)
      Process.leave(with: 2)
    }
  }

  private static func run(_ command: CommandSpec, _ input: Input) async throws(UsageError) -> Int32
  {
    switch command.path {
    case ["serve"]: try await ServeCommand.run(input)
    case ["health"]: try await HealthCommand.run(input)
    case ["scenarios"]: try ScenariosCommand.run(input)
    case ["scenario"]: try await ScenarioCommand.run(input)
    case ["state"]: try await StateCommand.run(input)
    case ["reset"]: try await PlainCommand.run(input, "/reset")
    case ["clock"]: try await ClockCommand.run(input)
    case ["fault"]: try await FaultCommand.run(input)
    case ["journal"]: try await JournalCommand.run(input)
    case ["verify"]: try await VerifyCommand.run(input)
    case ["find"]: try await FindCommand.run(input)
    case ["record"]: try await RecordCommand.run(input)
    case ["replay"]: try await ReplayCommand.run(input)
    case ["scan"]: try ScanCommand.run(input)
    case ["man"]: try ManCommand.run(input)
    default: try await PlainCommand.run(input, "/shutdown")
    }
  }

  static let program = Program(
    name: "carrel-mock", summary: "Plays the services Carrel talks to",
    discussion:
      "A library that really lends, in each vendor's own words, without network or account.",
    release: "0.1.0",
    examples: [CommandSpec.Example("carrel-mock serve --port 0", "Play on any port")],
    nouns: [],
    commands: [
      ServeCommand.spec, HealthCommand.spec, ScenariosCommand.spec, ScenarioCommand.spec,
      StateCommand.spec, PlainCommand.reset, ClockCommand.spec, FaultCommand.spec,
      JournalCommand.spec, VerifyCommand.spec, FindCommand.spec, RecordCommand.spec,
      ReplayCommand.spec, ScanCommand.spec, PlainCommand.shutdown, ManCommand.spec,
    ],
    globals: [],
    exits: [
      Program.Note("0", "Done."), Program.Note("1", "Refused, unreachable or not verified."),
      Program.Note("2", "Wrong usage."),
    ],
    environment: [Program.Note("CARREL_MOCK_ADMIN", "The admin address, in place of --admin.")],
    files: [], topics: [])

  @discardableResult static func say(_ text: String, on stream: OutputStream) -> Bool {
    (try? stream.write(document: Array(text.utf8))) != nil
  }
}
