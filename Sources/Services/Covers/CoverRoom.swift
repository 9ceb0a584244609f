import Circulation
import Synchronization

/// Room for covers that are fetched and made: each may be as large as a picture may be, and is held in memory
/// until it is made. A library has only a share of it, however slowly it answers, and so have the catalogs
/// that patrons named, one by one and together.
final class CoverRoom: Sendable {
  fileprivate struct Waiting {
    let number: Int
    let library: LibraryID
    let place: CheckedContinuation<Bool, Never>
  }

  fileprivate struct State {
    var running: [LibraryID: Int] = [:]
    var total = 0
    var named = 0
    var waiting: [Waiting] = []
    var count = 0
  }

  fileprivate static let atOnce = 12
  fileprivate static let perLibrary = 4
  fileprivate static let perNamedCatalog = 2
  fileprivate static let namedCatalogs = 4
  /// Of one library and of all; those beyond are answered at once.
  private static let mostWaiting = 64
  private static let mostWaitingInAll = 512

  private let state = Mutex(State())
  private let patience: Duration

  init(patience: Duration) { self.patience = patience }

  /// False where there is no room in time. `leave` ends what was entered.
  func enter(_ library: LibraryID) async -> Bool {
    await withCheckedContinuation { place in
      let answer = state.withLock { state -> Bool? in
        if state.hasRoom(for: library) {
          state.begin(library)
          return true
        }
        guard state.waiting.count < Self.mostWaitingInAll,
          state.waiting.count(where: { $0.library == library }) < Self.mostWaiting
        else { return false }
        state.count += 1
        let number = state.count
        state.waiting.append(Waiting(number: number, library: library, place: place))
        Task {
          try? await Task.sleep(for: patience)
          giveUp(number)
        }
        return nil
      }
      if let answer { place.resume(returning: answer) }
    }
  }

  func leave(_ library: LibraryID) {
    let next = state.withLock { state in
      state.end(library)
      return state.next()
    }
    next?.resume(returning: true)
  }

  private func giveUp(_ number: Int) {
    let place = state.withLock { state in
      state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0).place }
    }
    place?.resume(returning: false)
  }
}

extension CoverRoom.State {
  fileprivate func hasRoom(for library: LibraryID) -> Bool {
    guard total < CoverRoom.atOnce else { return false }
    let own = running[library, default: 0]
    guard library.isAddress else { return own < CoverRoom.perLibrary }
    return own < CoverRoom.perNamedCatalog && named < CoverRoom.namedCatalogs
  }

  fileprivate mutating func begin(_ library: LibraryID) {
    running[library, default: 0] += 1
    total += 1
    if library.isAddress { named += 1 }
  }

  fileprivate mutating func end(_ library: LibraryID) {
    let left = running[library, default: 0] - 1
    running[library] = left > 0 ? left : nil
    total -= 1
    if library.isAddress { named -= 1 }
  }

  /// Of the library that has least under way, the one that has waited longest.
  fileprivate mutating func next() -> CheckedContinuation<Bool, Never>? {
    let candidates = waiting.indices.filter { hasRoom(for: waiting[$0].library) }
    let chosen = candidates.min {
      running[waiting[$0].library, default: 0] < running[waiting[$1].library, default: 0]
    }
    guard let chosen else { return nil }
    let next = waiting.remove(at: chosen)
    begin(next.library)
    return next.place
  }
}
