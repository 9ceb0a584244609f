import Glibc
import Synchronization

/// A started program. Its number is used only until it has been waited for: afterwards the kernel may
/// give the number to a stranger, who must not be killed.
package final class ChildProcess: Sendable {
  package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package let id: Int32
  /// Our ends of the pipes, closed with this value at the latest.
  package let input: Int32?
  package let output: Int32?
  package let error: Int32?

  private struct State {
    var ending: Ending?
    var inputIsOpen: Bool
  }
  private let state: Mutex<State>

  init(id: Int32, input: Int32?, output: Int32?, error: Int32?) {
    (self.id, self.input, self.output, self.error) = (id, input, output, error)
    state = Mutex(State(inputIsOpen: input != nil))
  }

  deinit {
    closeInput()
    for case let end? in [output, error] { close(end) }
  }

  /// Tells the program that there is no more to read.
  package func closeInput() {
    state.withLock { state in
      if state.inputIsOpen, let input { close(input) }
      state.inputIsOpen = false
    }
  }

  package func wait() async -> Ending {
    await OwnThread.run { self.waitBlocking() }
  }

  func waitBlocking() -> Ending {
    // First wait without collecting, so that `kill` is never shut out for long, then collect.
    var news = unsafe siginfo_t()
    _ = retrying { unsafe waitid(P_PID, id_t(id), &news, WEXITED | WNOWAIT) }
    return state.withLock { state in
      if let ending = state.ending { return ending }
      var status: Int32 = 0
      let collected = retrying { unsafe waitpid(id, &status, 0) }
      let signal = status & 0x7F
      // Not ours to collect (SIGCHLD ignored by a host program): how it ended is not known.
      let ending: Ending =
        collected != id
        ? .exited(-1) : signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
      state.ending = ending
      return ending
    }
  }

  package func kill(_ signal: Int32) {
    state.withLock { state in
      if state.ending == nil { Glibc.kill(id, signal) }
    }
  }

  package func terminate() { kill(SIGTERM) }
  package func killAtOnce() { kill(SIGKILL) }
}
