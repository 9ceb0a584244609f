package import Circulation

extension CatalogEntry {
  /// The edition that speaks for the work: one that says who wrote it, as a book rather than read
  /// aloud, with a summary and a picture, under the title that most of the others have.
  package var lead: ListedEdition {
    let titles = Dictionary(
      editions.map { (FoldedText($0.edition.title, atMost: 20).words, 1) }, uniquingKeysWith: +)
    func merit(_ listed: ListedEdition) -> [Int] {
      let edition = listed.edition
      return [
        edition.authors.isEmpty ? 0 : 1,
        edition.medium == .audiobook ? 0 : 1,
        titles[FoldedText(edition.title, atMost: 20).words] ?? 0,
        (edition.summary == nil ? 0 : 1) + (edition.covers.large == nil ? 0 : 1),
      ]
    }
    var best = editions[0]
    var most = merit(best)
    for listed in editions.dropFirst() {
      let here = merit(listed)
      if most.lexicographicallyPrecedes(here) { (best, most) = (listed, here) }
    }
    return best
  }

  /// All that is known of the work, the word of the leading edition first.
  package var face: Edition {
    let lead = lead.edition
    let all = [lead] + editions.map(\.edition).filter { $0.item != lead.item }
    var face = lead
    face.subtitle = lead.subtitle ?? all.lazy.compactMap(\.subtitle).first
    face.series =
      all.lazy.compactMap(\.series).first { $0.position != nil }
      ?? all.lazy.compactMap(\.series).first
    face.summary = lead.summary ?? longest(all.compactMap(\.summary))
    face.covers = all.map(\.covers).first { $0.large != nil || $0.small != nil } ?? Covers()
    face.isbns = all.flatMap(\.isbns).distinct
    face.languages = all.flatMap(\.languages).map(primarySubtag).distinct
    face.subjects = all.flatMap(\.subjects).distinct
    face.published = all.compactMap(\.published).min { $0.year < $1.year }
    face.audience = all.lazy.compactMap(\.audience).first
    return face
  }

  private func longest(_ texts: [String]) -> String? { texts.max { $0.utf8.count < $1.utf8.count } }
}
