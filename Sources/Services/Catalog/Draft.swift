import Circulation
import Matching

/// An edition made ready to be kept: all of that which needs no database. A whole catalogue is made
/// ready beside the storing of what came before it. A class, for it is handed from thread to thread.
final class Draft: Sendable {
  let content: String
  let words: IndexedWords
  let face: Face
  let kin: KinReading

  init(_ edition: Edition, at library: Int64, from provider: ProviderID) {
    content = EditionRecord.text(of: edition)
    words = IndexedWords(edition, at: library, from: provider)
    face = Face(edition)
    kin = KinReading(edition)
  }

  private static let portion = 50

  static func drafts(
    of editions: [Edition], at library: Int64, from provider: ProviderID
  ) async -> [ItemID: Draft] {
    await withTaskGroup(of: [(ItemID, Draft)].self) { group in
      var rest = editions[...]
      while !rest.isEmpty {
        let portion = rest.prefix(Self.portion)
        rest = rest.dropFirst(Self.portion)
        group.addTask {
          portion.map { ($0.item, Draft($0, at: library, from: provider)) }
        }
      }
      var drafts: [ItemID: Draft] = [:]
      for await portion in group {
        // What a page says last of an item is what counts; it then has no draft, and gets its own.
        for (item, draft) in portion {
          if drafts.updateValue(draft, forKey: item) != nil { drafts[item] = nil }
        }
      }
      return drafts
    }
  }
}
