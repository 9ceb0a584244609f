import HTTP
import Testing

@testable import HTTPServer

/// Large answers in memory that their readers do not take.
@Suite struct AnswerRoomTests {
  /// `/one/8` answers eight MiB to the patron "one".
  private static let handler = Handler.immediate { request in
    var response = Response.bytes(
      [UInt8](repeating: 1, count: (Int(request.path[1]) ?? 0) << 20), .bytes)
    response.patronHash = request.path[0]
    return response
  }

  private func open(_ running: RunningServer, _ path: String) async throws -> RawClient {
    let client = try RawClient(running.address, receiveBuffer: 4096)
    try await client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    return client
  }

  @Test func `a patron who reads none of them gets no more than so many, and others get theirs`()
    async throws
  {
    try await RunningServer.run(Self.handler) {
      $0.limits.answersPerReader = 20 << 20
    } _: { running in
      let unread = [try await open(running, "/one/16"), try await open(running, "/one/16")]
      let refused = try await unread[1].answer()
      #expect(refused.status == 503)
      #expect(refused.headers["Retry-After"] != nil)
      // What is small needs no room.
      #expect(try await running.connect().get("/one/0").status == 200)
      #expect(try await running.connect().get("/two/16").body.count == 16 << 20)
      unread[0].openWide()
      #expect(try await unread[0].answer().body.count == 16 << 20)
      #expect(try await running.connect().get("/one/16").body.count == 16 << 20)
    }
  }

  @Test func `all patrons together get no more than there is room for`() async throws {
    try await RunningServer.run(Self.handler) {
      $0.limits.answersInFlight = 40 << 20
    } _: { running in
      let unread = [try await open(running, "/one/16"), try await open(running, "/two/16")]
      #expect(try await running.connect().get("/three/16").status == 503)
      for client in unread {
        client.openWide()
        #expect(try await client.answer().body.count == 16 << 20)
      }
      #expect(try await running.connect().get("/three/16").status == 200)
    }
  }

  @Test func `one larger than all the room is given when nothing else waits`() async throws {
    try await RunningServer.run(Self.handler) {
      $0.limits.answersInFlight = 1 << 20
      $0.limits.answersPerReader = 1 << 20
    } _: { running in
      let answer = try await running.connect().get("/one/16")
      #expect(answer.body.count == 16 << 20)
    }
  }

  @Test func `one that is taken slower than the least rate is broken off, and its room is free`()
    async throws
  {
    try await RunningServer.run(Self.handler) {
      $0.timeouts.write = .milliseconds(200)
      $0.limits.answerRate = .max / 1000
      $0.limits.answersPerReader = 30 << 20
    } _: { running in
      let slow = try await open(running, "/one/30")
      let trickle = Task {
        // Byte by byte, thirty million times.
        while !Task.isCancelled { _ = try await slow.take(1) }
      }
      await #expect(throws: RawClient.Failure.self) { try await trickle.value }
      #expect(try await running.connect().get("/one/1").status == 200)
    }
  }
}
