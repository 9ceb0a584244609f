import HTTPServer
import Synchronization

/// Pages in memory, each with the state of the house that it was made in; what was not used for
/// longest goes first.
final class PageMemory: Sendable {
  private struct Kept {
    let body: CachedBody
    let pulse: String
    let size: Int
    var used: UInt64
  }

  private struct State {
    var pages: [String: Kept] = [:]
    var size = 0
    var clock: UInt64 = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// Nil where anything changed since.
  func page(_ key: String, _ pulse: String) -> CachedBody? {
    state.withLock { state in
      guard let kept = state.pages[key], kept.pulse == pulse else { return nil }
      state.clock += 1
      state.pages[key]?.used = state.clock
      return kept.body
    }
  }

  func keep(_ body: CachedBody, _ key: String, _ pulse: String) {
    // The compressed form comes on top.
    let size = body.bytes.count * 3 / 2 + key.utf8.count + 1024
    state.withLock { state in
      state.clock += 1
      state.size += size - (state.pages[key]?.size ?? 0)
      state.pages[key] = Kept(body: body, pulse: pulse, size: size, used: state.clock)
      guard state.size > capacity else { return }
      let ages = state.pages.values.map(\.used).sorted()
      // A quarter at once, so that it is not done for each.
      let limit = ages[ages.count / 4]
      for (key, kept) in state.pages where kept.used <= limit {
        state.pages[key] = nil
        state.size -= kept.size
      }
    }
  }

  /// In bytes, about.
  var size: Int { state.withLock { $0.size } }
}
