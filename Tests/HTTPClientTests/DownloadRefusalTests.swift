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
  func `an answer without a file is handed back`(_ status: Int) async throws {
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
  func `more than the cap is refused, announced or not`(_ isAnnounced: Bool) async throws {
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

  @Test func `a range answer to a plain question is not believed for ever`() async throws {
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

  @Test func `a folder that is not there is a storing error`() async throws {
    let client = try Client.local()
    let download = Download(try .get("http://127.0.0.1:9/"), to: "/nonexistent/folder/book")
    let error = await failure { () async throws(TransportError) in
      try await download.run(over: client.transport)
    }
    #expect(error == .storing(.errno(2)))
  }

  @Test func `two downloads to one place do not mix`() async throws {
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

  @Test func `a link in place of the part file is not followed`() async throws {
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
