import Circulation

/// A title taken apart: what it is called, what else it is called, which volume, what kind.
struct TitleReading: Sendable {
  /// Without its leading article.
  private(set) var main: [String] = []
  /// Subtitles that say something.
  private(set) var subtitles: [[String]] = []
  private(set) var alternatives: [[String]] = []
  /// Names of series with the number in it, from brackets and from the candidate.
  private(set) var series: [(name: String, position: Double?)] = []
  private(set) var slots = Slots()
  private(set) var kinds: Set<Kind> = []
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
      let name = Words.of(given.name).joined(separator: " ")
      if !name.isEmpty { series.append((Self.bare(name), given.position)) }
    }
    let title = Segments(Repair.text(Self.upright(candidate.title)))
    var parts = title.parts
    var others = title.alternatives
    if let subtitle = candidate.subtitle {
      let more = Segments(Repair.text(subtitle))
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
    if candidate.medium == .comic { kinds.insert(.adaptation) }
    full = main + subtitles.flatMap { $0 }
    letters = TitleComparison.key(main)
    fullLetters = subtitles.isEmpty ? letters : TitleComparison.key(full)
    content = Words.content(full)
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
          || ["by", "edited", "von"].contains(names.first)
          || isNamed
        {
          isNamed = true
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
    main = Self.withoutArticle(main)
  }

  private mutating func take(_ part: Segments.Segment, _ families: Set<String>) {
    var words = Words.of(Self.spacedNumbers(part.text))
    let before = words
    let isMain = main.isEmpty && !part.isAside
    takeKinds(words)
    words = Words.of(Self.spacedNumbers(Self.withoutLastEdition(part.text)))
    slots.take(from: &words)
    words = Numerals.digits(words)
    words = Self.withoutEdition(words)
    if isMain { words = Self.withoutAuthor(words, families) }
    if words.first == "by", let last = words.last, families.contains(last) { words = [] }
    if words.isEmpty, isMain, slots.volume == nil, slots.place == nil {
      words = Numerals.digits(before)
    }
    if isMain {
      slots.takeYear(from: &words, isMain: true)
      words = Self.withoutTail(words)
      main = words
    } else {
      slots.takeYear(from: &words, isMain: false)
      guard !words.isEmpty, !Phrases.silences.contains(words), !Self.isGeneric(words),
        !Self.isMake(words, isAside: part.isAside)
      else {
        return
      }
      // `The Kingkiller Chronicle` after the name is what it belongs to.
      if let last = words.last, Self.serial.contains(last), words.count > 1, words.count < 6 {
        series.append((Self.bare(words.joined(separator: " ")), nil))
        return
      }
      if !part.isAside || words.count > 1 { subtitles.append(words) }
    }
  }

  private mutating func takeKinds(_ words: [String]) {
    let phrases = Set(words).flatMap { Phrases.telling[$0] ?? [] }
    for (phrase, kind) in phrases where !kinds.contains(kind) && words.holds(phrase) {
      // `A Myth Retold`, `Unabridged` and the like are no kind of their own.
      if words.holds(["myth", "retold"]) || words.holds(["myths", "retold"]) { continue }
      // `and the Making of the Modern World` is what a book is about.
      if phrase == ["making", "of"], (words.position(of: phrase) ?? 0) > 1 { continue }
      // `Book 1 of the Sprawl Trilogy` is one of it.
      if kind == .container, isMember(words) { continue }
      kinds.insert(kind)
    }
  }

  private func isMember(_ words: [String]) -> Bool {
    var rest = words
    var slots = Slots()
    slots.take(from: &rest)
    if slots.isRange { return false }
    return slots.place != nil || slots.volume != nil || words.holds(["part", "of"])
      || words.holds(["novel", "of", "the"]) || words.holds(["novel", "in", "the"])
  }

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
      series.append((Self.bare(name.joined(separator: " ")), Double(number)))
      if name.isEmpty { slots.place = Double(number) }
      found = true
    }
    if found { return true }
    var words = Words.of(text)
    guard isAside, words.count > 2, !words.holds(["edition"]) else { return false }
    var named = Slots()
    named.take(from: &words)
    guard let place = named.place ?? named.volume.map(Double.init), !words.isEmpty else {
      return false
    }
    if named.isRange { slots.isRange = true }
    series.append((Self.bare(words.joined(separator: " ")), place))
    return true
  }
}
