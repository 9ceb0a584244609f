/// Decides whether two editions are one work. What contradicts comes first, then numbers that name
/// a work, then title, author and language. It would rather say `unsure` than be wrong.
package enum Matcher {
  /// Changes whenever verdicts or keys do, for those who keep them.
  package static let version = 3

  package static func verdict(_ a: Candidate, _ b: Candidate) -> Verdict {
    verdict(Dossier(a), Dossier(b))
  }

  package static func verdict(_ one: Dossier, _ two: Dossier) -> Verdict {
    Judgement(one, two, one.authors.meeting(two.authors)).verdict()
  }

  /// How surely two are the same; nil where they are not, which is seen much sooner than why. Of
  /// all that share a key few are the same, and each comes past dozens of others.
  package static func likeness(_ one: Dossier, _ two: Dossier) -> Double? {
    let authors = one.authors.meeting(two.authors)
    // Books of others, without a number in common, are unsure at best.
    if authors == .disjoint, one.numbers.isDisjoint(with: two.numbers) { return nil }
    let verdict = Judgement(one, two, authors).verdict()
    return verdict.verdict == .same ? verdict.score : nil
  }
}

private struct Judgement {
  let one: Dossier
  let two: Dossier
  let titles: TitleMeeting
  let authors: AuthorMeeting

  init(_ one: Dossier, _ two: Dossier, _ authors: AuthorMeeting) {
    (self.one, self.two, self.authors) = (one, two, authors)
    let named = authors == .disjoint ? [] : one.authors.authors + two.authors.authors
    titles = TitleComparison(one: one.title, two: two.title).meeting(
      roots: Set(named.map(\.root)))
  }

  func verdict() -> Verdict {
    if one.isPlaceholder || two.isPlaceholder {
      return Verdict(.unsure, 0.3, ["one has no title that says anything"])
    }
    let vetoes = Vetoes(one: one, two: two, titles: titles, authors: authors)
    if let reason = vetoes.reason() { return Verdict(.different, 0.02, [reason], isVeto: true) }
    let found = byNumbers() ?? byWords()
    guard found.verdict == .same, one.title.isCut || two.title.isCut else { return found }
    return Verdict(.unsure, 0.5, ["a title is too long to be read to its end"] + found.why)
  }

  private func byNumbers() -> Verdict? {
    if let work = one.numbers.works.intersection(two.numbers.works).min() {
      if titles.touches || authors == .shared || authors == .penName {
        return Verdict(.same, 0.99, ["both are the work \(work)"] + words)
      }
      return Verdict(.unsure, 0.6, ["both are the work \(work), but nothing else agrees"])
    }
    let number =
      one.numbers.isbns.intersection(two.numbers.isbns).min().map { "ISBN \($0)" }
      ?? one.numbers.editions.intersection(two.numbers.editions).min()
    guard let number else { return nil }
    switch titles {
    // `Selected Stories` of two writers: somebody copied the number.
    case .full, .main, .likeSubtitles, .alternative, .retitled:
      guard authors != .disjoint || !isSelection else { break }
      return Verdict(.same, 0.98, ["both have \(number)"] + words)
    case .near, .extended:
      if authors != .disjoint { return Verdict(.same, 0.93, ["both have \(number)"] + words) }
    case .otherSubtitles, .none: break
    }
    return Verdict(.unsure, 0.5, ["both have \(number)", "but their titles do not agree"])
  }

  private func byWords() -> Verdict {
    switch authors {
    case .shared, .penName: known()
    case .body: byBody()
    case .unknown: withoutAuthors()
    case .disjoint: strangers()
    }
  }

  /// A publisher or an office has many books, seldom two of one name that says something.
  private func byBody() -> Verdict {
    guard titles == .full, open == nil, Words.content(one.title.main).count > 1, !isSelection else {
      return withoutAuthors()
    }
    return Verdict(.same, 0.86, words)
  }

  private func known() -> Verdict {
    let isPen = authors == .penName
    switch titles {
    case .full:
      if let open { return Verdict(.unsure, 0.5, [open] + words) }
      return Verdict(.same, isPen ? 0.94 : 0.97, words)
    case .main: return oneSided()
    case .likeSubtitles: return Verdict(.same, 0.93, words)
    case .retitled: return Verdict(.same, 0.9, words)
    case .alternative: return isPen ? Verdict(.unsure, 0.7, words) : Verdict(.same, 0.91, words)
    case .near: return isPen ? Verdict(.unsure, 0.6, words) : Verdict(.same, 0.88, words)
    case .otherSubtitles: return subtitles()
    case .extended: return Verdict(.unsure, 0.6, words)
    case .none: return Verdict(.different, 0.05, words)
    }
  }

  /// A volume on one side only, or a year, leaves it open.
  private func oneSided() -> Verdict {
    if let open { return Verdict(.unsure, 0.5, [open] + words) }
    return Verdict(.same, 0.92, words)
  }

  private var open: String? {
    let (mine, theirs) = (one.title.slots, two.title.slots)
    // A volume that is told by its name needs no number.
    let isTold = titles == .full && !one.title.subtitles.isEmpty
    if (mine.volume == nil) != (theirs.volume == nil), !isTold,
      !isNumbered(mine.volume ?? theirs.volume)
    {
      return "only one has a volume number"
    }
    if one.title.isThick != two.title.isThick, mine.volume != nil, theirs.volume != nil {
      return "a volume of the one may hold more"
    }
    if one.title.isTurned != two.title.isTurned,
      one.authors.authors.count != two.authors.authors.count
    {
      return "somebody else may have made a play of it"
    }
    let isShort = Words.content(one.title.main).count <= 2
    for (has, lacks) in [(mine, theirs), (theirs, mine)] {
      guard isShort, let place = has.place, place > 1, !has.isNamed, lacks.place == nil,
        !isNumbered(Int(exactly: place))
      else { continue }
      return "only one is a numbered book of that name"
    }
    if isSelection, let a = one.candidate.year, let b = two.candidate.year, abs(a - b) > 5 {
      return "selections of that name differ from year to year"
    }
    if (mine.year == nil) != (theirs.year == nil), !mine.isYearAside, !theirs.isYearAside {
      return "only one has a year"
    }
    return nil
  }

  private func isNumbered(_ value: Int?) -> Bool {
    guard let value else { return false }
    return (one.title.series + two.title.series).contains { $0.position == Double(value) }
  }

  /// `Selected Poems`: one writer has several books of that name.
  private var isSelection: Bool {
    let sorts: Set = [
      "selected", "collected", "poems", "stories", "essays", "letters", "plays", "short", "new",
      "and", "writings", "works", "poetry", "fiction", "prose", "journals", "diaries", "best",
    ]
    return one.title.full.allSatisfy(sorts.contains)
  }

  private func subtitles() -> Verdict {
    let (a, b) = (one.title.subtitles, two.title.subtitles)
    if a.isEmpty || b.isEmpty {
      return Verdict(.unsure, 0.45, ["the subtitle of one may be a title of its own"])
    }
    let (mine, theirs) = (
      Words.content(a.flatMap { $0 }), Words.content(b.flatMap { $0 })
    )
    let isShort = min(a.flatMap { $0 }.count, b.flatMap { $0 }.count) <= 4
    // A name of three words that tell seldom stands on two books; a subtitle is changed for another
    // country.
    let isRare = Words.content(one.title.main).count > 2 && !one.title.isNumbered
    if mine.isDisjoint(with: theirs),
      isShort && !isRare || Franchises.has(one.title.main.joined(separator: " "))
    {
      return Verdict(.different, 0.1, ["the subtitles have nothing in common"])
    }
    return Verdict(.unsure, 0.5, ["the subtitles differ"])
  }

  private func withoutAuthors() -> Verdict {
    let rare = one.title.content.intersection(two.title.content).count
    switch titles {
    case .full where rare >= 4 && open == nil: return Verdict(.same, 0.85, words)
    case .full, .main, .likeSubtitles, .alternative, .near, .retitled:
      return Verdict(.unsure, rare >= 3 ? 0.7 : 0.5, words)
    case .otherSubtitles, .extended: return Verdict(.unsure, 0.3, words)
    case .none: return Verdict(.different, 0.05, words)
    }
  }

  private func strangers() -> Verdict {
    guard [.full, .likeSubtitles, .main].contains(titles) else {
      return Verdict(.different, 0.03, words)
    }
    let name = one.title.main.joined(separator: " ")
    if Ancients.has(name) { return Verdict(.unsure, 0.6, words) }
    let rare = one.title.content.intersection(two.title.content).count
    if titles == .full, rare >= 5 { return Verdict(.unsure, 0.4, words) }
    return Verdict(.different, 0.05, words)
  }

  /// What agrees, and what does not, in words.
  private var words: [String] {
    let title =
      switch titles {
      case .full: "the titles agree"
      case .main: "the titles agree but for a subtitle"
      case .likeSubtitles: "the titles agree, the subtitles nearly"
      case .otherSubtitles: "the titles agree, the subtitles do not"
      case .alternative: "one title is another name in the other"
      case .retitled: "known under both titles"
      case .near: "the titles nearly agree"
      case .extended: "one title goes on after the other"
      case .none: "the titles differ"
      }
    let author =
      switch authors {
      case .shared: "an author is the same"
      case .penName: "an author is the same under another name"
      case .body: "both are by one body"
      case .unknown: "an author is not known"
      case .disjoint: "the authors differ"
      }
    return [title, author]
  }
}
