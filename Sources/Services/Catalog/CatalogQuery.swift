package import Circulation

/// What a reader looks for, and where.
package struct CatalogQuery: Sendable, Hashable {
  /// As typed. All words must match, the last one may be the beginning of a word; blank words ask
  /// for everything, the best liked first.
  package var words: String
  /// Only what these list is found.
  package var libraries: [LibraryID]
  package var onlyAvailable: Bool
  package var content: Format.Content?
  /// A primary subtag; a longer tag is cut to it.
  package var language: String?
  package var provider: ProviderID?
  /// Counted in works.
  package var limit: Int
  /// Editions whose works this reader does not want to see.
  package var hidden: [CatalogItem] = []

  package init(
    words: String, libraries: [LibraryID], onlyAvailable: Bool = false,
    content: Format.Content? = nil, language: String? = nil, provider: ProviderID? = nil,
    limit: Int = 25
  ) {
    (self.words, self.libraries, self.onlyAvailable) = (words, libraries, onlyAvailable)
    (self.content, self.language, self.provider) = (content, language, provider)
    self.limit = limit
  }
}

/// One work, with those of its editions that were asked for, the best liked first.
package struct CatalogEntry: Sendable, Hashable {
  package let work: WorkID
  package let editions: [ListedEdition]

  package init(work: WorkID, editions: [ListedEdition]) {
    (self.work, self.editions) = (work, editions)
  }
}

/// An edition where it can be had, or could once.
package struct ListedEdition: Sendable, Hashable {
  package let library: LibraryID
  package let provider: ProviderID
  package let edition: Edition
  /// As last heard; nil when nobody ever said.
  package let availability: Availability?

  package init(
    library: LibraryID, provider: ProviderID, edition: Edition, availability: Availability?
  ) {
    (self.library, self.provider) = (library, provider)
    (self.edition, self.availability) = (edition, availability)
  }
}

extension CatalogQuery {
  /// Of a work that was found, the editions that meet the filters.
  func admits(_ listed: ListedEdition) -> Bool {
    if onlyAvailable, listed.availability?.canBeHadNow != true { return false }
    if let content, !listed.edition.formats.contains(where: { $0.content == content }) {
      return false
    }
    if let language = language.map(primarySubtag),
      !listed.edition.languages.contains(where: { primarySubtag($0) == language })
    {
      return false
    }
    return provider == nil || provider == listed.provider
  }
}

/// `en` of `en-GB`, in lower case.
func primarySubtag(_ tag: String) -> String {
  String(tag.lowercased().prefix { $0 != "-" && $0 != "_" })
}

extension WorkID {
  init(number: Int64) { self.init("w\(number)") }

  /// Nil where the text is not one of ours.
  var number: Int64? {
    guard rawValue.hasPrefix("w"), let number = Int64(rawValue.dropFirst()), number > 0,
      rawValue == "w\(number)"
    else { return nil }
    return number
  }
}
