import TestSupport
import Testing

@testable import Scanning

@Suite(.timeLimit(.minutes(1))) struct `A scanner for malware` {
  private func play(
    patience: Duration = .seconds(20), most: Int = 1 << 24,
    _ body: (Scanner, PlayedScanner, TemporaryFolder) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let played = try PlayedScanner(in: folder)
      defer { played.stop() }
      try await body(
        Scanner(at: .socket(path: played.path), most: most, patience: patience), played, folder)
    }
  }

  private func file(_ bytes: [UInt8], _ folder: TemporaryFolder) throws -> String {
    try folder.write(bytes, to: "book")
    return folder.path("book")
  }

  /// Why there was no verdict.
  private func fault(_ scanner: Scanner, _ path: String) async -> ScanFault? {
    do throws(ScanFault) {
      _ = try await scanner.scan(path)
      return nil
    } catch { return error }
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
  func `A scanner for malware hears the whole file, whatever its length`(length: Int) async throws {
    try await play { scanner, played, folder async throws in
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      #expect(try await scanner.scan(try file(bytes, folder)) == .clean)
      #expect(played.seen == [bytes])
    }
  }

  @Test func `A scanner for malware names what it found, in letters that do no harm`() async throws
  {
    try await play { scanner, _, folder async throws in
      let path = try file([1, 2] + PlayedScanner.malware + [3], folder)
      #expect(try await scanner.scan(path) == .found("Test.Harm_1"))
    }
  }

  @Test(arguments: [
    (PlayedScanner.Fault.hangsUpAtOnce, ScanFault.cut), (.hangsUpBeforeTheAnswer, .cut),
    (.cutsItsAnswer, .cut), (.saysNonsense, .garbled), (.neverEndsItsAnswer, .garbled),
    (.refusesLength, .tooLarge),
  ])
  func `A scanner for malware has said nothing where it did not say it clearly`(
    _ planned: PlayedScanner.Fault, _ expected: ScanFault
  ) async throws {
    try await play { scanner, played, folder async throws in
      let path = try file([UInt8](repeating: 7, count: 300_000), folder)
      played.plan(planned)
      #expect(await fault(scanner, path) == expected)
      #expect(try await scanner.scan(path) == .clean)
    }
  }

  @Test func `A scanner for malware is waited for no longer than it may take`() async throws {
    try await play(patience: .milliseconds(300)) { scanner, played, folder async throws in
      let path = try file([1], folder)
      played.plan(.mute)
      let start = ContinuousClock.now
      #expect(await fault(scanner, path) == .timedOut)
      #expect(start.duration(to: .now) < .seconds(10))
    }
  }

  @Test func `A scanner for malware is let go when nobody waits any more`() async throws {
    try await play(patience: .seconds(50)) { scanner, played, folder async throws in
      let path = try file([1], folder)
      played.plan(.mute)
      let task = Task { await fault(scanner, path) }
      await played.hears()
      task.cancel()
      #expect(await task.value == .cancelled)
    }
  }

  @Test func `A scanner for malware is handed nothing that is larger than it takes`() async throws {
    try await play(most: 1000) { scanner, played, folder async throws in
      let large = try file([UInt8](repeating: 1, count: 1001), folder)
      #expect(await fault(scanner, large) == .tooLarge)
      #expect(played.seen.isEmpty)
      #expect(await fault(scanner, folder.path("none")) == .unreadable)
    }
  }

  @Test func `A scanner for malware answers when it is there, and is missed when it is not`()
    async throws
  {
    try await play { scanner, _, folder async throws in
      #expect(await scanner.isThere)
      let path = try file([1], folder)
      let nowhere = Scanner(
        at: .socket(path: folder.path("nobody")), most: 10, patience: .seconds(5))
      #expect(await fault(nowhere, path) == .away(errno: 2))
      let long = Scanner(
        at: .socket(path: "/" + String(repeating: "a", count: 200)), most: 1, patience: .seconds(5))
      #expect(await !long.isThere)
    }
  }

  @Test func `A scanner for malware is reached by a port as well`() async throws {
    let server = try RawServer { connection in
      _ = connection.text(upTo: 0)
      connection.write("PONG\0")
    }
    defer { server.stop() }
    for host in ["127.0.0.1", "localhost"] {
      let scanner = Scanner(
        at: .port(host: host, number: server.port), most: 1, patience: .seconds(5))
      #expect(await scanner.isThere)
    }
    let closed = Scanner(at: .port(host: "127.0.0.1", number: 1), most: 1, patience: .seconds(5))
    #expect(await !closed.isThere)
  }
}
