import Database
import Glibc
import HTTPClient
import Synchronization

/// What befalls the gateway's own machine: a database and a disk that fail, and the end of the process
/// at any of the steps that can be told apart. After its end nothing is written and nothing is sent.
final class Doom: Sendable {
  private struct State {
    var step = 0
    var isOn = false
    /// So many steps from now the process ends.
    var countdown: Int?
    var isDead = false
    var asked = 0
    var pieces = 0
    var log: [String] = []
    var ends: [String: Int] = [:]
    var harms: [String: Int] = [:]
  }

  private let fate: Fate
  private let state = Mutex(State())

  init(_ fate: Fate) { self.fate = fate }

  func begin(step: Int, isOn: Bool, crashingAfter countdown: Int?) {
    state.withLock { state in
      (state.step, state.isOn, state.countdown) = (step, isOn, countdown)
      (state.asked, state.pieces, state.log) = (0, 0, [])
    }
  }

  func end() -> [String] {
    state.withLock { state in
      (state.isOn, state.countdown) = (false, nil)
      return state.log
    }
  }

  /// Where processes ended, and what else went wrong, by how often.
  var tally: (ends: [String: Int], harms: [String: Int]) {
    state.withLock { ($0.ends, $0.harms) }
  }

  var isDead: Bool { state.withLock { $0.isDead } }
  func revive() { state.withLock { $0.isDead = false } }

  /// Whether the process ends at this step.
  func strikes(_ place: String, kind: String) -> Bool {
    state.withLock { strikes($0.isDead, place, kind, &$0) }
  }

  private func strikes(_ isDead: Bool, _ place: String, _ kind: String, _ state: inout State)
    -> Bool
  {
    if isDead { return true }
    guard let left = state.countdown else { return false }
    state.countdown = left - 1
    guard left <= 0 else { return false }
    (state.isDead, state.countdown) = (true, nil)
    state.ends[kind, default: 0] += 1
    state.log.append("the process ends: \(place)")
    return true
  }

  var store: StoreTrial {
    StoreTrial { step, mode in
      self.state.withLock { state in
        let place = "\(mode) \(step)"
        // A look changes nothing; of looks only their failures are of interest.
        if mode == .writing, self.strikes(state.isDead, place, place, &state) { return .closed }
        if state.isDead { return .closed }
        guard state.isOn else { return nil }
        state.asked += 1
        let words = "store \(state.step) \(state.asked)"
        guard self.fate.draw(words, 60) == 0 else { return nil }
        let harm: StoreTrial.Harm =
          switch step {
          case .begin: .busy
          case .committed: .outcomeUnknown
          case .statement, .commit: self.fate.pick(words + " which", [.full, .inputOutput, .busy])
          }
        state.harms["\(place): \(harm)", default: 0] += 1
        state.log.append("\(place): \(harm)")
        return harm
      }
    }
  }

  var disk: Download.DiskTrial {
    { _ in
      self.state.withLock { state in
        if self.strikes(state.isDead, "writing a file", "file", &state) { return .errno(EIO) }
        guard state.isOn else { return nil }
        state.pieces += 1
        let words = "disk \(state.step) \(state.pieces)"
        guard self.fate.draw(words, 6) == 0 else { return nil }
        let code = self.fate.pick(words + " which", [ENOSPC, EIO])
        state.harms["file: \(code == EIO ? "EIO" : "ENOSPC")", default: 0] += 1
        state.log.append("writing a file: \(code == EIO ? "EIO" : "ENOSPC")")
        return .errno(code)
      }
    }
  }
}
