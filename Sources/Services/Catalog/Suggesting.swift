import Circulation
package import Database

extension Catalog {
  /// What somebody may be about to type: names that the words begin, then titles. Nothing is guessed
  /// at, so that a slip in the middle of a word costs no walk through all words.
  package func suggestions(_ query: CatalogQuery) async throws(DatabaseError) -> [String] {
    guard query.limit > 0, let wanted = Wanted(query.words), !wanted.terms.isEmpty else {
      return []
    }
    let entries = try await store.read { snapshot throws(DatabaseError) -> [CatalogEntry] in
      guard let finder = try Finder(query, in: snapshot) else { return [] }
      return try finder.entries(of: try finder.works(for: wanted))
    }
    let faces = entries.compactMap(\.editions.first?.edition)
    let names = faces.flatMap(\.authors).filter { wanted.isIn($0) }.distinct.prefix(3)
    return Array((names + faces.map(\.title)).distinct.prefix(query.limit))
  }
}

extension Wanted {
  /// Whether all its words stand in the text, the last one perhaps as a beginning.
  fileprivate func isIn(_ text: String) -> Bool {
    let folded = FoldedText(text, atMost: 32)
    let words = folded.words + folded.variants
    return terms.allSatisfy { term in
      words.contains { word in
        term.words.contains { term.isBeginning ? word.hasPrefix($0) : word == $0 }
      }
    }
  }
}
