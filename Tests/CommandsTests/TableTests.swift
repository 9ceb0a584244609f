import Arguments
import Foundation
import Setup
import Testing
import TextSafety

@testable import Commands

@Suite struct `The table of commands` {
  static let specs = allCommands.map { $0.spec }
  static let names = specs.map(\.name)

  private func spec(_ name: String) throws -> CommandSpec {
    try #require(Self.specs.first { $0.name == name })
  }

  @Test(arguments: names)
  func `The table of commands gives each command a sentence and two examples that work`(
    _ name: String
  ) throws {
    let spec = try spec(name)
    #expect(spec.summary.hasSuffix("."))
    #expect(spec.summary.count <= 72)
    #expect(spec.examples.count >= 2)
    for example in spec.examples {
      #expect(!example.meaning.isEmpty)
      let words = example.line.split(separator: " ").map(String.init)
      #expect(words.first == "carrel")
      guard case .run(let found, _) = try Program.carrel.read(Array(words.dropFirst())) else {
        Issue.record("\(example.line) runs nothing")
        continue
      }
      #expect(found.name == name)
    }
  }

  @Test(arguments: names)
  func `The table of commands explains each parameter in a sentence`(_ name: String) throws {
    for parameter in try spec(name).parameters + Program.carrel.globals {
      #expect(parameter.help.hasSuffix(".") && parameter.help.count > 8, "\(parameter.spelling)")
      #expect(parameter.help.count <= 90, "\(parameter.spelling)")
    }
  }

  @Test(arguments: names)
  func `The table of commands uses only exit codes and variables that are explained`(_ name: String)
    throws
  {
    let spec = try spec(name)
    let codes = Program.carrel.exits.map(\.term)
    #expect(spec.exits.allSatisfy { codes.contains("\($0)") })
    let variables = Program.carrel.environment.map(\.term)
    #expect(spec.environment.allSatisfy(variables.contains))
  }

  @Test(arguments: specs.filter { !$0.isHidden }.map(\.name))
  func `The table of commands puts each command and flag into help, manual and completion`(
    _ name: String
  ) throws {
    let spec = try spec(name)
    let page = try #require(
      HelpPage(.carrel, TextLayout(width: 80, isStyled: false)).text(of: spec.path)
    ).text
    let manual = Manual.pages.first { $0.fileName == "carrel-\(spec.path[0]).1" }
    let text = try #require(manual?.text)
    #expect(text.contains(spec.examples[0].line.split(separator: "-")[0]))
    for flag in spec.flags {
      #expect(page.contains("--\(flag.name)"))
      #expect(text.contains("\\-\\-" + flag.name.split(separator: "-").joined(separator: "\\-")))
      #expect(Program.carrel.bashCompletion.contains("--\(flag.name)"))
      #expect(Program.carrel.zshCompletion.contains("--\(flag.name)"))
      #expect(Program.carrel.fishCompletion.contains("-l \(flag.name) "))
    }
    #expect(Program.carrel.bashCompletion.contains("\" \(name)\""))
    #expect(Program.carrel.zshCompletion.contains("_carrel_\(spec.path.joined(separator: "_"))()"))
    #expect(Program.carrel.fishCompletion.contains("-a \(spec.path.last ?? "") "))
  }

  @Test func `The table of commands has no name twice`() {
    let all = Self.specs.flatMap { [$0.path] + $0.aliases }
    #expect(Set(all).count == all.count)
    for spec in Self.specs {
      let flags = spec.flags + Program.carrel.globals
      #expect(Set(flags.map(\.name)).count == flags.count, "\(spec.name)")
      let shorts = flags.compactMap(\.short)
      #expect(Set(shorts).count == shorts.count, "\(spec.name)")
      let arguments = spec.arguments.map(\.name)
      #expect(Set(arguments).count == arguments.count)
    }
  }

  @Test func `The table of commands keeps the reserved flags for what they are reserved for`() {
    let reserved: [String: Character?] = [
      "help": "h", "version": nil, "verbose": "v", "quiet": "q", "json": nil, "jsonl": nil,
      "plain": nil, "no-color": nil, "no-input": nil, "yes": "y", "config": nil, "profile": nil,
      "timeout": nil, "output": "o", "debug": nil, "home": nil, "as": nil,
    ]
    let globals = Program.carrel.globals
    #expect(Set(globals.map(\.name)) == Set(reserved.keys))
    for flag in globals { #expect(reserved[flag.name] == flag.short, "\(flag.name)") }
    // -n means --dry-run wherever it exists.
    for flag in Self.specs.flatMap(\.flags) where flag.short == "n" {
      #expect(flag.name == "dry-run")
    }
  }

  @Test func `The table of commands has a noun for each word with verbs`() {
    let words = Self.specs.filter { $0.path.count > 1 && !$0.isHidden }.map { $0.path[0] }
    #expect(Set(words) == Set(Program.carrel.nouns.map(\.name)))
  }

  @Test func `The table of commands has each command in a file of its own`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/App/Commands/List").standardized
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let types = allCommands.map { "\($0).swift" }
    #expect(Set(files) == Set(types))
  }

  @Test func `The table of commands declares each schema once`() {
    let names = SchemaCommand.all.map(\.name)
    #expect(Set(names).count == names.count)
  }
}

@Suite struct `The table of errors` {
  @Test(arguments: ErrorCode.allCases)
  func `The table of errors says what each code means and what to do`(_ code: ErrorCode) {
    #expect(code.cause.hasSuffix(".") && code.remedy.hasSuffix("."))
    // What is wrong with a book has the words of its standards, which have hyphens.
    let joint: Character = code.bookRow == nil ? "_" : "-"
    #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == joint })
    #expect(code.exit != .done)
  }

  @Test func `The table of errors has a word for every fault of a command line`() {
    for problem in UsageError.Problem.allCases {
      #expect(ErrorCode(problem).rawValue == problem.rawValue)
      #expect(ErrorCode(problem).exit == .usage)
    }
  }

  @Test func `The table of errors has a word for every reason the gateway may fail`() {
    for reason in ServeError.Reason.allCases {
      #expect(CommandError(ServeError(reason, "x")).code.rawValue == reason.rawValue)
    }
  }

  @Test func `The table of errors exit codes keep their numbers`() {
    let numbers = ExitCode.allCases.map(\.rawValue)
    #expect(numbers == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 130])
  }

  @Test func `an unknown error is reported as a bug with a command that shows more`() {
    struct Strange: Error {}
    let failure = Session.failure(Strange(), ["version"])
    #expect(failure.code == .unexpected)
    #expect(failure.text.text.contains("This is a bug"))
    #expect(failure.attempt == "carrel version --debug")
  }
}
