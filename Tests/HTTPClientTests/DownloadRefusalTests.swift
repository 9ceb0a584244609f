import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A download that cannot succeed leaves no false file` {
  private func outcome(
    most: Int = 1000, in folder: TemporaryFolder,
    _ script: @escaping @Sendable (RawConnection) -> Void
  ) async throws -> Result<Download.Outcome, TransportError> {
    let server = try RawServer(script)
    defer { server.stop() }
    let client = try Client.local()
    var request = try Request.get(server.url())
    request.limits.body = most
    do throws(TransportError) {
      return .success(
        try await Download(request, to: folder.file("book")).run(over: client.transport))
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [401, 403, 404, 410, 500, 503])
  func `a download hands back an error reply and writes no file`(_ status: Int) async throws {
    let folder = try TemporaryFolder()
    let result = try await outcome(in: folder) { connection in
      _ = connection.request()
      connection.answer("\(status) No", [], "because")
    }
    guard case .success(.answered(let reply)) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reply.status == Status(status))
    #expect(reply.body == Array("because".utf8))
    #expect(folder.names.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a download over its size limit is refused with or without an announced length`(
    _ isAnnounced: Bool
  ) async throws {
    let folder = try TemporaryFolder()
    let result = try await outcome(in: folder) { connection in
      _ = connection.request()
      let length = isAnnounced ? "Content-Length: 2000\r\n" : ""
      connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\n\(length)\r\n")
      connection.write([UInt8](repeating: 1, count: 2000))
    }
    #expect(result == .failure(.tooLarge(.body(most: 1000))))
    #expect(folder.read("book") == nil)
  }

  @Test func `a download refuses repeated 206 replies to requests without a range`() async throws {
    let folder = try TemporaryFolder()
    let result = try await outcome(in: folder) { connection in
      while connection.request() != nil {
        connection.answer("206 X", ["Content-Range: bytes 5-9/10"], "world")
      }
    }
    guard case .failure(.malformedReply) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(folder.names.isEmpty)
  }

  @Test func `a download into a missing folder is a storage error`() async throws {
    let client = try Client.local()
    let download = Download(try .get("http://127.0.0.1:9/"), to: "/nonexistent/folder/book")
    let error = await failure { () async throws(TransportError) in
      try await download.run(over: client.transport)
    }
    #expect(error == .storing(.errno(2)))
  }

  @Test func `a second download to the same file is refused as busy`() async throws {
    let folder = try TemporaryFolder()
    let signals = Signals<String>()
    let server = try RawServer { connection in
      _ = connection.request()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      signals.send("begun")
      connection.waitForClose()
    }
    defer { server.stop() }
    let client = try Client.local()
    let download = Download(try .get(server.url()), to: folder.file("book"))
    let first = Task {
      await failure { () async throws(TransportError) in
        try await download.run(over: client.transport)
      }
    }
    #expect(await signals.next() == "begun")
    let second = await failure { () async throws(TransportError) in
      try await download.run(over: client.transport)
    }
    #expect(second == .storing(.busy))
    first.cancel()
    #expect(await first.value == .cancelled)
    #expect(folder.read("book") == nil)
  }

  @Test func `a download does not follow a symbolic link in place of its part file`() async throws {
    let folder = try TemporaryFolder()
    try folder.write([1, 2, 3], to: "victim")
    try run("ln", "-s", folder.file("victim"), folder.file("book.part"))
    let result = try await outcome(in: folder) { connection in
      _ = connection.request()
      connection.answer("200 OK", [], "new")
    }
    #expect(result == .failure(.storing(.errno(40))))
    #expect(folder.read("victim") == [1, 2, 3])
  }
}
