import JSON

/// A publication in the spelling of one version, to be put into any number of feeds.
package struct RenderedPublication: Sendable {
  fileprivate enum Form: Sendable {
    case atom(AtomWriting.Rendered)
    case json([UInt8])
  }

  package let version: FeedVersion
  fileprivate let form: Form

  package init(_ publication: Publication, _ version: FeedVersion) {
    self.version = version
    form =
      switch version {
      case .atom: .atom(AtomWriting.Rendered(publication))
      case .json: .json(JSONWriting.publication(publication).bytes())
      }
  }

  /// In bytes.
  package var size: Int {
    switch form {
    case .atom(let rendered): rendered.size
    case .json(let bytes): bytes.count
    }
  }

  /// By itself, as a document.
  package var document: [UInt8] {
    switch form {
    case .atom(let rendered): AtomWriting.document(entry: rendered)
    case .json(let bytes): bytes
    }
  }

  fileprivate var atom: AtomWriting.Rendered? {
    if case .atom(let rendered) = form { rendered } else { nil }
  }

  fileprivate var json: [UInt8]? { if case .json(let bytes) = form { bytes } else { nil } }
}

extension Feed {
  package func document(_ version: FeedVersion) -> [UInt8] {
    document(
      version, publications: publications.map { RenderedPublication($0, version) },
      groups: groups.map { $0.publications.map { RenderedPublication($0, version) } })
  }

  /// Around publications that are rendered already, in this version: for each group those that stand
  /// in it. Its own are not written.
  package func document(
    _ version: FeedVersion, publications: [RenderedPublication],
    groups: [[RenderedPublication]] = []
  ) -> [UInt8] {
    switch version {
    case .atom:
      AtomWriting.document(
        self,
        AtomWriting.Shown(
          publications: publications.compactMap(\.atom),
          groups: groups.map { $0.compactMap(\.atom) }))
    case .json:
      JSONWriting.document(
        self,
        JSONWriting.Shown(
          publications: publications.compactMap(\.json),
          groups: groups.map { $0.compactMap(\.json) }))
    }
  }
}
