package import Items

/// A page of books: of a lane, or of what a search found.
package struct BookPage: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package let work: WorkItem
    /// Why it is recommended; nil where it is just there.
    package let why: String?

    package init(work: WorkItem, why: String?) { (self.work, self.why) = (work, why) }
  }

  package let entries: [Entry]
  /// Books on all pages.
  package let total: Int
  package let facets: [FacetItem]

  package init(entries: [Entry], total: Int, facets: [FacetItem]) {
    (self.entries, self.total, self.facets) = (entries, total, facets)
  }

  package var works: [WorkItem] { entries.map(\.work) }
}
