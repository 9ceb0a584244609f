import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// Strangers from several addresses who hold all the room for uploads, and those who want to upload
/// something meanwhile.
@Suite(.timeLimit(.minutes(10))) struct `Strangers who hold uploads` {
  private static let length = 15_900_000

  @Test func `slow uploads of strangers keep neither a patron nor another stranger from uploading`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway, at: "198.51.100.1")
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        #expect(try await patron.send("/profile").status.code == 200)
        var stranger = Visitor(gateway, at: "198.51.100.2")
        _ = try await stranger.send("/sign-in")

        var sockets: [OpenSocket] = []
        for number in 0..<3 {
          var holder = Visitor(gateway, at: "203.0.\(number).1")
          _ = try await holder.send("/sign-in")
          let socket = try OpenSocket(port: gateway.port, patience: 3)
          _ = await socket.send(Array(Self.head("/sign-in/photo", holder).utf8))
          // Enough to be taken for twenty seconds.
          _ = await socket.send([UInt8](repeating: 0x41, count: 300_000))
          sockets.append(socket)
        }
        #expect(await sockets[0].status() == nil, "it is held")
        #expect(try await Self.upload(&patron, "/profile/picture", from: "/profile") != 503)
        #expect(try await Self.upload(&stranger, "/sign-in/photo", from: "/sign-in") != 503)
        // One had to give way, and the others have their room still.
        var statuses: [Int?] = []
        for socket in sockets { statuses.append(await socket.status()) }
        #expect(statuses.count { $0 == 503 } == 1, "\(statuses)")
        #expect(statuses.count { $0 == nil } == 2, "\(statuses)")
      }
    }
  }

  @Test func `an upload without the cookie of a page is refused before its body comes`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await RunningGateway.serve(stage) { gateway in
        for path in ["/sign-in/photo", "/profile/picture"] {
          let socket = try OpenSocket(port: gateway.port, patience: 5)
          let visitor = Visitor(gateway, at: "203.0.113.1")
          _ = await socket.send(Array(Self.head(path, visitor).utf8))
          #expect(await socket.status() == 413, "\(path)")
        }
      }
    }
  }

  private static func head(_ path: String, _ visitor: Visitor) -> String {
    let cookies = visitor.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    return """
      POST /lib\(path) HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(visitor.address)\r\n\
      X-Forwarded-Proto: https\r\nCookie: \(cookies)\r\n\
      Content-Type: multipart/form-data; boundary=x\r\nContent-Length: \(length)\r\n\r\n
      """
  }

  /// The status of a picture of 4 MB, which is none; as fast as this machine sends it.
  private static func upload(
    _ visitor: inout Visitor, _ path: String, from page: String
  ) async throws -> Int {
    let html = String(decoding: try await visitor.send(page).body, as: UTF8.self)
    let seal = try #require(html.firstMatch(of: /name="seal" value="([^"]*)"/)).output.1
    let body =
      "--x\r\nContent-Disposition: form-data; name=\"seal\"\r\n\r\n\(seal)\r\n"
      + "--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n"
      + "Content-Type: image/jpeg\r\n\r\n" + String(repeating: "A", count: 4_000_000)
      + "\r\n--x--\r\n"
    return try await visitor.send(
      path, .post, ["Content-Type": "multipart/form-data; boundary=x"], body: Array(body.utf8)
    ).status.code
  }
}
