import Circulation
import Synchronization

/// What SIP2 does not tell and somebody here has heard: which title a copy belongs to, and where a hold
/// was asked for. So a hold keeps its name and its branch, for as long as the house stands.
final class KnownCopies: Sendable {
  private struct Known {
    var titles: [String: ItemID] = [:]
    var pickups: [[String]: BranchID] = [:]
  }

  private let known = Mutex(Known())
  private static let most = 50_000

  func learn(_ barcodes: [String], of item: ItemID) {
    known.withLock { known in
      if known.titles.count + barcodes.count > Self.most { known.titles = [:] }
      for barcode in barcodes { known.titles[barcode] = item }
    }
  }

  func title(of barcode: String) -> ItemID? { known.withLock { $0.titles[barcode] } }

  func learn(_ branch: BranchID, of names: Set<String>, for card: String) {
    known.withLock { known in
      if known.pickups.count + names.count > Self.most { known.pickups = [:] }
      for name in names { known.pickups[[card, name]] = branch }
    }
  }

  func pickup(of name: String, for card: String) -> BranchID? {
    known.withLock { $0.pickups[[card, name]] }
  }
}
