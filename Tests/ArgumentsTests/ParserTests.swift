import Arguments
import Testing

@Suite struct `Words on the command line` {
  @Test func `Words on the command line flags may stand anywhere`() throws {
    for line in [
      ["--home", "/x", "borrow", "whale", "--force"], ["borrow", "--force", "--home=/x", "whale"],
      ["--force", "borrow", "whale", "--home", "/x"],
    ] {
      guard case .run(let spec, let input) = try Sample.program.read(line) else {
        throw Sample.Missed()
      }
      #expect(spec.name == "borrow")
      #expect(try input[Sample.title] == "whale")
      #expect(try input[Sample.force])
      #expect(try input[Sample.home] == "/x")
    }
  }

  @Test func `two dashes on the command line turn all later words into arguments`() throws {
    let (_, input) = try Sample.input("search", "--", "--all", "-n", "--")
    #expect(try input[Sample.words] == ["--all", "-n", "--"])
    #expect(try !input[Sample.all])
  }

  @Test(arguments: [
    ["-n5"], ["-n", "5"], ["-n=5"], ["--limit=5"], ["--limit", "5"], ["-an5"], ["-an", "5"],
  ])
  func `an option's value may be attached to the option or follow it`(_ flags: [String]) throws {
    guard case .run(_, let input) = try Sample.program.read(["search", "x"] + flags) else {
      throw Sample.Missed()
    }
    #expect(try input[Sample.limit] == 5)
    #expect(try input[Sample.words] == ["x"])
  }

  @Test(arguments: [["-n", "-5"], ["-n-5"], ["--limit", "-5"], ["--limit=-5"]])
  func `a negative number on the command line is read as an option's value`(_ flags: [String])
    throws
  {
    guard case .run(_, let input) = try Sample.program.read(["search", "x"] + flags) else {
      throw Sample.Missed()
    }
    #expect(try input[Sample.limit] == -5)
  }

  @Test func `a single dash on the command line is read as a value`() throws {
    #expect(try Sample.input("hold", "list", "-").input[Sample.file] == "-")
  }

  @Test
  func `an empty argument is accepted, and an empty value attached to an option is refused`() throws
  {
    #expect(throws: UsageError.self) { try Sample.input("search", "x", "--tag=") }
    #expect(try Sample.input("search", "").input[Sample.words] == [""])
  }

  @Test func `an option's value is everything after its first equals sign`() throws {
    #expect(try Sample.input("search", "x", "--tag=a=b").input[Sample.tags] == ["a=b"])
  }

  @Test
  func `a repeated list option collects values in order, and a repeated count option counts`()
    throws
  {
    let (_, input) = try Sample.input("search", "x", "-ta", "--tag", "b", "-vv", "--verbose")
    #expect(try input[Sample.tags] == ["a", "b"])
    #expect(try input[Sample.verbose] == 3)
  }

  @Test func `an option that is left out has its default value`() throws {
    let (_, input) = try Sample.input("search", "x")
    #expect(try input[Sample.limit] == 20)
    #expect(try input[Sample.tags] == [])
    #expect(try input[Sample.patience] == nil)
    #expect(!input.has(Sample.limit))
  }

  @Test func `Words on the command line aliases lead to their command`() throws {
    #expect(try Sample.input("find", "x").name == "search")
  }

  @Test func `a command word after the command is read as an argument`() throws {
    #expect(try Sample.input("search", "search", "hold").input[Sample.words] == ["search", "hold"])
  }

  @Test func `an option's value is never read as the command`() throws {
    #expect(try Sample.input("--home", "borrow", "search", "x").name == "search")
    #expect(try Sample.input("-n", "5", "search", "x").name == "search")
  }

  @Test
  func `a global option may be given twice, and any other option with two values is refused`()
    throws
  {
    let (_, input) = try Sample.input("--home", "/a", "search", "x", "--home", "/b")
    #expect(try input[Sample.home] == "/b")
    let error = #expect(throws: UsageError.self) {
      try Sample.input("search", "x", "-n5", "--limit", "6")
    }
    #expect(error?.problem == .givenTwice)
    #expect(try Sample.input("search", "x", "-n5", "--limit", "5").input[Sample.limit] == 5)
  }
}

@Suite struct `Asking for help` {
  @Test(
    arguments: [
      ([], []), (["-h"], []), (["--help"], []), (["--json"], []), (["borrow", "-h"], ["borrow"]),
      (["--help", "borrow"], ["borrow"]), (["hold", "--help"], ["hold"]),
      (["hold", "cancel", "--help", "--bogus"], ["hold", "cancel"]), (["find", "-h"], ["find"]),
      (["search", "-ah", "x"], ["search"]),
    ] as [([String], [String])])
  func `Asking for help is understood in every form`(_ words: [String], _ path: [String]) throws {
    guard case .help(let topic, _) = try Sample.program.read(words) else { throw Sample.Missed() }
    #expect(Sample.program.command(at: topic)?.path == Sample.program.command(at: path)?.path)
    #expect(topic.first == path.first || Sample.program.command(at: path) != nil)
  }

  @Test func `Asking for help is not seen behind two dashes`() throws {
    #expect(try Sample.input("search", "--", "-h").input[Sample.words] == ["-h"])
  }

  @Test(arguments: [["--version"], ["search", "--version"], ["--version", "--json"]])
  func `the version option works with and without a command`(_ words: [String]) throws {
    guard case .version = try Sample.program.read(words) else { throw Sample.Missed() }
  }
}

@Suite struct `A wrong command line` {
  struct Row: Sendable, CustomTestStringConvertible {
    let words: [String]
    let problem: UsageError.Problem
    let message: String
    var meant: [String] = []
    var testDescription: String { words.joined(separator: " ") }
  }

  @Test(arguments: [
    Row(
      words: ["serach"], problem: .unknownCommand, message: "unknown command 'serach'",
      meant: ["search"]),
    Row(
      words: ["Search"], problem: .unknownCommand, message: "unknown command 'Search'",
      meant: ["search"]),
    Row(words: ["xyzzy"], problem: .unknownCommand, message: "unknown command 'xyzzy'"),
    Row(
      words: ["sear"], problem: .unknownCommand, message: "unknown command 'sear'",
      meant: ["search"]),
    Row(words: [""], problem: .unknownCommand, message: "unknown command ''"),
    Row(
      words: ["hold", "lsit"], problem: .unknownCommand, message: "unknown command 'hold lsit'",
      meant: ["hold list"]),
    Row(
      words: ["cancel"], problem: .unknownCommand, message: "unknown command 'cancel'",
      meant: ["hold cancel"]),
    Row(
      words: ["serach", "--help"], problem: .unknownCommand, message: "unknown command 'serach'",
      meant: ["search"]),
    Row(
      words: ["hold"], problem: .missingCommand, message: "'sample hold' needs one of: list, cancel"
    ),
    Row(
      words: ["search", "x", "--limti", "5"], problem: .unknownFlag,
      message: "unknown flag '--limti'", meant: ["--limit"]),
    Row(
      words: ["search", "x", "--lim=5"], problem: .unknownFlag, message: "unknown flag '--lim'",
      meant: ["--limit"]),
    Row(words: ["--bogus"], problem: .unknownFlag, message: "unknown flag '--bogus'"),
    Row(
      words: ["search", "x", "-limit", "5"], problem: .unknownFlag, message: "unknown flag '-l'",
      meant: ["--limit"]),
    Row(words: ["search", "x", "-z"], problem: .unknownFlag, message: "unknown flag '-z'"),
    Row(
      words: ["search", "x", "--force"], problem: .unknownFlag, message: "unknown flag '--force'"),
    Row(words: ["search"], problem: .missingArgument, message: "missing argument WORDS"),
    Row(words: ["borrow"], problem: .missingArgument, message: "missing argument TITLE"),
    Row(
      words: ["borrow", "a", "b", "c"], problem: .tooManyArguments,
      message: "borrow takes no more arguments: 'b' 'c' is too many"),
    Row(
      words: ["search", "x", "--limit"], problem: .missingValue,
      message: "--limit needs a value: --limit N"),
    Row(
      words: ["search", "x", "-n"], problem: .missingValue,
      message: "--limit needs a value: --limit N"),
    Row(
      words: ["search", "x", "--tag", "--all"], problem: .missingValue,
      message: "--tag needs a value: --tag WORD"),
    Row(
      words: ["search", "x", "--all=yes"], problem: .unwantedValue, message: "--all takes no value"),
    Row(
      words: ["search", "x", "-a=yes"], problem: .unwantedValue,
      message: "-a (--all) takes no value"),
    Row(
      words: ["search", "x", "-n", "many"], problem: .badValue,
      message: "--limit must be a whole number from -10 to 100, not 'many'"),
    Row(
      words: ["search", "x", "-n", "101"], problem: .badValue,
      message: "--limit must be a whole number from -10 to 100, not '101'"),
    Row(
      words: ["borrow", "x", "-f", "epbu"], problem: .badValue,
      message: "--format must be one of epub, pdf, not 'epbu'", meant: ["epub"]),
    Row(words: ["borrow", ""], problem: .badValue, message: "TITLE must be a word, not ''"),
    Row(
      words: ["search", "x", "--timeout", "5"], problem: .badValue,
      message: "--timeout must be a time such as 90s, 15m, 3d or 2w, not '5'"),
  ])
  func `A wrong command line is refused with a reason and, if near, a suggestion`(_ row: Row) {
    let error = #expect(throws: UsageError.self) { try Sample.program.read(row.words) }
    #expect(error?.problem == row.problem)
    #expect(error?.message == row.message)
    #expect(error?.suggestions == row.meant)
  }

  @Test func `A wrong command line names the usage where an argument is missing`() {
    let error = #expect(throws: UsageError.self) { try Sample.program.read(["borrow"]) }
    #expect(error?.usage == "sample borrow [flags] TITLE")
    #expect(error?.command == ["borrow"])
  }
}
