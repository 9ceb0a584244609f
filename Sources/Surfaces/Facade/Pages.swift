import HTTP
import HTTPServer
import OPDS
import Synchronization

/// Pages and entries in memory, by what they were made of; what was not used for longest goes first.
final class Pages: Sendable {
  struct Page: Sendable {
    let body: CachedBody
    /// Of the draft it was written from.
    let draft: Int
    /// The state of the house that it was last compared with.
    var pulse: String
  }

  private struct Kept<Value: Sendable>: Sendable {
    var value: Value
    let size: Int
    var used: UInt64
  }

  private struct State {
    var pages: [String: Kept<Page>] = [:]
    var entries: [String: Kept<RenderedPublication>] = [:]
    var size = 0
    var clock: UInt64 = 0
    var rendered = 0
  }

  private let state = Mutex(State())
  private let underWay = Mutex<[String: Task<Response, Never>]>([:])
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  /// However many ask for a page that is not there, it is written once.
  func once(_ key: String, _ write: @escaping @Sendable () async -> Response) async -> Response {
    let task = underWay.withLock { underWay in
      if let task = underWay[key] { return task }
      let task = Task {
        let response = await write()
        self.underWay.withLock { $0[key] = nil }
        return response
      }
      underWay[key] = task
      return task
    }
    return await task.value
  }

  /// In bytes, about.
  var size: Int { state.withLock { $0.size } }
  /// How many entries were ever written.
  var rendered: Int { state.withLock { $0.rendered } }

  func page(_ key: String) -> Page? {
    state.withLock { state in
      state.clock += 1
      state.pages[key]?.used = state.clock
      return state.pages[key]?.value
    }
  }

  func keep(_ page: Page, _ key: String) {
    // The compressed form comes on top, and the heads of both.
    let size = page.body.bytes.count * 3 / 2 + key.utf8.count + 1024
    state.withLock { state in
      state.clock += 1
      state.size += size - (state.pages[key]?.size ?? 0)
      state.pages[key] = Kept(value: page, size: size, used: state.clock)
      makeRoom(&state)
    }
  }

  func note(_ pulse: String, _ key: String) {
    state.withLock { $0.pages[key]?.value.pulse = pulse }
  }

  func entry(_ key: String) -> RenderedPublication? {
    state.withLock { state in
      state.clock += 1
      state.entries[key]?.used = state.clock
      return state.entries[key]?.value
    }
  }

  func keep(_ entry: RenderedPublication, _ key: String) {
    let size = entry.size + key.utf8.count + 200
    state.withLock { state in
      state.rendered += 1
      state.clock += 1
      state.size += size - (state.entries[key]?.size ?? 0)
      state.entries[key] = Kept(value: entry, size: size, used: state.clock)
      makeRoom(&state)
    }
  }

  /// An eighth more than has to, so that it is not done for each.
  private func makeRoom(_ state: inout State) {
    guard state.size > capacity else { return }
    let goal = capacity / 8 * 7
    let ages = (state.pages.values.map(\.used) + state.entries.values.map(\.used)).sorted()
    let step = max(1, ages.count / 8)
    var reached = 0
    while state.size > goal, reached < ages.count {
      reached = min(ages.count, reached + step)
      let limit = ages[reached - 1]
      for (key, kept) in state.pages where kept.used <= limit {
        state.pages[key] = nil
        state.size -= kept.size
      }
      for (key, kept) in state.entries where kept.used <= limit {
        state.entries[key] = nil
        state.size -= kept.size
      }
    }
  }
}
