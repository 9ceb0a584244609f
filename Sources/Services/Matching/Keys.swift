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
    let roots = dossier.authors.authors.prefix(6).map { String($0.root.prefix(24)) }
    for root in roots { keys += Retitled.keys(title, root: root) }
    for name in names.distinct where !name.isEmpty {
      let whole = name == title.main ? title.letters : TitleComparison.key(name)
      keys.append("t:\(whole.prefix(48))")
      let marks = marks(of: name, whole)
      for root in roots { keys += marks.map { "a:\(root):\($0)" } }
    }
    return Array(keys.distinct.prefix(48))
  }

  /// What two titles that are a slip apart still have in common. A writer of many books uses a word
  /// again and again, so a word alone stands for a title only where there is no other.
  private static func marks(of name: [String], _ whole: String) -> [String] {
    // The rarest words are as a rule the longest; a slip in one of them does no harm.
    let long = name.filter { $0.count > 2 && !Words.little.contains($0) }.sorted {
      ($0.count, $0) > ($1.count, $1)
    }
    .prefix(3).map { String($0.prefix(24)) }
    switch long.count {
    case 0: return [String(whole.prefix(6))]
    case 1: return [long[0], String(whole.prefix(6))]
    case 2:
      // A slip rarely hits the first letter.
      return [
        "\(long[0])+\(long[1].prefix(1))", "\(long[1])+\(long[0].prefix(1))",
      ]
    default:
      let row = long.sorted()
      return ["\(row[0])+\(row[1])", "\(row[0])+\(row[2])", "\(row[1])+\(row[2])"]
    }
  }
}
