import Circulation

/// A title taken apart: what it is called, what else it is called, which volume, what kind.
struct TitleReading: Sendable {
  /// Without its leading article.
  private(set) var main: [String] = []
  /// Subtitles that say something.
  private(set) var subtitles: [[String]] = []
  /// Those of them that stood in brackets: a series, a make, seldom more.
  private(set) var asides: Set<[String]> = []
  /// Those of them that are works of their own.
  private(set) var others: Set<[String]> = []
  /// Whether it may be what somebody else made of it: `A Play`, `A Retelling`.
  private(set) var isTurned = false
  /// `Deluxe Edition`, `Omnibus`: a volume of it holds more than a volume of another.
  private(set) var isThick = false
  /// Whether a number stood with the name: what comes after is one of several.
  private(set) var isNumbered = false
  private(set) var alternatives: [[String]] = []
  /// Names of series with the number in it, from brackets and from the candidate.
  private(set) var series: [(name: String, position: Double?)] = []
  private(set) var slots = Slots()
  private(set) var kinds: Set<Kind> = []
  /// What makes another book of one with the same name.
  private(set) var variants: Set<String> = []
  private(set) var isBilingual = false
  /// Cut because it was too long: what is equal may differ further on.
  private(set) var isCut = false

  /// All of it in a row, which is equal however it was punctuated.
  private(set) var full: [String] = []
  /// Titles are compared far more often than read: letter by letter, and by the words that tell.
  private(set) var letters = ""
  private(set) var fullLetters = ""
  private(set) var content: Set<String> = []

  init(_ candidate: Candidate) {
    isCut =
      candidate.title.unicodeScalars.count > Candidate.longestText
      || (candidate.subtitle?.unicodeScalars.count ?? 0) > Candidate.longestText
    if let given = candidate.series {
      let name = Numerals.digits(Words.of(given.name)).joined(separator: " ")
      if !name.isEmpty { series.append((Self.bare(name), given.position)) }
    }
    let title = Segments(Self.spelledSigns(Repair.text(Self.upright(candidate.title))))
    var parts = title.parts
    var others = title.alternatives
    if let subtitle = candidate.subtitle {
      let more = Segments(Self.spelledSigns(Repair.text(subtitle)))
      let told = Set(parts.map { Words.of($0.text) })
      parts += more.parts.filter { !told.contains(Words.of($0.text)) }
      others += more.alternatives
    }
    let all =
      Words.of(candidate.title.prefix(Candidate.longestText))
      + Words.of((candidate.subtitle ?? "").prefix(Candidate.longestText))
    isBilingual =
      ["bilingual", "bilingue", "zweisprachig"].contains { all.contains($0) }
      || all.holds(["dual", "language"]) || all.holds(["parallel", "text"])
    read(parts, by: candidate.authors)
    alternatives = others.prefix(4).map { Self.withoutArticle(Numerals.digits(Words.of($0))) }
      .filter { !$0.isEmpty }
    if let plain = Self.plain(main, Self.names(candidate)) { alternatives.append(plain) }
    if candidate.medium == .comic { kinds.insert(.adaptation) }
    full = subtitles.isEmpty ? main : main + subtitles.flatMap { $0 }
    letters = TitleComparison.key(main)
    fullLetters = subtitles.isEmpty ? letters : TitleComparison.key(full)
    content = Words.content(full)
  }

  /// All that the first of its authors are called by.
  private static func names(_ candidate: Candidate) -> Set<String> {
    Set(
      candidate.authors.prefix(4).compactMap(PersonName.known).flatMap { $0.family + $0.given })
  }

  private mutating func read(_ parts: [Segments.Segment], by authors: [String]) {
    var isResponsibility = false
    var isNamed = false
    let families = Set(authors.prefix(4).compactMap { PersonName.known($0)?.family.last })
    for part in parts.prefix(12) {
      if part.text == "\u{1}" {
        isResponsibility = true
        continue
      }
      if !part.isAside, isResponsibility {
        let names = Words.of(part.text)
        if names.contains(where: families.contains)
          || names.first.map(Self.responsible.contains) ?? false
          || isNamed
        {
          isNamed = true
          takeKinds(names, isAside: false)
          continue
        }
        // `Emma / Persuasion`
        if authors.isEmpty == false { kinds.insert(.container) }
      }
      if part.isAside || part.text.utf8.contains(0x23), takeSeries(part.text, isAside: part.isAside)
      {
        continue
      }
      take(part, families)
    }
    if slots.isRange { kinds.insert(.container) }
    if !subtitles.isEmpty, Self.studies.contains(main) { kinds.insert(.study) }
    main = Self.withoutArticle(main)
  }

  private mutating func take(_ part: Segments.Segment, _ families: Set<String>) {
    var words = Words.of(Self.spacedNumbers(part.text))
    let isMain = main.isEmpty && !part.isAside
    guard isMain || !Self.isPraise(words) else { return }
    isThick = isThick || words.contains(where: Self.thick.contains)
    if !isMain, words.starts(with: ["a", "play"]) || words.contains("retelling") {
      isTurned = true
    }
    takeKinds(words, isAside: part.isAside)
    // `A Discworld Big Comic`; `Superheroes and the Comic` may be about them.
    if !isMain, words.last == "comic", words.count < 6, !words.contains("the") {
      kinds.insert(.adaptation)
    }
    variants.formUnion(Variants.named(in: words))
    words = Words.of(Self.spacedNumbers(Self.withoutLastEdition(part.text)))
    let before = slots
    slots.take(from: &words)
    slots.takeLast(from: &words, isAside: part.isAside)
    words = Numerals.digits(words)
    words = Self.withoutEdition(words)
    if isMain {
      takeName(words, of: part, families, before)
    } else {
      takeSubtitle(words, of: part, families, before)
    }
  }

  private mutating func takeName(
    _ found: [String], of part: Segments.Segment, _ families: Set<String>, _ before: Slots
  ) {
    var words = Self.withoutAuthor(found, families)
    if words.first == "by", let last = words.last, families.contains(last) { words = [] }
    if words.isEmpty, slots.isNamed, !before.isNamed {
      // `The Second Part of King Henry the Fourth`
      let all = Words.of(part.text)
      let name = all.firstIndex { ["of", "in"].contains($0) }.map { all[($0 + 1)...] } ?? []
      slots.volume = slots.place.flatMap { Int(exactly: $0) }
      (slots.place, slots.isNamed) = (before.place, false)
      words = Self.withoutArticle(Numerals.digits(Array(name)))
    }
    if words.isEmpty, slots.volume == nil, slots.place == nil {
      words = Numerals.digits(Words.of(Self.spacedNumbers(part.text)))
    }
    isNumbered = slots.place != before.place || slots.volume != before.volume
    slots.takeYear(from: &words, isMain: true)
    main = Self.withoutTail(words)
  }

  private mutating func takeSubtitle(
    _ found: [String], of part: Segments.Segment, _ families: Set<String>, _ before: Slots
  ) {
    var words = found
    if words.first == "by", let last = words.last, families.contains(last) { words = [] }
    slots.takeYear(from: &words, isMain: false)
    if Variants.isTwin(words, of: Self.withoutArticle(main), by: families) {
      variants.insert(words.joined(separator: " "))
    }
    let plain = Words.of(Self.withoutLastEdition(part.text))
    guard !words.isEmpty, !Self.isMake(plain, isAside: false),
      !Phrases.silences.contains(words),
      !Self.isGeneric(words.filter { !families.contains($0) }),
      !Self.isMake(words, isAside: part.isAside)
    else {
      return
    }
    // `The Kingkiller Chronicle` after the name is what it belongs to; so is `Red Rising, Book 2`.
    let isSerial =
      words.last.map { Self.serial.contains($0) || part.isAside && Self.several.contains($0) }
      ?? false
    if isSerial, words.count > 1, words.count < 6 {
      series.append((Self.bare(words.joined(separator: " ")), nil))
      return
    }
    let name = Self.bare(words.joined(separator: " "))
    // `In Search of Lost Time, Vol. 1` behind the name of that volume.
    if before.volume == nil, slots.volume == 1, words.count > 1 { series.append((name, 1)) }
    if slots.place != before.place, !slots.isNamed, words.count > 1 {
      series.append((name, slots.place))
      return
    }
    guard !part.isAside || words.count > 1 else { return }
    subtitles.append(words)
    if part.isAside { asides.insert(words) }
    if part.isNext { others.insert(words) }
  }

  private mutating func takeKinds(_ words: [String], isAside: Bool) {
    let phrases = Set(words).flatMap { Phrases.telling[$0] ?? [] }
    for (phrase, kind) in phrases where !kinds.contains(kind) && words.holds(phrase) {
      // `A Myth Retold`, `Unabridged` and the like are no kind of their own.
      if words.holds(["myth", "retold"]) || words.holds(["myths", "retold"]) { continue }
      // `and the Making of the Modern World` is what a book is about.
      if phrase == ["making", "of"], (words.position(of: phrase) ?? 0) > 1 { continue }
      // `Book 1 of the Sprawl Trilogy` is one of it.
      if kind == .container, isMember(words, isAside: isAside) { continue }
      kinds.insert(kind)
    }
    // `(Barron's Book Notes)`, `(Modern Critical Interpretations)`
    if isAside, let last = words.last, Self.guides.contains(last) { kinds.insert(.study) }
    if isAside, let last = words.last, ["film", "miniseries", "soundtrack"].contains(last) {
      kinds.insert(.adaptation)
    }
  }

  private static let guides: Set<String> = ["notes", "guide", "guides", "interpretations", "study"]

  private func isMember(_ words: [String], isAside: Bool) -> Bool {
    if let index = words.firstIndex(where: Self.several.contains) {
      // `The Farseer Trilogy 01`, `(Crazy Rich Asians Trilogy)`
      if index > 0, index + 1 < words.count, Int(words[index + 1]) != nil { return true }
      let name = Self.withoutArticle(words)
      if isAside, index + 1 == words.count, name.count > 1,
        !name.contains(where: { ["complete", "entire", "whole", "full", "all"].contains($0) })
      {
        return true
      }
    }
    var rest = words
    var slots = Slots()
    slots.take(from: &rest)
    if slots.isRange { return false }
    return slots.place != nil || slots.volume != nil || words.holds(["part", "of"])
      || words.holds(["novel", "of", "the"]) || words.holds(["novel", "in", "the"])
  }

  private static let responsible: Set<String> = [
    "by", "edited", "von", "translated", "illustrated", "with", "selected", "compiled", "adapted",
    "retold", "introduction", "introduced", "foreword", "narrated", "read", "written", "par", "de",
    "di", "door", "av", "af", "por", "hrsg", "herausgegeben", "ed", "text", "words", "pictures",
    "author", "as", "uebersetzt", "traduit", "traducido", "traduzione", "trad", "aus",
  ]

  private static let several: Set<String> = ["trilogy", "tetralogy", "duology"]

  private static let thick: Set<String> = ["deluxe", "omnibus", "compendium", "absolute"]

  /// `Summary: Atomic Habits`
  private static let studies: Set<[String]> = [
    ["summary"], ["analysis"], ["study", "notes"], ["book", "summary"], ["notes"], ["resumen"],
    ["zusammenfassung"], ["resume"], ["riassunto"],
  ]

  /// `(Dune, #1)`, `(The Expanse Book 2)`, `(Will Trent, #8.5; Jack Reacher, #23.6)`.
  private mutating func takeSeries(_ text: String, isAside: Bool) -> Bool {
    var found = false
    for piece in text.split(separator: ";").prefix(4) {
      guard let hash = piece.firstIndex(of: "#") else { continue }
      let name = Words.of(piece[..<hash])
      let number = piece[piece.index(after: hash)...].prefix { $0.isNumber || ".-–".contains($0) }
      if number.dropFirst().contains(where: { "-–".contains($0) }) { slots.isRange = true }
      guard isAside || name.isEmpty else {
        slots.place = slots.place ?? Double(number)
        return false
      }
      series.append((Self.bare(Numerals.digits(name).joined(separator: " ")), Double(number)))
      if name.isEmpty { slots.place = Double(number) }
      found = true
    }
    if found { return true }
    var words = Words.of(text)
    if isAside, words.count == 1, words[0].utf8.count < 3, let number = Double(words[0]) {
      series.append(("", number))
      return true
    }
    guard isAside, words.count > 2, !words.holds(["edition"]) else { return false }
    var named = Slots()
    named.take(from: &words)
    guard let place = named.place ?? named.volume.map(Double.init), !words.isEmpty else {
      return false
    }
    if named.isRange { slots.isRange = true }
    series.append((Self.bare(Numerals.digits(words).joined(separator: " ")), place))
    return true
  }
}
