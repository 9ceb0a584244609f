import Glibc
import Machine
import Testing

@Suite struct `A terminal` {
  struct Row: Sendable {
    let isTerminal: Bool
    let variables: [String: String]
    let refused: Bool
    let colored: Bool
    init(_ isTerminal: Bool, _ variables: [String: String], refused: Bool = false, _ colored: Bool)
    {
      (self.isTerminal, self.variables) = (isTerminal, variables)
      (self.refused, self.colored) = (refused, colored)
    }
  }

  @Test(arguments: [
    Row(true, [:], true),
    Row(false, [:], false),
    Row(true, ["NO_COLOR": ""], true),
    Row(true, ["NO_COLOR": "0"], false),
    Row(true, ["TERM": "dumb"], false),
    Row(true, ["TERM": "xterm"], true),
    Row(true, [:], refused: true, false),
    Row(false, ["CLICOLOR_FORCE": "1"], true),
    Row(false, ["CLICOLOR_FORCE": "0"], false),
    Row(false, ["CLICOLOR_FORCE": ""], false),
    Row(true, ["TERM": "dumb", "CLICOLOR_FORCE": "1"], true),
    Row(true, ["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
    Row(true, ["CLICOLOR_FORCE": "1"], refused: true, false),
  ])
  func `is coloured only where that is wanted`(row: Row) {
    #expect(
      Terminal.usesColor(
        isTerminal: row.isTerminal, in: Environment(row.variables), isRefused: row.refused)
        == row.colored)
  }

  @Test func `knows its width, unless COLUMNS knows better`() throws {
    let pair = try #require(PseudoTerminal(columns: 132))
    let terminal = Terminal(descriptor: pair.program)
    #expect(terminal.isTerminal)
    #expect(terminal.width(in: Environment([:])) == 132)
    #expect(terminal.width(in: Environment(["COLUMNS": "60"])) == 60)
    for nonsense in ["", "0", "-4", "wide", "99999999999999999999"] {
      #expect(terminal.width(in: Environment(["COLUMNS": nonsense])) == 132)
    }
  }

  @Test func `is not what a pipe is`() throws {
    let ends = try #require(Pipe())
    #expect(!Terminal(descriptor: ends.read).isTerminal)
    #expect(Terminal(descriptor: ends.read).width(in: Environment([:])) == nil)
    #expect(throws: PromptError.notATerminal) { try Prompt(input: ends.read).hidden("PIN: ") }
  }
}

extension `Whole process` {
  // One terminal takes one answer at a time, and signals reach the whole process.
  @Suite struct `A prompt` {
    let pair: PseudoTerminal
    let prompt: Prompt

    init() throws {
      pair = try #require(PseudoTerminal())
      prompt = Prompt(input: pair.program, output: pair.program)
    }

    func asking(_ body: @escaping @Sendable (Prompt) throws(PromptError) -> [UInt8])
      -> Task<Result<[UInt8], PromptError>, Never>
    {
      let prompt = prompt
      return Task {
        await OwnThread.run {
          Result { () throws(PromptError) -> [UInt8] in try body(prompt) }
        }
      }
    }

    @Test func `reads a line and leaves the next to others`() async {
      let answer = asking { (prompt) throws(PromptError) in Array(try prompt.line("Name: ").utf8) }
      #expect(pair.see(until: "Name: ") == "Name: ")
      pair.type("Ada Löwe\nrest\n")
      #expect(await answer.value == .success(Array("Ada Löwe".utf8)))
      var next = [UInt8](repeating: 0, count: 16)
      #expect(unsafe read(pair.program, &next, 16) == 5)
    }

    @Test func `shows nothing of a hidden line, and echoes again afterwards`() async {
      let answer = asking { (prompt) throws(PromptError) in try prompt.hidden("PIN: ") }
      #expect(pair.see(until: "PIN: ") == "PIN: ")
      #expect(!pair.echoes)
      pair.type("4711\n")
      #expect(await answer.value == .success(Array("4711".utf8)))
      #expect(pair.see(until: "\r\n") == "\r\n")
      #expect(pair.echoes)
    }

    @Test func `ends when the person closes the input`() async {
      let answer = asking { (prompt) throws(PromptError) in try prompt.hidden("PIN: ") }
      _ = pair.see(until: "PIN: ")
      pair.type("\u{4}")
      #expect(await answer.value == .failure(.ended))
      #expect(pair.echoes)
    }

    @Test func `puts the echo back when a signal interrupts it`() async {
      // Someone listens to the signal, so that it does not end the tests.
      var signals = Signals.stream([.interrupt]).makeAsyncIterator()
      let answer = asking { (prompt) throws(PromptError) in try prompt.hidden("PIN: ") }
      _ = pair.see(until: "PIN: ")
      #expect(!pair.echoes)
      kill(getpid(), SIGINT)
      #expect(await answer.value == .failure(.interrupted))
      #expect(pair.echoes)
      #expect(await signals.next() == .interrupt)
    }

    @Test func `refuses a second question at the same time`() async {
      let answer = asking { (prompt) throws(PromptError) in try prompt.hidden("PIN: ") }
      _ = pair.see(until: "PIN: ")
      #expect(throws: PromptError.busy) { try prompt.hidden("PIN: ") }
      pair.type("1\n")
      #expect(await answer.value == .success(Array("1".utf8)))
    }
  }
}
