import Shelving
import Synchronization

/// What stands in a lane and how it can be narrowed is the same on each of its pages, and in every
/// order: it is found once, and mended with what changes.
final class ShelfMemo: Sendable {
  struct Question: Sendable, Hashable {
    let lane: Lane
    let libraries: [Int64]
    let today: Int64
    let facets: LaneFacets
  }

  private struct Kept {
    var finding: Finding
    var revision: Int
  }

  private let findings = Mutex<[Question: Kept]>([:])
  /// Two bits for each edition and each: 100 000 editions take 25 KB.
  private static let most = 192
  /// When more has changed, what takes part in it is found as quickly anew.
  private static let mostMended = 256

  /// As the list has it. `test` tells what an edition must be; it is nil where that depends on other
  /// editions than those of its work.
  func finding(
    _ question: Question, in list: ShelfList, test: () -> ((Int) -> Bool)?
  ) -> Finding? {
    findings.withLock { findings in
      guard let revision = findings[question]?.revision, revision <= list.revision else {
        return nil
      }
      if revision == list.revision { return findings[question]?.finding }
      // Taken out meanwhile, so that it is changed where it lies and not copied.
      guard var kept = findings.removeValue(forKey: question),
        let changed = list.journal.since(kept.revision), changed.count <= Self.mostMended,
        let test = test()
      else { return nil }
      list.mend(&kept.finding, after: changed, where: test)
      kept.revision = list.revision
      findings[question] = kept
      return kept.finding
    }
  }

  func keep(_ finding: Finding, _ question: Question, at revision: Int) {
    findings.withLock { findings in
      // One that was quicker may know more already.
      if let known = findings[question], known.revision > revision { return }
      if findings.count >= Self.most { findings = [:] }
      findings[question] = Kept(finding: finding, revision: revision)
    }
  }
}
