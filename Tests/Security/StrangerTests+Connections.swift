import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// Strangers from many networks who hold every connection that the gateway takes.
@Suite(.timeLimit(.minutes(5))) struct `Strangers who hold connections` {
  @Test(arguments: ["", "GET /lib/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
  func `strangers of many networks who hold every connection keep no patron out`(
    start: String
  ) async throws {
    try await Stage.playOnEach { stage in
      try stage.addSettings("server:\n  connections: 256\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var sockets: [OpenSocket] = []
        for network in 1...8 {
          for _ in 0..<60 {
            let socket = try OpenSocket(port: gateway.port, from: "127.1.\(network).1")
            _ = await socket.send(Array(start.utf8))
            sockets.append(socket)
          }
        }
        let clock = ContinuousClock()
        let begun = clock.now
        var patron = Visitor(gateway, at: "198.51.100.1")
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        #expect(try await patron.send("/my-books").status.code == 200)
        #expect(clock.now - begun < .seconds(5))
        _ = sockets
      }
    }
  }

  @Test func `a patron's connection stays open while strangers fill the gateway`() async throws {
    try await Stage.playOnEach { stage in
      try stage.addSettings("server:\n  connections: 128\n  connections_per_address: 128\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        // All at one address: nothing but the sign-in tells the patron from the others.
        func connect() throws -> OpenSocket {
          try OpenSocket(port: gateway.port, from: "127.1.1.1")
        }
        let pair = Data("\(Mock.ada):1111".utf8).base64EncodedString()
        let shelf = """
          GET /lib/opds/shelf HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic \(pair)\r\n\r\n
          """
        let patron = try connect()
        _ = await patron.send(Array(shelf.utf8))
        #expect(await patron.status() == 200)
        var strangers: [OpenSocket] = []
        for _ in 0..<300 { strangers.append(try connect()) }
        await patron.drain()
        _ = await patron.send(Array(shelf.utf8))
        #expect(await patron.status() == 200)
        let other = try connect()
        _ = await other.send(Array(shelf.utf8))
        #expect(await other.status() == 200)
        _ = strangers
      }
    }
  }
}
