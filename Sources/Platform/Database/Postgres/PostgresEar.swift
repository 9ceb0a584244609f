import CPostgres
import Glibc
import Synchronization

/// What is heard from a database that calls its programs.
package enum StoreNews: Sendable, Hashable {
  /// What another program, or this one, said with `tell`.
  case told(String)
  /// The ear is on the line, for the first time or again: whatever was said before went by unheard.
  case listening
  /// Nothing is heard until `listening` comes again.
  case deaf
}

/// A connection of its own that waits to be called, on a thread of its own. It connects again for as
/// long as somebody listens.
final class PostgresEar: Sendable {
  private let address: PostgresAddress
  private let settings: StoreSettings
  private let presence: Int64?
  private let hear: @Sendable (StoreNews) -> Void
  private let isOver = Atomic(false)

  /// A silent line is asked for a word now and then: a dead one looks the same.
  private static let pause = Duration.seconds(15)
  private static let patience = Duration.seconds(10)

  init(
    _ address: PostgresAddress, _ settings: StoreSettings, _ presence: Int64?,
    _ hear: @escaping @Sendable (StoreNews) -> Void
  ) {
    (self.address, self.settings, self.presence, self.hear) = (address, settings, presence, hear)
  }

  func end() { isOver.store(true, ordering: .releasing) }

  /// Runs until it is ended. It looks whether it is over ten times a second.
  func run() {
    var wait = Duration.milliseconds(100)
    while !hasEnded {
      do throws(DatabaseError) {
        let session = try connect()
        wait = .milliseconds(100)
        hear(.listening)
        try listen(on: session)
      } catch {
        hear(.deaf)
      }
      let until = ContinuousClock.now + wait
      while !hasEnded, ContinuousClock.now < until { sleepUntil(min(until, .now + Self.step)) }
      wait = min(wait * 2, .seconds(5))
    }
  }

  private static let step = Duration.milliseconds(100)

  private var hasEnded: Bool { isOver.load(ordering: .acquiring) }

  private func connect() throws(DatabaseError) -> PostgresSession {
    let call = Interruption(deadline: .now + Self.patience, patience: settings.patience)
    let session = try PostgresSession.connected(to: address, settings, call)
    session.enter(call)
    defer { session.leave() }
    if let presence {
      _ = try session.run("SELECT pg_advisory_lock_shared(\(presence))") {
        _ throws(DatabaseError) in .next
      }
    }
    try session.wire.command("LISTEN carrel")
    return session
  }

  private func listen(on session: PostgresSession) throws(DatabaseError) {
    var quietSince = ContinuousClock.now
    while !hasEnded {
      let said = try session.wire.calls(within: Self.step)
      for text in said { hear(.told(text)) }
      if !said.isEmpty { quietSince = .now }
      guard ContinuousClock.now > quietSince + Self.pause else { continue }
      session.enter(Interruption(deadline: .now + Self.patience, patience: settings.patience))
      defer { session.leave() }
      try session.wire.command("SELECT 1")
      quietSince = .now
    }
  }
}

extension PostgresWire {
  /// What the server called since the last look; waits a moment for the first.
  fileprivate func calls(within moment: Duration) throws(DatabaseError) -> [String] {
    wait(until: .now + moment, unsent: 0)
    guard unsafe PQconsumeInput(connection) == 1 else { throw lost("LISTEN") }
    var said: [String] = []
    while let call = unsafe PQnotifies(connection) {
      unsafe said.append(String(cString: call.pointee.extra))
      unsafe PQfreemem(call)
    }
    return said
  }
}

extension Store {
  /// What programs on this database say to each other. Nil where there is one machine and nobody to
  /// call: SQLite. The line stands until the stream is let go.
  ///
  /// `presence` is a number that the line holds for as long as it stands, beside others that hold it:
  /// so others can ask whether anybody is there.
  package func news(
    holding presence: Int64? = nil
  ) throws(DatabaseError) -> AsyncStream<StoreNews>? {
    guard case .postgres(let address) = location else { return nil }
    let (stream, held) = AsyncStream.makeStream(of: StoreNews.self)
    let ear = PostgresEar(address, settings, presence) { held.yield($0) }
    let thread = try ConnectionThread()
    held.onTermination = { _ in
      ear.end()
      _ = thread
    }
    thread.submit { _ in ear.run() }
    return stream
  }
}

extension Transaction {
  /// Calls all programs that listen, once this is committed. Nobody hears it on SQLite.
  package func tell(_ text: String) throws(DatabaseError) {
    guard dialect == .postgres else { return }
    _ = try first("SELECT 1 FROM pg_notify('carrel', \(text))") { _ throws(DatabaseError) in 0 }
  }

  /// Whether some program holds this number by its line; if none does, none can until this ends.
  package func isAnybodyHolding(_ presence: Int64) throws(DatabaseError) -> Bool {
    guard dialect == .postgres else { return false }
    return try !value("SELECT pg_try_advisory_xact_lock(\(presence))", as: Bool.self)
  }
}
