import HTTP
import Testing

@testable import HTTPServer

/// What a full server does for the next client.
@Suite struct `Room for connections` {
  private static let permit = AnswerPermit("a session")

  /// Answers `/patron` as to a patron who is signed in.
  private static let handler = Handler.immediate { request in
    if request.path == ["patron"] { request.permit(by: permit) }
    return .text("here")
  }

  @Test func `a full server closes the connection that was idle longest`() async throws {
    try await RunningServer.run(Self.handler) {
      $0.limits.connections = 3
    } _: { running in
      let old = try (0..<3).map { _ in try running.connect() }
      for client in old { #expect(try await client.get("/").status == 200) }
      let new = try running.connect()
      #expect(try await new.get("/").status == 200)
      #expect(try await old[0].isClosed())
      for client in old[1...] { #expect(try await client.get("/").status == 200) }
      #expect(running.server.connections == 3)
    }
  }

  @Test func `a full server keeps the connections of patrons before those of strangers`()
    async throws
  {
    try await RunningServer.run(Self.handler) {
      $0.limits.connections = 3
    } _: { running in
      let patron = try running.connect()
      #expect(try await patron.get("/patron").status == 200)
      var strangers: [RawClient] = []
      for _ in 0..<30 {
        let client = try running.connect()
        strangers.append(client)
        #expect(try await client.get("/").status == 200)
      }
      #expect(try await patron.get("/").status == 200)
    }
  }

  @Test(arguments: [
    "", "GET / HTTP/1.1\r\nHost:", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nab",
  ])
  func `clients that send nothing, half a head or half a body give way`(start: String)
    async throws
  {
    try await RunningServer.run(Self.handler, loops: 2) {
      ($0.limits.connections, $0.limits.uploadGrace) = (4, .zero)
      $0.limits.uploadSecureRate = 1 << 40
    } _: { running in
      var held: [RawClient] = []
      for _ in 0..<10 {
        let client = try running.connect()
        try await client.send(start)
        held.append(client)
        let new = try running.connect()
        #expect(try await new.get("/").status == 200)
      }
    }
  }

  @Test func `a request that is being answered is not closed for another client`() async throws {
    let (begun, gate) = (Gate(), Gate())
    let handler = Handler { request in
      if request.path == ["slow"] {
        begun.open()
        await gate.wait()
      }
      return .text("here")
    }
    try await RunningServer.run(handler, loops: 2) {
      $0.limits.connections = 2
    } _: { running in
      let slow = try running.connect()
      try await slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
      await begun.wait()
      for _ in 0..<10 {
        let new = try running.connect()
        #expect(try await new.get("/").status == 200)
      }
      gate.open()
      #expect(try await slow.answer().status == 200)
    }
  }

  @Test func `a client is slow that takes less than the rate for some time`() throws {
    var limits = Limits()
    (limits.answerRate, limits.uploadGrace) = (1000, .seconds(2))
    let start = Monotonic.now
    var delivery = Delivery()
    delivery.handedOver = 100_000
    delivery.note(100_000, at: start)
    #expect(!delivery.isSlow(at: start + .seconds(1), limits))
    #expect(delivery.isSlow(at: start + .seconds(3), limits))
    delivery.note(90_000, at: start + .seconds(4))
    #expect(!delivery.isSlow(at: start + .seconds(5), limits))
    // Having been fast once is not enough.
    delivery.note(90_000, at: start + .seconds(10))
    #expect(delivery.isSlow(at: start + .seconds(13), limits))
    delivery.note(0, at: start + .seconds(14))
    #expect(!delivery.isSlow(at: start + .seconds(20), limits))
  }
}
