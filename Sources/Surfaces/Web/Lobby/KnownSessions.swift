import Crypto
import HTTPServer
import Synchronization

/// Sessions that were found open here lately. They get no more by it than room for an upload, which has to
/// be known before the database can be asked.
final class KnownSessions: Sendable {
  private static let span = Duration.seconds(900)
  private static let capacity = 20_000

  private let ends = Mutex<[[UInt8]: ContinuousClock.Instant]>([:])

  func note(_ pass: BroughtPass) {
    let now = ContinuousClock.now
    ends.withLock { ends in
      if ends.count >= Self.capacity {
        ends = ends.filter { $0.value > now }
        if ends.count >= Self.capacity { ends = [:] }
      }
      ends[Self.mark(pass)] = now + Self.span
    }
  }

  func knows(_ pass: BroughtPass) -> Bool {
    ends.withLock { ends in ends[Self.mark(pass)].map { $0 > .now } ?? false }
  }

  private static func mark(_ pass: BroughtPass) -> [UInt8] {
    Array(Digest.sha256.hash(pass.text).prefix(16))
  }
}

extension Lobby {
  /// A page was opened here before something is uploaded: what brings neither a session nor the cookie
  /// of the sign-in page has no room.
  func uploadLimit(_ request: Request) -> BodyLimit {
    if let pass = request.pass, sessions.knows(pass) { return .patronUpload }
    return request.pass != nil || request.doorMark != nil ? .upload : .form
  }
}
