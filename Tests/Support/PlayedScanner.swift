import Synchronization

/// A scanner on a Unix socket of the test's own: clamd as far as it is asked here, with its faults. What
/// it finds is the word that a test says.
package final class PlayedScanner: Sendable {
  package enum Fault: Sendable, Hashable, CaseIterable {
    /// Takes everything and says nothing.
    case mute
    case hangsUpAtOnce
    case hangsUpBeforeTheAnswer
    case cutsItsAnswer
    case saysNonsense
    case neverEndsItsAnswer
    /// Says in the middle that it is too much, and hangs up.
    case refusesLength
  }

  package static let malware: [UInt8] = Array("what-no-book-has".utf8)

  private final class Notes: Sendable {
    let faults = Mutex<[Fault]>([])
    let seen = Mutex<[[UInt8]]>([])
    let (arrivals, arrived) = AsyncStream<Void>.makeStream()
    let wanted = Mutex(PlayedScanner.malware)
  }

  private let server: RawServer
  package let path: String
  private let notes = Notes()

  package init(in folder: TemporaryFolder, named name: String = "clamd") throws {
    let notes = notes
    path = folder.path(name)
    server = try RawServer(at: path) { connection in Self.serve(connection, notes) }
  }

  /// The next questions meet these, in order.
  package func plan(_ faults: Fault...) { notes.faults.withLock { $0 += faults } }
  /// What it finds from now on, wherever it stands.
  package func find(_ bytes: [UInt8]) { notes.wanted.withLock { $0 = bytes } }
  /// What it was handed, whole streams only.
  package var seen: [[UInt8]] { notes.seen.withLock { $0 } }

  /// Waits for the next whole stream.
  package func hears() async { for await _ in notes.arrivals { break } }

  package func stop() { server.stop() }

  private static func serve(_ connection: RawConnection, _ notes: Notes) {
    guard let word = connection.text(upTo: 0) else { return }
    guard word == "zINSTREAM" else {
      connection.write(word == "zPING" ? "PONG\0" : "UNKNOWN COMMAND\0")
      return
    }
    let fault = notes.faults.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if fault == .hangsUpAtOnce { return }
    var stream: [UInt8] = []
    while let head = connection.bytes(4) {
      let count = head.reduce(0) { $0 << 8 | Int($1) }
      if count == 0 { break }
      guard let piece = connection.bytes(count) else { return }
      stream += piece
      if fault == .refusesLength {
        connection.write("INSTREAM size limit exceeded. ERROR\0")
        connection.waitForClose()
        return
      }
    }
    notes.seen.withLock { $0.append(stream) }
    notes.arrived.yield()
    switch fault {
    case .mute: connection.waitForClose()
    case .hangsUpBeforeTheAnswer, .hangsUpAtOnce, .refusesLength: return
    case .cutsItsAnswer: connection.write("stream: O")
    case .saysNonsense: connection.write("stream: perhaps OK\0")
    case .neverEndsItsAnswer:
      while connection.write(String(repeating: "stream: OK ", count: 1000)) {}
    case nil:
      let isFound = stream.firstRange(of: notes.wanted.withLock { $0 }) != nil
      connection.write(isFound ? "stream: Test.Harm\u{1B}1 FOUND\0" : "stream: OK\0")
    }
  }
}
