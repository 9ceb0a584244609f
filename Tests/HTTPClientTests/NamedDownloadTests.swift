import HTTP
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct `A download with a name of its own` {
  private typealias Version = `A download resumes and ends whole`.Version

  private let book = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

  /// A part from one address, then the whole from another.
  private func resumed(_ first: String, _ second: String) async throws -> (from: Int?, steps: [Int])
  {
    let (folder, steps) = (try TemporaryFolder(), Journal<Int>())
    let server = try RawServer { [book] connection in
      guard let request = connection.request() else { return }
      Version(bytes: book, cut: connection.number == 1 ? 1000 : nil).serve(request, on: connection)
    }
    defer { server.stop() }
    let client = try Client.local()
    let file = folder.file("book.epub")
    let part = Download(try .get(server.url("/one")), to: file, key: first)
    _ = await failure { () async throws(TransportError) in
      try await part.run(over: client.transport)
    }
    let rest = Download(
      try .get(server.url("/two")), to: file, key: second,
      progress: { steps.append($0.received) })
    let outcome = try await rest.run(over: client.transport)
    #expect(folder.read("book.epub") == book)
    guard case .stored(let stored) = outcome else { return (nil, steps.all) }
    return (stored.resumedFrom, steps.all)
  }

  @Test func `a named download resumes from its part, even from another address`() async throws {
    let (from, steps) = try await resumed("ticket 7", "ticket 7")
    #expect(from == 1000)
    // Whoever follows the file learns at once from where it goes on.
    #expect(steps.first == 1000)
  }

  @Test func `A download with a name of its own does not go on from the part of another name`()
    async throws
  {
    let (from, steps) = try await resumed("ticket 7", "ticket 8")
    #expect(from == 0 && steps.first == 0)
  }
}
