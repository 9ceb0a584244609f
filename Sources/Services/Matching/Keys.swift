import Circulation

extension Matcher {
  /// Under each of these a catalogue files a candidate; those that share a key are worth comparing,
  /// and those that share none are not. A few keys a candidate, none of them common to thousands.
  package static func keys(of candidate: Candidate) -> [String] { keys(of: Dossier(candidate)) }

  package static func keys(of dossier: Dossier) -> [String] {
    var keys = dossier.numbers.isbns.sorted().map { "i:\($0)" }
    keys += dossier.numbers.works.sorted().map { "w:\($0)" }
    keys += dossier.numbers.editions.sorted().map { "e:\($0)" }
    let title = dossier.title
    var names = [title.main] + title.alternatives
    names += title.subtitles.prefix(3).map(TitleReading.withoutArticle)
    names.append(title.full)
    let roots = dossier.authors.authors.prefix(6).map(\.root)
    for name in names where !name.isEmpty {
      let whole = TitleComparison.key(name)
      keys.append("t:\(whole.prefix(48))")
      // The rarest word is as a rule the longest; a slip in another one does no harm.
      let long = name.filter { $0.count > 2 }.sorted { ($0.count, $0) > ($1.count, $1) }
      for root in roots {
        for word in long.prefix(3) { keys.append("a:\(root.prefix(24)):\(word.prefix(24))") }
        keys.append("a:\(root.prefix(24)):\(whole.prefix(6))")
      }
    }
    return Array(keys.distinct.prefix(48))
  }
}
