/// A candidate that has been read once, so that it can be compared with many; a class, for it is
/// handed around far more often than read.
package final class Dossier: Sendable {
  package let candidate: Candidate
  let title: TitleReading
  let authors: AuthorReading
  let numbers: Numbers
  let languages: Set<String>

  package init(_ candidate: Candidate) {
    self.candidate = candidate
    title = TitleReading(candidate)
    authors = AuthorReading(candidate)
    numbers = Numbers(candidate)
    languages = Set(candidate.languages.prefix(8).compactMap(Language.tag))
  }

  /// Nobody has given it a title yet: `Untitled (Series, #6)`, `TBA`.
  var isPlaceholder: Bool {
    let words = title.main
    if words.isEmpty { return true }
    return [
      "untitled", "tba", "tbd", "untitled novel", "unknown", "title unknown", "no title",
      "to be announced", "untitled book", "n a", "forthcoming",
    ]
    .contains(words.joined(separator: " ")) || words.first == "untitled" && words.count < 5
      || (title.slots.place != nil || title.slots.volume != nil)
        && words.allSatisfy { Self.bareWords.contains($0) || Int($0) != nil }
  }

  private static let bareWords: Set<String> = [
    "book", "volume", "vol", "part", "no", "number", "issue", "bk", "v", "band", "tome",
  ]
}
