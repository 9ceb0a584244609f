import Glibc
import Machine
import Synchronization

/// A scanner for malware that is asked in clamd's protocol: on a Unix socket, or on a port of the
/// operator's own network. A file is handed to it piece by piece, so the two need share no folder.
package struct Scanner: Sendable {
  package enum Place: Sendable, Hashable {
    case socket(path: String)
    case port(host: String, number: Int)
  }

  package enum Verdict: Sendable, Hashable {
    case clean
    /// What the scanner calls it, in plain letters.
    case found(String)
  }

  package let place: Place
  /// The most of a file that is handed over; the scanner has a limit of its own.
  private let most: Int
  private let patience: Duration

  package init(at place: Place, most: Int, patience: Duration) {
    (self.place, self.most, self.patience) = (place, most, patience)
  }

  /// Whether it answers at all.
  package func ping() async throws(ScanFault) {
    try await onThread { line throws(ScanFault) in
      guard try line.send(Self.command("PING")) else { throw .cut }
      guard try line.answer() == Array("PONG".utf8) else { throw .garbled }
    }
  }

  /// Whether it answers at once, for those who watch.
  package var isThere: Bool {
    get async {
      let hasty = Scanner(at: place, most: 0, patience: min(patience, .seconds(2)))
      do throws(ScanFault) { try await hasty.ping() } catch { return false }
      return true
    }
  }

  /// What it says of the file. Whatever is not clearly a verdict is none.
  package func scan(_ path: String) async throws(ScanFault) -> Verdict {
    let file: OpenFile
    do throws(FileError) { file = try OpenFile(path) } catch { throw .unreadable }
    guard file.size <= most else { throw .tooLarge }
    return try await onThread { line throws(ScanFault) in
      try Self.handOver(file, on: line)
      return try Self.verdict(try line.answer())
    }
  }

  // MARK: - What is said

  /// With a zero before and after, so that no name of a file can be taken for the end of a line.
  private static func command(_ word: String) -> [UInt8] { Array("z\(word)\0".utf8) }

  /// Each piece after its length, big end first; a length of nought is the end. A scanner that has heard
  /// enough says so before, and hears no more.
  private static func handOver(_ file: OpenFile, on line: borrowing ScannerLine) throws(ScanFault) {
    guard try line.send(command("INSTREAM")) else { return }
    while true {
      let piece: [UInt8]
      do throws(MachineError) { piece = try file.read(upTo: 64 << 10) } catch { throw .unreadable }
      let length = UInt32(piece.count)
      let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
      guard try line.send(head + piece), !piece.isEmpty else { return }
    }
  }

  static func verdict(_ answer: [UInt8]) throws(ScanFault) -> Verdict {
    let text = String(decoding: answer, as: UTF8.self)
    if text == "stream: OK" { return .clean }
    if text == "INSTREAM size limit exceeded. ERROR" { throw .tooLarge }
    let (before, after) = ("stream: ", " FOUND")
    guard text.hasPrefix(before), text.hasSuffix(after), text.count > before.count + after.count
    else { throw .garbled }
    return .found(plain(text.dropFirst(before.count).dropLast(after.count)))
  }

  /// It goes into logs and notes: nothing there may look like anything but a name.
  private static func plain(_ name: Substring) -> String {
    String(
      name.unicodeScalars.prefix(100).map { sign in
        (0x21...0x7E).contains(sign.value) ? Character(sign) : "_"
      })
  }

  // MARK: - How it is said

  private func onThread<Answer: Sendable>(
    _ body: @escaping @Sendable (borrowing ScannerLine) throws(ScanFault) -> Answer
  ) async throws(ScanFault) -> Answer {
    let (place, end) = (place, ContinuousClock.now + patience)
    let callingOff = CallingOff()
    let result = await withTaskCancellationHandler {
      await OwnThread.run { () -> Result<Answer, ScanFault> in
        Result { () throws(ScanFault) in
          try body(try ScannerLine(to: place, by: end, callingOff))
        }
      }
    } onCancel: {
      callingOff.callOff()
    }
    return try result.get()
  }
}

/// Why there is no verdict. No case carries anything of the file.
package enum ScanFault: Error, Sendable, Hashable {
  /// Nobody is there, or nobody is let in.
  case away(errno: Int32)
  case timedOut
  /// It hung up in the middle.
  case cut
  /// It said what nobody understands.
  case garbled
  /// More than it looks at.
  case tooLarge
  case cancelled
  /// The file cannot be read here.
  case unreadable

  package var word: String {
    switch self {
    case .away: "away"
    case .timedOut: "timeout"
    case .cut, .garbled: "failed"
    case .tooLarge: "too_large"
    case .cancelled: "cancelled"
    case .unreadable: "unreadable"
    }
  }
}

/// Whether nobody waits for the answer any more.
final class CallingOff: Sendable {
  private let isSaid = Atomic<Bool>(false)

  var isCalledOff: Bool { isSaid.load(ordering: .relaxed) }
  func callOff() { isSaid.store(true, ordering: .relaxed) }
}
