import Database
import Scanning
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Books that pass a scanner for malware before anybody gets them.
@Suite(.timeLimit(.minutes(2))) struct `A book that is examined for malware` {
  private struct Scene {
    let depot: Depot
    let played: PlayedScanner
    let server: RawServer
    let served: Served
    let seen = Journal<Sentry.Sighting>()

    func sentry(isRequired: Bool = true, most: Int = 1 << 24) -> Sentry {
      let seen = seen
      return Sentry(
        Scanner(at: .socket(path: played.path), most: most, patience: .seconds(5)),
        isRequired: isRequired
      ) { seen.append($0) }
    }

    func workOff(_ sentry: Sentry?) async { await depot.porter(guarded: sentry).workOff() }
  }

  private final class Served: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  /// A sound book with more than a book in it.
  private static let harm: [UInt8] = {
    var bytes = Samples.epub()
    // In what the archive keeps beside its text.
    let place = bytes.count / 2
    bytes.replaceSubrange(place..<place + PlayedScanner.malware.count, with: PlayedScanner.malware)
    return bytes
  }()

  private func play(_ engine: Engine, _ body: (Scene) async throws -> Void) async throws {
    try await withDepot(engine) { depot in
      let served = Served()
      served.bytes.withLock { $0 = Samples.epub() }
      let server = try RawServer { connection in
        guard let request = connection.request() else { return }
        Shelf(bytes: served.bytes.withLock { $0 }).serve(request, on: connection)
      }
      let played = try PlayedScanner(in: depot.root)
      defer {
        server.stop()
        played.stop()
      }
      depot.lend(server)
      try await body(Scene(depot: depot, played: played, server: server, served: served))
    }
  }

  private func marks(_ depot: Depot) async throws -> [String?] {
    try await depot.store.read { tx throws(DatabaseError) in
      try tx.rows("SELECT examined FROM book_file") { row throws(DatabaseError) -> String? in
        try row[0]
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A book that is examined for malware is put by when it is clean, and marked so`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene async throws in
      let asked = try await scene.depot.ask()
      await scene.workOff(scene.sentry())
      #expect(try await scene.depot.ticket(asked)?.state == .done)
      #expect(try await marks(scene.depot) == ["clean"])
      #expect(scene.played.seen == [Samples.epub()])
      #expect(scene.seen.all == [.clean])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a book with malware is never handed out, and older copies of it are deleted`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene async throws in
      scene.served.bytes.withLock { $0 = Self.harm }
      // From before there was a scanner.
      let before = try await scene.depot.ask(patron: "eve")
      await scene.workOff(nil)
      #expect(try await scene.depot.ticket(before)?.state == .done)
      #expect(scene.depot.names("files").count == 1)
      #expect(try await marks(scene.depot) == [nil])
      let asked = try await scene.depot.ask()
      await scene.workOff(scene.sentry(isRequired: false))
      let ticket = try #require(try await scene.depot.ticket(asked))
      #expect(ticket.state == .failed && ticket.reason == "malware_found")
      #expect(!ticket.willBeTriedAgain)
      #expect(try await scene.depot.book() == nil)
      #expect(try await scene.depot.book(patron: "eve") == nil)
      #expect(scene.depot.names("files").isEmpty && scene.depot.names("incoming").isEmpty)
      #expect(scene.seen.all == [.found("Test.Harm_1")])
    }
  }

  @Test(arguments: Engine.allCases, PlayedScanner.Fault.allCases.filter { $0 != .mute })
  func `A book that is examined for malware waits for a verdict that is clear`(
    engine: Engine, fault: PlayedScanner.Fault
  ) async throws {
    try await play(engine) { scene async throws in
      scene.played.plan(fault)
      let asked = try await scene.depot.ask()
      await scene.workOff(scene.sentry())
      let failed = try #require(try await scene.depot.ticket(asked))
      let isTooLarge = fault == .refusesLength
      #expect(failed.state == .failed)
      #expect(failed.reason == (isTooLarge ? "unscannable" : "scanner_away"))
      #expect(failed.willBeTriedAgain == !isTooLarge)
      #expect(try await scene.depot.book() == nil)
      #expect(scene.depot.names("files").isEmpty)
      guard !isTooLarge else { return }
      scene.depot.clock.advance(by: 3_600_000)
      await scene.workOff(scene.sentry())
      #expect(try await scene.depot.ticket(asked)?.state == .done)
      #expect(try await marks(scene.depot) == ["clean"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a download waits without counting a try while a required scanner is unavailable`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene async throws in
      let away = Sentry(
        Scanner(
          at: .socket(path: scene.depot.root.path("nobody")), most: 1 << 24, patience: .seconds(5)),
        isRequired: true)
      let asked = try await scene.depot.ask()
      await scene.workOff(away)
      let ticket = try #require(try await scene.depot.ticket(asked))
      #expect(ticket.state == .queued && ticket.reason == "scanner_away" && ticket.tries == 0)
      #expect(scene.depot.fulfilled == 0 && scene.server.accepted == 0)
      scene.depot.clock.advance(by: 3_600_000)
      await scene.workOff(scene.sentry())
      #expect(try await scene.depot.ticket(asked)?.state == .done)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a downloaded book passes unscanned where settings allow it and is scanned later`(
    engine: Engine
  ) async throws {
    try await play(engine) { scene async throws in
      let easy = scene.sentry(isRequired: false)
      scene.played.plan(.hangsUpAtOnce)
      let asked = try await scene.depot.ask()
      await scene.workOff(easy)
      #expect(try await scene.depot.ticket(asked)?.state == .done)
      #expect(try await marks(scene.depot) == ["unexamined"])
      #expect(try await scene.depot.books.unexamined() == 1)
      #expect(scene.seen.all == [.unexamined(.cut)])
      // Still away: it stays as it is.
      scene.played.plan(.saysNonsense)
      try await scene.depot.books.examineLeft(by: easy)
      #expect(try await marks(scene.depot) == ["unexamined"])
      try await scene.depot.books.examineLeft(by: easy)
      #expect(try await marks(scene.depot) == ["clean"])
      #expect(try await scene.depot.books.unexamined() == 0)
      // What is known to be clean does not become unknown.
      let again = try await scene.depot.ask(patron: "eve")
      scene.played.plan(.hangsUpAtOnce)
      await scene.workOff(easy)
      #expect(try await scene.depot.ticket(again)?.state == .done)
      #expect(try await marks(scene.depot) == ["clean"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A book that is examined for malware goes when malware is found in it later`(engine: Engine)
    async throws
  {
    try await play(engine) { scene async throws in
      let easy = scene.sentry(isRequired: false)
      scene.served.bytes.withLock { $0 = Self.harm }
      scene.played.plan(.hangsUpAtOnce)
      try await scene.depot.ask()
      await scene.workOff(easy)
      #expect(scene.depot.names("files").count == 1)
      try await scene.depot.books.examineLeft(by: easy)
      #expect(scene.depot.names("files").isEmpty)
      #expect(try await scene.depot.book() == nil)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a downloaded book larger than the scanner's limit is refused`(engine: Engine) async throws {
    try await play(engine) { scene async throws in
      let asked = try await scene.depot.ask()
      await scene.workOff(scene.sentry(most: 100))
      let ticket = try #require(try await scene.depot.ticket(asked))
      #expect(ticket.reason == "unscannable" && !ticket.willBeTriedAgain)
      #expect(scene.depot.names("files").isEmpty && scene.played.seen.isEmpty)
    }
  }
}
