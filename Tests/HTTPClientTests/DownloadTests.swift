import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A download resumes and ends whole` {
  /// One version of a file at a server that knows ranges.
  struct Version: Sendable {
    var bytes: [UInt8]
    var headers = ["ETag: \"v1\""]
    /// How many bytes each connection gives before it is cut; nil for all.
    var cut: Int?
    var ignoresRanges = false

    func serve(_ request: RawConnection.Request, on connection: RawConnection) {
      let start = request.header("Range").flatMap { range -> Int? in
        guard !ignoresRanges, range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        let condition = request.header("If-Range")
        let isSame = headers.contains { $0.components(": ").last == condition }
        return isSame ? Int(range.dropFirst(6).dropLast()) : nil
      }
      let rest = bytes[(start ?? 0)...]
      var lines = headers + ["Content-Length: \(rest.count)"]
      if let start {
        lines.append("Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
      }
      let status = start == nil ? "200 OK" : "206 Partial Content"
      connection.write("HTTP/1.1 \(status)\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n")
      connection.write(Array(rest.prefix(cut ?? rest.count)))
    }
  }

  static let book = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

  private func download(
    _ server: RawServer, to folder: TemporaryFolder, most: Int = 1 << 20,
    progress: @escaping @Sendable (Download.Progress) -> Void = { _ in }
  ) async throws(TransportError) -> Download.Outcome {
    let client: Client
    var request: Request
    do {
      client = try Client.local()
      request = try Request.get(server.url("/book?signature=secret"))
    } catch {
      throw .other(Cause(code: 0, phrase: "setup"))
    }
    request.limits.body = most
    return try await Download(request, to: folder.file("book.epub"), progress: progress)
      .run(over: client.transport)
  }

  private func size(_ outcome: Download.Outcome) -> Int? {
    if case .stored(let stored) = outcome { stored.size } else { nil }
  }

  private func resumedFrom(_ outcome: Download.Outcome) -> Int? {
    if case .stored(let stored) = outcome { stored.resumedFrom } else { nil }
  }

  @Test
  func `a download ends in one go, reports its progress and leaves only the file`() async throws {
    let folder = try TemporaryFolder()
    let steps = Journal<Download.Progress>()
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      Version(bytes: Self.book).serve(request, on: connection)
    }
    defer { server.stop() }
    let outcome = try await download(server, to: folder, progress: { steps.append($0) })
    #expect(size(outcome) == Self.book.count)
    #expect(resumedFrom(outcome) == 0)
    #expect(folder.read("book.epub") == Self.book)
    #expect(folder.names == ["book.epub"])
    #expect(steps.all.last == .init(received: Self.book.count, total: Self.book.count))
    #expect(steps.all.map(\.received) == steps.all.map(\.received).sorted())
  }

  struct Validator: Sendable, CustomTestStringConvertible {
    let headers: [String]
    let resumes: Bool
    var testDescription: String { headers.joined(separator: ", ") }
  }

  @Test(arguments: [
    Validator(headers: ["ETag: \"v1\""], resumes: true),
    Validator(
      headers: [
        "Last-Modified: Sat, 01 Nov 2025 10:00:00 GMT", "Date: Sat, 21 Nov 2026 10:00:00 GMT",
      ], resumes: true),
    Validator(headers: ["ETag: W/\"v1\""], resumes: false),
    Validator(
      headers: [
        "ETag: W/\"v1\"", "Last-Modified: Sat, 01 Nov 2025 10:00:00 GMT",
        "Date: Sat, 21 Nov 2026 10:00:00 GMT",
      ], resumes: false),
    Validator(
      headers: [
        "Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT", "Date: Sat, 21 Nov 2026 10:00:00 GMT",
      ], resumes: false),
    Validator(headers: ["Last-Modified: Sat, 21 Nov 2026 10:00:00 GMT"], resumes: false),
    Validator(headers: ["ETag: unquoted"], resumes: false),
    Validator(headers: [], resumes: false),
  ])
  func `a broken download resumes only where the version is proved to be the same`(_ row: Validator)
    async throws
  {
    let folder = try TemporaryFolder()
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      Version(
        bytes: Self.book, headers: row.headers, cut: connection.number == 1 ? 100_000 : nil
      ).serve(request, on: connection)
    }
    defer { server.stop() }
    let lost = await failure { () async throws(TransportError) in
      try await download(server, to: folder)
    }
    guard case .connectionLost(.receiving, _) = lost else {
      Issue.record("\(String(describing: lost))")
      return
    }
    #expect(folder.read("book.epub") == nil)
    #expect(folder.read("book.epub.part") == Array(Self.book.prefix(100_000)))
    let outcome = try await download(server, to: folder)
    #expect(resumedFrom(outcome) == (row.resumes ? 100_000 : 0))
    #expect(folder.read("book.epub") == Self.book)
    #expect(folder.names == ["book.epub"])
  }

  @Test func `A download resumes and ends whole over many cuts, never losing a byte`() async throws
  {
    let folder = try TemporaryFolder()
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      Version(bytes: Self.book, cut: 70_000).serve(request, on: connection)
    }
    defer { server.stop() }
    var failures = 0
    while folder.read("book.epub") == nil, failures < 10 {
      do { _ = try await download(server, to: folder) } catch { failures += 1 }
    }
    #expect(failures == 4)
    #expect(folder.read("book.epub") == Self.book)
  }

  enum Twist: String, Sendable, CaseIterable {
    case changedTag, changedLength, rangesIgnored, wrongStart, tagOfAnother, beyondTheEnd, noRange
  }

  @Test(arguments: Twist.allCases)
  func `a download starts again when the second reply is invalid or of another file`(
    _ twist: Twist
  ) async throws {
    let folder = try TemporaryFolder()
    let second = Array(Self.book.reversed()) + (twist == .changedLength ? [1, 2, 3] : [])
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      if connection.number == 1 {
        return Version(bytes: Self.book, cut: 100_000).serve(request, on: connection)
      }
      let isResumed = request.header("Range") != nil
      let rest = Array(second[100_000...])
      let total = second.count
      switch twist {
      case .changedTag:
        Version(bytes: second, headers: ["ETag: \"v2\""]).serve(request, on: connection)
      case .rangesIgnored:
        Version(bytes: second, ignoresRanges: true).serve(request, on: connection)
      case .changedLength where isResumed:
        connection.answer(
          "206 X", ["Content-Range: bytes 100000-\(total - 1)/\(total)"], rest)
      case .wrongStart where isResumed:
        connection.answer("206 X", ["Content-Range: bytes 0-\(total - 1)/\(total)"], second)
      case .tagOfAnother where isResumed:
        connection.answer(
          "206 X", ["ETag: \"v2\"", "Content-Range: bytes 100000-\(total - 1)/\(total)"], rest)
      case .beyondTheEnd where isResumed:
        connection.answer("416 X", ["Content-Range: bytes */50"], "no")
      case .noRange where isResumed:
        connection.answer("206 X", [], rest)
      default: Version(bytes: second).serve(request, on: connection)
      }
    }
    defer { server.stop() }
    _ = await failure { () async throws(TransportError) in try await download(server, to: folder) }
    let outcome = try await download(server, to: folder)
    #expect(resumedFrom(outcome) == 0)
    #expect(folder.read("book.epub") == second)
    #expect(folder.names == ["book.epub"])
  }

  @Test func `a download ends when all its bytes were received before`() async throws {
    let folder = try TemporaryFolder()
    let asked = Journal<String>()
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      asked.append(request.header("Range") ?? "all")
      if connection.number == 1 {
        // Every byte arrives, and then the connection breaks all the same.
        connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 5\r\n\r\n")
        connection.write("hell")
      } else if connection.number == 2 {
        connection.write("HTTP/1.1 206 X\r\nContent-Range: bytes 4-4/5\r\n")
        connection.write("Transfer-Encoding: chunked\r\n\r\n1\r\no\r\n")
      } else {
        connection.answer("416 X", ["Content-Range: bytes */5"])
      }
    }
    defer { server.stop() }
    _ = await failure { () async throws(TransportError) in try await download(server, to: folder) }
    _ = await failure { () async throws(TransportError) in try await download(server, to: folder) }
    let outcome = try await download(server, to: folder)
    #expect(asked.all == ["all", "bytes=4-", "bytes=5-"])
    #expect(size(outcome) == 5)
    #expect(folder.read("book.epub") == Array("hello".utf8))
  }

  @Test
  func `a download ends in pieces from a server that sends less than requested`() async throws {
    let folder = try TemporaryFolder()
    let bytes = Array(Self.book.prefix(1000))
    let server = try RawServer { connection in
      while let request = connection.request() {
        guard let range = request.header("Range"), let start = Int(range.dropFirst(6).dropLast())
        else {
          connection.write(
            "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n")
          connection.write(Array(bytes.prefix(10)))
          return
        }
        let end = min(start + 300, 1000)
        connection.answer(
          "206 X", ["ETag: \"v1\"", "Content-Range: bytes \(start)-\(end - 1)/1000"],
          Array(bytes[start..<end]))
      }
    }
    defer { server.stop() }
    _ = await failure { () async throws(TransportError) in try await download(server, to: folder) }
    let outcome = try await download(server, to: folder)
    #expect(resumedFrom(outcome) == 10)
    #expect(folder.read("book.epub") == bytes)
  }

  @Test func `a download does not resume from a part of another address`() async throws {
    let folder = try TemporaryFolder()
    let asked = Journal<String?>()
    let server = try RawServer { connection in
      guard let request = connection.request() else { return }
      asked.append(request.header("Range"))
      Version(bytes: Self.book, cut: connection.number == 1 ? 1000 : nil)
        .serve(request, on: connection)
    }
    defer { server.stop() }
    let client = try Client.local()
    let file = folder.file("book.epub")
    let first = Download(try .get(server.url("/one")), to: file)
    let second = Download(try .get(server.url("/two")), to: file)
    _ = await failure { () async throws(TransportError) in
      try await first.run(over: client.transport)
    }
    _ = try await second.run(over: client.transport)
    #expect(asked.all == [nil, nil])
    #expect(folder.read("book.epub") == Self.book)
  }

  @Test func `a download is unpacked when the server compresses it unasked`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.book, to: "plain")
    try run("gzip", "-k", folder.file("plain"))
    let packed = try #require(folder.read("plain.gz"))
    let target = try TemporaryFolder()
    let asked = Journal<String?>()
    let server = try RawServer { connection in
      while let request = connection.request() {
        asked.append(request.header("Accept-Encoding"))
        connection.answer("200 OK", ["ETag: \"v1\"", "Content-Encoding: gzip"], packed)
      }
    }
    defer { server.stop() }
    _ = try await download(server, to: target)
    #expect(asked.all == ["identity", "gzip"])
    #expect(target.read("book.epub") == Self.book)
    #expect(target.names == ["book.epub"])
  }
}
