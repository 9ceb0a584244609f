import Shelving
import Synchronization

/// What stands in a lane and how it can be narrowed is the same on each of its pages, and in every
/// order: it is found once, until something changes.
final class ShelfMemo: Sendable {
  struct Question: Sendable, Hashable {
    let lane: Lane
    let libraries: [Int64]
    let today: Int64
    let facets: LaneFacets
  }

  struct Finding: Sendable {
    let works: Bits
    let count: Int
    let facets: [FacetGroup]
  }

  private struct State {
    var revision = 0
    var findings: [Question: Finding] = [:]
  }

  private let state = Mutex(State())
  /// A bit for each work and each: 100 000 works take 12 KB.
  private static let most = 256

  func finding(_ question: Question, at revision: Int) -> Finding? {
    state.withLock { $0.revision == revision ? $0.findings[question] : nil }
  }

  func keep(_ finding: Finding, _ question: Question, at revision: Int) {
    state.withLock { state in
      // One that was quicker may know more already.
      guard revision >= state.revision else { return }
      if revision > state.revision || state.findings.count >= Self.most { state.findings = [:] }
      state.revision = revision
      state.findings[question] = finding
    }
  }
}
