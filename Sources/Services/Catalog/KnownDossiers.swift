import Circulation
import Matching
import Synchronization

/// Editions that were read for the matcher lately. Those that stand for a key that many share are
/// compared with nearly everything that comes.
enum KnownDossiers {
  private struct Known: Sendable {
    /// What it was read from: an item is told apart by it from one of the same name elsewhere, and
    /// from itself as it was.
    let text: String
    let dossier: Dossier
  }

  private static let known = Mutex<[ItemID: Known]>([:])
  private static let most = 3000

  static func dossier(of item: ItemID, _ text: String) -> Dossier {
    if let known = known.withLock({ $0[item] }), known.text == text { return known.dossier }
    let dossier = Dossier(Candidate(EditionRecord.edition(item, from: text)))
    known.withLock { known in
      if known.count >= most { known.removeAll(keepingCapacity: true) }
      known[item] = Known(text: text, dossier: dossier)
    }
    return dossier
  }
}
