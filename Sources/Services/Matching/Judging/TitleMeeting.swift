/// How two titles meet, the closest way first.
enum TitleMeeting: Sendable, Hashable {
  /// Word for word, subtitles and all.
  case full
  /// The names agree; at most one has a subtitle that says something.
  case main
  /// The names agree, the subtitles have much in common.
  case likeSubtitles
  /// The names agree, the subtitles differ or are a title of their own.
  case otherSubtitles
  /// One is an alternative title, or the part after the name of a series.
  case alternative
  /// Known to be sold under both.
  case retitled
  /// A slip of the pen apart, or most words in common.
  case near
  /// One goes on where the other ends.
  case extended
  case none

  /// Low enough for two books that share a number.
  var touches: Bool { self != .none }
}

struct TitleComparison {
  let one: TitleReading
  let two: TitleReading

  func meeting(roots: Set<String>) -> TitleMeeting {
    let (a, b) = (one.letters, two.letters)
    guard !a.isEmpty, !b.isEmpty else { return .none }
    if one.fullLetters == two.fullLetters, one.subtitles.count + two.subtitles.count != 0 {
      return .full
    }
    if a == b { return sameName() }
    if roots.contains(where: { Retitled.areOne(one, two, root: $0) }) { return .retitled }
    if isAlternative() { return .alternative }
    if one.fullLetters == b || a == two.fullLetters { return .alternative }
    if let meeting = seriesAndPart() { return meeting }
    if isSlip(a, b) { return .near }
    return overlap()
  }

  /// Compared letter by letter, blanks aside: `Spider-Man` is `Spiderman`.
  static func key(_ words: [String]) -> String {
    Spelling.loose(words.map(Spelling.common).joined())
  }

  private func sameName() -> TitleMeeting {
    switch (one.subtitles.isEmpty, two.subtitles.isEmpty) {
    case (true, true): return .full
    case (false, false): return subtitlesMeet()
    default:
      return (one.subtitles + two.subtitles).contains(where: isTitleOfItsOwn)
        ? .otherSubtitles : .main
    }
  }

  /// What stands in brackets on one side only is the series or the make.
  private var areAside: Bool {
    let (mine, theirs) = (
      one.subtitles.allSatisfy(one.asides.contains), two.subtitles.allSatisfy(two.asides.contains)
    )
    return mine != theirs
  }

  private func subtitlesMeet() -> TitleMeeting {
    if areAside, !(one.subtitles + two.subtitles).contains(where: { isTitleOfItsOwn($0) }) {
      return .main
    }
    let mine = Set(one.subtitles.flatMap { $0 }.map(Spelling.common))
    let theirs = Set(two.subtitles.flatMap { $0 }.map(Spelling.common))
    if one.subtitles.count != two.subtitles.count {
      let surplus =
        one.subtitles.filter { !two.subtitles.contains($0) }
        + two.subtitles.filter { !one.subtitles.contains($0) }
      if surplus.contains(where: isTitleOfItsOwn) { return .otherSubtitles }
    }
    // `The Next Generation` is common to many: what follows it decides.
    let (left, right) = (
      one.subtitles.filter { !two.subtitles.contains($0) },
      two.subtitles.filter { !one.subtitles.contains($0) }
    )
    if left.count < one.subtitles.count, !left.isEmpty, !right.isEmpty,
      Words.content(left.flatMap { $0 }).isDisjoint(with: Words.content(right.flatMap { $0 }))
    {
      return .otherSubtitles
    }
    // `Grammar: Level 1` and `Level 2`
    let numbers = [mine, theirs].map { $0.filter(Numerals.isNumber) }
    if !numbers[0].isEmpty, !numbers[1].isEmpty, numbers[0] != numbers[1] {
      return mine.subtracting(numbers[0]) == theirs.subtracting(numbers[1])
        ? .none : .otherSubtitles
    }
    if mine.isSubset(of: theirs) || theirs.isSubset(of: mine) { return .likeSubtitles }
    let (a, b) = (Words.content(Array(mine)), Words.content(Array(theirs)))
    let shared = Double(a.intersection(b).count)
    let least = Double(max(1, min(a.count, b.count)))
    if shared / least >= 0.5, shared >= 2 || mine.intersection(theirs).count > 2 {
      return .likeSubtitles
    }
    // One adds what the other leaves out, each about something else.
    if one.subtitles.count != two.subtitles.count,
      one.subtitles.contains(where: { two.subtitles.contains($0) })
    {
      return .likeSubtitles
    }
    return .otherSubtitles
  }

  /// `Rodrick Rules` is a title; `A Brief History of Humankind` and `How We Got Here` tell what a
  /// book is about.
  private func isTitleOfItsOwn(_ words: [String]) -> Bool {
    let name = one.main.joined(separator: " ")
    let isSeries = (one.series + two.series).contains { $0.name == name } || Franchises.has(name)
    if one.others.contains(words) || two.others.contains(words) { return true }
    // One volume has one name.
    if let volume = one.slots.volume, volume == two.slots.volume { return false }
    // `An Official Minecraft Novel`
    if ["a", "an"].contains(words[0]), let last = words.last, Self.sorts.contains(last) {
      return false
    }
    if isSeries { return true }
    if one.asides.contains(words) || two.asides.contains(words) { return false }
    // `Dresden Files 1`
    if words.count > 1, words.last.flatMap({ Int($0) }) != nil { return false }
    // `12 Revolutionary Strategies`
    // `Tales from the Café` is the next book.
    if ["tales", "more", "further", "another", "return"].contains(words[0]), words.count > 1 {
      return true
    }
    guard words.count <= 3, words.count < 3 || Int(words[0]) == nil else { return false }
    if ["a", "an", "how", "why", "my", "one", "ein", "eine", "un", "une", "una"].contains(words[0])
    {
      return false
    }
    return !words.dropFirst().contains { Words.little.contains($0) || Self.joints.contains($0) }
  }

  private static let sorts: Set<String> = [
    "novel", "novella", "story", "tale", "mystery", "adventure", "thriller", "romance", "memoir",
  ]

  /// Little words of other languages, which names have seldom and descriptions as a rule.
  private static let joints: Set<String> = [
    "einer", "eines", "einem", "einen", "dem", "den", "zu", "zum", "zur", "im", "am", "fur",
    "uber", "au", "aux", "dans", "pour", "sur", "del", "al", "para", "con", "por", "di", "della",
    "dei", "nel", "da", "do", "dos", "van", "het", "voor", "av", "och", "og",
  ]

  private func isAlternative() -> Bool {
    guard !one.alternatives.isEmpty || !two.alternatives.isEmpty else { return false }
    let mine = [one.main] + one.alternatives
    let theirs = [two.main] + two.alternatives
    for (i, a) in mine.enumerated() {
      for (j, b) in theirs.enumerated() where i + j > 0 && Self.key(a) == Self.key(b) {
        return true
      }
    }
    return false
  }

  /// `Star Wars: Thrawn` and `Thrawn`, `Dune Chronicles 1: Dune` and `Dune`; but `Mockingjay: The
  /// Hunger Games` may be any of them.
  private func seriesAndPart() -> TitleMeeting? {
    var found: TitleMeeting?
    for (whole, part) in [(one, two), (two, one)] where !whole.subtitles.isEmpty {
      let name = whole.main.joined(separator: " ")
      let isSeries =
        Franchises.has(name) || (whole.series + part.series).contains { $0.name == name }
        || whole.isNumbered || whole.main.last.flatMap(Numerals.count) != nil
        || TitleReading.serial.contains(whole.main.last ?? "")
      for subtitle in whole.subtitles
      where !whole.others.contains(subtitle)
        && Self.key(TitleReading.withoutArticle(subtitle)) == part.letters
      {
        if isSeries { return .alternative }
        found = .extended
      }
    }
    return found
  }

  private func isSlip(_ a: String, _ b: String) -> Bool {
    let (mine, theirs) = (one.main.map(Spelling.common), two.main.map(Spelling.common))
    if mine.count == theirs.count {
      let differing = zip(mine, theirs).filter { $0 != $1 }
      guard differing.count == 1, let (left, right) = differing.first else { return false }
      return isSlip(left, right, inLong: mine.count > 2)
    }
    return mine.count > 2 && a.count > 12 && Spelling.isOneSlipApart(a, b)
      && a.filter(\.isNumber) == b.filter(\.isNumber)
      && !(a + "s" == b || b + "s" == a)
  }

  private func isSlip(_ left: String, _ right: String, inLong: Bool) -> Bool {
    guard !(left + right).contains(where: \.isNumber),
      min(left.count, right.count) > (inLong ? 4 : 6)
    else { return false }
    // `Alien` and `Aliens` are two films; so may be two books.
    if left + "s" == right || right + "s" == left { return false }
    // So are `Strange Planet` and `Stranger Planet`.
    if left + "r" == right || right + "r" == left { return false }
    if Self.opposites.contains(where: { a, b in
      left.replacing(a, with: b) == right || right.replacing(a, with: b) == left
    }) {
      return false
    }
    return left.first == right.first && Spelling.isOneSlipApart(left, right)
  }

  /// A letter apart, and yet two things.
  private static let opposites = [("macro", "micro"), ("ante", "anti"), ("prescri", "proscri")]

  private func overlap() -> TitleMeeting {
    let (mine, theirs) = (one.content, two.content)
    let shared = mine.intersection(theirs)
    guard !shared.isEmpty else { return .none }
    if mine == theirs, mine.count > 1 { return .near }
    let all = mine.union(theirs)
    // A word more may make another book of it: `… Journal`.
    if !mine.symmetricDifference(theirs).contains(where: Numerals.isNumber),
      Double(shared.count) / Double(all.count) >= 0.8
    {
      return .extended
    }
    let (short, long) =
      one.full.count < two.full.count ? (one.full, two.full) : (two.full, one.full)
    // A subtitle without any sign before it.
    if long.starts(with: short), long.count >= short.count + 3,
      ["a", "an", "the", "how", "why", "my", "being", "what"].contains(long[short.count])
    {
      return .extended
    }
    return .none
  }
}
