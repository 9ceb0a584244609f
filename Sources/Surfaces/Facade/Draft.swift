import Catalog
import OPDS

/// A document before it is written: equal ones are the same bytes, so a page that was looked at again
/// and did not change keeps its bytes, its tag and its compressed form.
struct Draft: Sendable, Hashable {
  enum Body: Sendable, Hashable {
    /// The frame of a feed, with what stands in it. The frame's own publications are not written.
    case feed(Feed, [Item], groups: [[Item]])
    /// One entry by itself.
    case entry(Publication)
  }

  enum Item: Sendable, Hashable {
    /// The same for everybody with these libraries: rendered once for each version.
    case shared(WorkVersion)
    /// As this reader alone sees it.
    case own(Publication)
  }

  var body: Body
  var privacy: Privacy

  init(_ body: Body, _ privacy: Privacy = .ordinary) {
    (self.body, self.privacy) = (body, privacy)
  }

  enum Privacy: Sendable, Hashable {
    /// Public for strangers, private for readers.
    case ordinary
    /// What a reader has: kept by nobody.
    case kept
  }
}
