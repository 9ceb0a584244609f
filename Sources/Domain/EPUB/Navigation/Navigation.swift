/// The ways into a book: its table of contents, the pages of the printed edition, and the places
/// that have a role.
package struct Navigation: Sendable, Hashable {
  /// Where the table of contents was found.
  package enum Source: String, Sendable, Hashable { case nav, ncx, landmarks, guide, spine }

  package struct Entry: Sendable, Hashable {
    package let label: String
    /// Nil for a heading that leads nowhere.
    package let target: Reference?
    /// From 0. An entry belongs to the last one before it that is less deep.
    package let depth: Int
  }

  package struct Landmark: Sendable, Hashable {
    /// cover, toc, bodymatter and so on.
    package let types: [String]
    package let entry: Entry
  }

  package internal(set) var source = Source.spine
  /// In the order of the document; flat, so that no depth can hurt.
  package internal(set) var contents: [Entry] = []
  package internal(set) var pages: [Entry] = []
  package internal(set) var landmarks: [Landmark] = []
  /// Lists of illustrations, tables and so on, by their type.
  package internal(set) var lists: [String: [Entry]] = [:]

  package init() {}

  package var topLevel: Int { contents.count { $0.depth == 0 } }
}
