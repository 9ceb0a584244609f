import HTTP
import Synchronization
import Testing

@testable import HTTPServer

/// Says which permits are good until it takes one back, and when it was asked.
private final class Judge: Sendable {
  private let good: Mutex<Set<String>>
  private let asked = Mutex<[Set<String>]>([])

  init(_ good: Set<String>) { self.good = Mutex(good) }

  var questions: [Set<String>] { asked.withLock { $0 } }

  func withdraw(_ word: String) { good.withLock { _ = $0.remove(word) } }

  func answer(_ permits: Set<AnswerPermit>) -> Set<AnswerPermit> {
    let words = Set(permits.compactMap { $0.grounds as? String })
    asked.withLock { $0.append(words) }
    return Set(good.withLock { $0.intersection(words) }.map { AnswerPermit($0) })
  }
}

@Suite struct PermitTests {
  /// `/one/4` answers four MiB by the permit "one", `/one/stream` without an end.
  private static let handler = Handler { request in
    request.permit(by: AnswerPermit(request.path[0]))
    guard let size = Int(request.path[1]) else {
      return .stream(
        StreamBody { writer in
          while true { try await writer.write([UInt8](repeating: 1, count: 1 << 16)) }
        }, .bytes)
    }
    return .bytes([UInt8](repeating: 1, count: size << 20), .bytes)
  }

  private func serve(
    _ judge: Judge, _ handler: Handler = Self.handler,
    _ body: (RunningServer) async throws -> Void
  ) async throws {
    try await RunningServer.run(handler, loops: 2) {
      $0.limits.answersPerReader = 128 << 20
    } _: { running in
      running.server.openAnswers.ask { judge.answer($0) }
      try await body(running)
    }
  }

  /// Four MiB stand in the kernel as a whole, sixty-four do not.
  @Test(arguments: ["4", "64", "stream"])
  func `breaks an answer off within a second when its permit is withdrawn, and no other`(
    what: String
  ) async throws {
    let judge = Judge(["one", "two"])
    try await serve(judge) { running in
      let slow = try RawClient(running.address, receiveBuffer: 1 << 12)
      let other = try RawClient(running.address, receiveBuffer: 1 << 12)
      try await slow.send("GET /one/\(what) HTTP/1.1\r\nHost: a\r\n\r\n")
      try await other.send("GET /two/4 HTTP/1.1\r\nHost: a\r\n\r\n")
      while !judge.questions.contains(["one", "two"]) { await Task.yield() }
      judge.withdraw("one")
      let start = ContinuousClock.now
      while !slow.isBroken { await Task.yield() }
      #expect(ContinuousClock.now - start < .seconds(1))
      #expect(!other.isBroken)
      other.openWide()
      #expect(try await other.answer().body.count == 4 << 20)
    }
  }

  @Test func `breaks off what a handler still works at, but not what a form did`() async throws {
    let judge = Judge([])
    let gate = Gate()
    let handler = Handler { request in
      request.permit(by: AnswerPermit("one"))
      await gate.wait()
      return .text("done")
    }
    try await serve(judge, handler) { running in
      let reader = try running.connect()
      let form = try running.connect()
      try await form.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n")
      try await reader.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      while !reader.isBroken { await Task.yield() }
      gate.open()
      #expect(try await form.answer().text == "done")
    }
  }

  @Test func `asks nothing while no answer is under way, and forgets those of before`() async throws
  {
    let judge = Judge(["one", "two"])
    try await serve(judge) { running in
      let client = try RawClient(running.address, receiveBuffer: 1 << 12)
      try await client.send("GET /one/4 HTTP/1.1\r\nHost: a\r\n\r\n")
      while judge.questions.isEmpty { await Task.yield() }
      client.openWide()
      #expect(try await client.answer().body.count == 4 << 20)
      // The same connection, as a proxy uses it for another client.
      judge.withdraw("one")
      try await client.send("GET /two/64 HTTP/1.1\r\nHost: a\r\n\r\n")
      while judge.questions.last != ["two"] { await Task.yield() }
      #expect(try await client.answer().body.count == 64 << 20)
      while !running.server.openAnswers.isIdle { await Task.yield() }
      let count = judge.questions.count
      #expect(try await client.get("/two/0").status == 200)
      #expect(judge.questions.count == count)
    }
  }
}
