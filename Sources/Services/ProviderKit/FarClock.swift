import FoundationEssentials
import HTTP
import Synchronization

/// The clock of a service, by the dates on its answers: what it lends ends by its own time and not
/// by ours.
final class FarClock: Sendable {
  private let heard = Mutex<Int64?>(nil)

  var ahead: Int64? { heard.withLock { $0 } }

  func hear(_ headers: Headers, at now: Date) {
    guard let text = headers["Date"], let date = HTTPDate(text) else { return }
    // An answer that was kept by somebody on the way is as old as that says.
    let age = headers["Age"].flatMap { Int64($0) } ?? 0
    guard age >= 0, age < 1 << 31 else { return }
    let ours = Int64((now.timeIntervalSince1970 * 1000).rounded())
    let ahead = (date.seconds + age) * 1000 - ours
    // The field knows whole seconds, and the answer was on its way for a while.
    heard.withLock { $0 = abs(ahead) < 5_000 ? 0 : ahead }
  }
}
