import Foundation
import HTTPServer
import Items
import Secrets
import Setup
import TestSupport
import Testing
import TextSafety

@testable import Bootstrap

/// What the doctor says of whatever answers at the port of the settings.
@Suite(.timeLimit(.minutes(2))) struct `The doctor at the port of the gateway` {
  private func seat(_ folder: TemporaryFolder, port: Int, home: String = "data") throws -> Seat {
    let configuration = try Configuration(
      from: ConfigurationSources(flags: [
        .init("--port", sets: "server.port", to: "\(port)"),
        .init("--level", sets: "log.level", to: "error"),
      ]))
    let place = GatewayPlace(
      data: folder.path(home), state: folder.path("state"), cache: folder.path("cache"),
      environment: [:], processID: 1)
    return Seat(configuration: configuration, place: place, patron: nil, passphrase: { nil })
  }

  private func gateway(at seat: Seat) async throws -> CheckupItem {
    let checks = await LinkedEngine().examine(at: seat)
    return try #require(checks.first { $0.check == "gateway" })
  }

  @Test
  func `the doctor reports another web server at the gateway's port as another program`()
    async throws
  {
    // It says everything that a gateway would say, and returns what it was asked.
    let server = try RawServer { connection in
      while let request = connection.request() {
        let question = request.header(GatewayIdentity.question) ?? ""
        let headers = ["X-Request-Id: 1", "\(GatewayIdentity.answer): \(question)"]
        connection.answer("200 OK", headers, "ready\n")
      }
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let found = try await gateway(at: seat(folder, port: server.port))
      #expect(found.state == .fail)
      #expect(found.message.hasPrefix("Another program answers 200 at 127.0.0.1:\(server.port)"))
      #expect(found.attempt == "ss -ltnp 'sport = :\(server.port)'")
    }
  }

  @Test(arguments: ["SSH-2.0-OpenSSH_9.2\r\n", ""])
  func `the doctor reports a program at the gateway's port that does not speak HTTP`(
    _ greeting: String
  ) async throws {
    let server = try RawServer { connection in
      connection.write(greeting)
      _ = connection.request()
      connection.write(greeting)
    }
    defer { server.stop() }
    try await withTemporaryFolder { folder in
      let found = try await gateway(at: seat(folder, port: server.port))
      #expect(found.state == .fail, "\(found)")
      #expect(found.message.hasPrefix("Another program listens at"), "\(found)")
    }
  }

  @Test
  func `the doctor warns that no gateway runs when nothing listens at the port`() async throws {
    let port = try sparePort()
    try await withTemporaryFolder { folder in
      let found = try await gateway(at: seat(folder, port: port))
      #expect(found.state == .warn && found.message == "None runs at 127.0.0.1:\(port).")
    }
  }

  @Test func `the doctor recognizes the gateway of its own data and no other gateway`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let port = try sparePort()
      let own = try seat(folder, port: port)
      let (started, starting) = AsyncStream<Listening>.makeStream()
      let gateway = Task {
        try await LinkedEngine().serve(own.configuration, in: own.place) { starting.yield($0) }
      }
      for await _ in started { break }
      let found = try await self.gateway(at: own)
      #expect(found.state == .ok, "\(found)")
      #expect(found.message == "It runs at 127.0.0.1:\(port) and is ready.")
      let other = try await self.gateway(at: seat(folder, port: port, home: "other"))
      #expect(other.state == .fail, "\(other)")
      #expect(other.message.hasPrefix("Another program answers 200"))
      gateway.cancel()
      try await gateway.value
    }
  }

  @Test
  func `a gateway proves its identity only for a valid question, each time differently`() throws {
    let identity = GatewayIdentity(Secret("key"))
    let question = GatewayIdentity.newQuestion()
    let answer = try #require(identity.answer(to: question))
    #expect(identity.isProved(by: answer, to: question))
    #expect(!identity.isProved(by: answer, to: GatewayIdentity.newQuestion()))
    #expect(!identity.isProved(by: nil, to: question))
    #expect(!GatewayIdentity(Secret("other")).isProved(by: answer, to: question))
    for text in ["", "ada", String(repeating: "x", count: 64)] {
      #expect(identity.answer(to: text) == nil)
    }
  }
}
