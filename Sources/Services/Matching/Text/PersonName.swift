/// A name taken apart so that its spellings meet. Two names of one person differ in order, in what
/// is written out, in marks and in script; two persons may differ in a suffix alone. A class,
/// for all books of a writer share it.
final class PersonName: Sendable {
  /// With its particles in front: `le`, `guin`.
  let family: [String]
  let given: [String]
  /// `jr`, `sr`, `3`, or `pere`.
  private let suffix: String?
  private let born: Int?
  /// Whether a comma told which is the family name.
  private let isInverted: Bool
  /// The letters of the family name without its particles, as all spellings of it have them.
  let root: String
  /// Names are compared far more often than read, so what is compared is made once.
  private let familyLetters: String
  private let letters: String
  private let tokens: [String]
  private let row: String
  private let calls: [Call]
  /// The last given name, and the family name with it in front, where it may be one half of that.
  private let half: Half?

  private struct Half: Sendable {
    let name: String
    let double: String
  }

  /// A given name, or an initial.
  private struct Call: Sendable {
    let text: String
    let skeleton: String
    let count: Int
    let initials: (Character?, Character?)

    init(_ text: String) {
      (self.text, skeleton, count) = (text, Spelling.skeleton(text), text.count)
      initials = (text.first, skeleton.first)
    }

    func agrees(with other: Call) -> Bool {
      if text == other.text { return true }
      let (a, b) = (skeleton, other.skeleton)
      if count == 1 || other.count == 1 {
        return initials.0 == other.initials.0 || initials.1 == other.initials.1
      }
      if a == b || PenNames.areForms(a, b) { return true }
      // `Mitch` and `Mitchell`.
      if min(a.count, b.count) > 2, a.hasPrefix(b) || b.hasPrefix(a) { return true }
      return min(count, other.count) > 4 && initials.0 == other.initials.0
        && (Spelling.isOneSlipApart(a, b) || Spelling.isOneSlipApart(text, other.text))
    }
  }

  /// Nil for what names nobody.
  init?(_ raw: String) {
    let text = Repair.text(String(raw.prefix(200)))
    let upright = Self.withoutDegrees(Self.withoutAsides(text))
    born = Self.birth(text)
    let parts = upright.split(separator: ",")
    let pieces = (parts.prefix(1) + parts.dropFirst().filter(Self.isOfName))
      .map { Self.words(String($0)) }.filter { !$0.isEmpty }
    guard let first = pieces.first else { return nil }
    let all = pieces.flatMap { $0 }
    guard !Self.nobody.contains(all.joined(separator: " ")), !Self.isHouse(all) else { return nil }
    var rest = pieces.dropFirst().flatMap { $0 }
    var head = first
    var suffix: String?
    for (index, word) in rest.enumerated().reversed() where Self.suffixes[word] != nil {
      suffix = Self.suffixes[word]
      rest.remove(at: index)
    }
    if head.count > 1, let last = head.last, let value = Self.suffixes[last] {
      suffix = value
      head.removeLast()
    }
    rest.removeAll { Self.titles.contains($0) }
    // Walter Lord is no lord.
    let isUpright = pieces.count == 1
    // `Augustine of Hippo`: catalogues have the place behind a comma.
    if isUpright, let of = head.firstIndex(of: "of"), of > 0 { head.removeSubrange(of...) }
    let named = head.indices.filter { index in
      !Self.titles.contains(head[index])
        || isUpright && index + 1 == head.count && Self.surnames.contains(head[index])
    }.map { head[$0] }
    if !named.isEmpty { head = named }
    let isInverted = !rest.isEmpty
    var (family, given): ([String], [String])
    if isInverted {
      (family, given) = (head, rest)
      // `Beethoven, Ludwig van`
      while let last = given.last, Self.particles.contains(last), given.count > 1 {
        family.insert(last, at: 0)
        given.removeLast()
      }
    } else {
      var start = head.count - 1
      while start > 1, Self.particles.contains(head[start - 1]) { start -= 1 }
      family = Array(head[max(0, start)...])
      given = Array(head[..<max(0, start)])
    }
    guard !family.isEmpty else { return nil }
    let core = family.filter { !Self.particles.contains($0) }
    let familyLetters = Spelling.skeleton(family.joined())
    root = PenNames.canonical(
      core.isEmpty || core.count == family.count ? familyLetters : Spelling.skeleton(core.joined()))
    letters = PenNames.canonical(
      given.isEmpty ? familyLetters : Spelling.skeleton((given + family).joined()))
    tokens = (family + given).filter { !Self.particles.contains($0) }.map(Spelling.skeleton)
      .sorted()
    row = tokens.joined()
    calls = given.map(Call.init)
    half =
      if !isInverted, let last = calls.last, last.count > 2, calls.count > 1 {
        Half(name: last.skeleton, double: Spelling.skeleton(last.text + family.joined()))
      } else { nil }
    (self.family, self.given, self.suffix) = (family, given, suffix)
    (self.isInverted, self.familyLetters) = (isInverted, familyLetters)
  }

  func isSame(as other: PersonName) -> Bool {
    if self === other { return true }
    if let one = suffix, let two = other.suffix, one != two { return false }
    if let one = born, let two = other.born, abs(one - two) > 1 { return false }
    if root == other.root || familyLetters == other.familyLetters {
      return Self.agree(calls, other.calls)
    }
    // `Liu Cixin` and `Cixin Liu`; `García Márquez` cut in the wrong place.
    let (mine, theirs) = (tokens, other.tokens)
    if mine.count > 1, mine == theirs { return true }
    if row == other.row { return true }
    if letters == other.letters { return true }
    return hasDoubleName(other) || other.hasDoubleName(self)
  }

  /// `Gabriel García Márquez` without a comma has `García` among the given names.
  private func hasDoubleName(_ other: PersonName) -> Bool {
    guard let half else { return false }
    if half.double == other.familyLetters {
      return Self.agree(calls.dropLast(), other.calls)
    }
    // Some catalogues keep the first of the two only.
    return half.name == other.root && other.isInverted
      && Self.agree(calls.dropLast(), other.calls)
  }

  /// An initial agrees with each name of that letter; what one leaves out does not count.
  private static func agree(_ one: [Call], _ two: [Call]) -> Bool {
    guard let first = one.first, let second = two.first else { return true }
    if first.agrees(with: second) {
      for (a, b) in zip(one.dropFirst(), two.dropFirst()) where !a.agrees(with: b) {
        // `Ursula K.` and `Ursula Kroeber`: an initial that differs is another person, a full name
        // more or less may be one of several.
        if a.count == 1 || b.count == 1 {
          return one.contains { $0.initials.0 == b.initials.0 } || one.count != two.count
        }
        return one.count != two.count
      }
      return true
    }
    // `Machado de Assis`, `Joaquim Maria Machado de Assis`
    if one.count == 1, first.count > 2, two.last?.text == first.text { return true }
    if two.count == 1, second.count > 2, one.last?.text == second.text { return true }
    // Known by the second name: `F. Scott`, `J. Maarten`; `Mary Ann Shaffer`.
    if one.count > 1, second.count > 1, one[1].agrees(with: second), two.count == 1 { return true }
    if two.count > 1, first.count > 1, two[1].agrees(with: first), one.count == 1 { return true }
    return false
  }

  private static func words(_ text: String) -> [String] {
    var out: [String] = []
    for piece in text.unicodeScalars.split(whereSeparator: separates) {
      let word = Substring(piece)
      let isInitials =
        (2...3).contains(word.utf8.count) && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
        && !["LE", "DE", "LI", "WU", "JR", "SR", "II", "III", "IV", "MD", "VAN", "VON"].contains(
          word)
      if isInitials, text.contains(where: \.isLowercase) {
        out += word.map { $0.lowercased() }
      } else {
        out += Words.of(word).filter { !beginsWithNumber($0) }
      }
    }
    return Array(out.prefix(8))
  }

  private static func beginsWithNumber(_ word: String) -> Bool {
    guard let byte = word.utf8.first else { return false }
    return byte < 0x80 ? (0x30...0x39).contains(byte) : word.first?.isNumber == true
  }

  private static func separates(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", ".", "\t", "\u{A0}", "-", "\u{2010}": true
    default: false
    }
  }

  private static func withoutAsides(_ text: String) -> String {
    guard text.utf8.contains(where: { "([{)]}".utf8.contains($0) }) else { return text }
    var out = ""
    var depth = 0
    for character in text {
      if "([{".contains(character) { depth += 1 }
      if depth == 0 { out.append(character) }
      if ")]}".contains(character) { depth = max(0, depth - 1) }
    }
    return out
  }

  /// `1947-`, `1871-1947`, `b. 1947`.
  private static func birth(_ text: String) -> Int? {
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    for match in text.split(whereSeparator: { !$0.isNumber }).prefix(3) where match.utf8.count == 4
    {
      if let year = Int(match), (1000...2020).contains(year) { return year }
    }
    return nil
  }
}
