import Glibc
import Machine
import Testing

/// What concerns the process as a whole runs one test after another.
@Suite(.serialized) struct `Whole process` {
  @Suite struct `Received signals` {
    @Test func `arrive as values, in order, at every stream that wants them`() async {
      var first = Signals.stream([.hangup, .terminate]).makeAsyncIterator()
      var second = Signals.stream([.hangup]).makeAsyncIterator()
      kill(getpid(), SIGHUP)
      #expect(await first.next() == .hangup)
      #expect(await second.next() == .hangup)
      kill(getpid(), SIGTERM)
      #expect(await first.next() == .terminate)
    }

    @Test func `do again what they did before when no stream is left`() async {
      // Ignored, because the default would end the tests.
      _ = signal(SIGHUP, SIG_IGN)
      defer { _ = signal(SIGHUP, SIG_DFL) }
      let task = Task {
        for await _ in Signals.stream([.hangup]) {}
      }
      task.cancel()
      await task.value
      var now = sigaction()
      unsafe sigaction(SIGHUP, nil, &now)
      #expect(unsafe unsafeBitCast(now.__sigaction_handler.sa_handler, to: Int.self) == 1)
    }
  }

  @Test func `a reader who closes is told apart from a failure`() throws {
    Signals.ignoreBrokenPipe()
    let ends = try #require(Pipe())
    let output = RawOutput(descriptor: ends.write)
    try output.write("some")
    ends.closeRead()
    #expect(throws: RawOutput.Failure.closedByReader) { try output.write("more") }
    #expect(throws: RawOutput.Failure.failed(code: EBADF)) {
      try RawOutput(descriptor: -1).write("x")
    }
  }
}
