import Foundation
import HTTP
import JourneySupport
import TestSupport
import Testing

/// Finding 11: a stranger announces bodies of nearly 16 MB, sends most of each, and stalls.
@Suite struct StrangerBodyTests {
  static let length = 15_900_000
  static let count = 17

  @Test(arguments: ["/", "/opds", "/sign-in", "/nowhere"])
  func `bodies that no route wants are refused before they fill any memory`(
    path: String
  ) async throws {
    try await Stage.playOnEach { stage in
      try await RunningGateway.serve(stage) { gateway in
        let (refused, growth) = try await Self.attack(gateway, path) { _ in "203.0.113.7" }
        #expect(refused == Self.count, "at \(path)")
        #expect(growth < 64 << 10, "\(growth) KiB at \(path)")
      }
    }
  }

  @Test(arguments: [1, 8])
  func `photographs that stall take room for three of them, and patrons sign in meanwhile`(
    clients: Int
  ) async throws {
    try await Stage.playOnEach { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        let (refused, growth) = try await Self.attack(gateway, "/sign-in/photo") {
          "203.0.113.\($0 % clients)"
        } meanwhile: {
          var patron = Visitor(gateway, at: "198.51.100.1")
          let start = ContinuousClock.now
          let status = try await patron.signIn(Mock.ada, "1111")
          #expect(status == 303)
          #expect(ContinuousClock.now - start < .seconds(5))
        }
        #expect(refused == Self.count - min(clients, 3))
        #expect(growth < 64 << 10, "\(growth) KiB from \(clients)")
      }
    }
  }

  /// How many posts were refused before their bodies ended, and by how many KiB the gateway's peak
  /// grew.
  private static func attack(
    _ gateway: RunningGateway, _ path: String, from client: (Int) -> String,
    meanwhile: () async throws -> Void = {}
  ) async throws -> (refused: Int, growth: Int) {
    // What a first answer loads is no part of the attack.
    var first = Visitor(gateway)
    for page in ["/", "/sign-in", "/opds"] { _ = try await first.send(page) }
    let before = try ProcessMemory.peak(of: gateway.processID)
    var sockets: [OpenSocket] = []
    let body = [UInt8](repeating: 0x41, count: length - 1)
    for number in 0..<count {
      let socket = try OpenSocket(port: gateway.port, patience: 2)
      let head =
        "POST /lib\(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(client(number))\r\n"
        + "Cookie: carrel_door=0123456789abcdef; __Secure-carrel_door=0123456789abcdef\r\n"
        + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: \(length)\r\n\r\n"
      _ = await socket.send(Array(head.utf8))
      sockets.append(socket)
    }
    await withTaskGroup(of: Void.self) { group in
      for socket in sockets { group.addTask { _ = await socket.send(body) } }
    }
    try await meanwhile()
    var refused = 0
    for socket in sockets where [413, 503].contains(await socket.status()) { refused += 1 }
    return (refused, try ProcessMemory.peak(of: gateway.processID) - before)
  }
}
