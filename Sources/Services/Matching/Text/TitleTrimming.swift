extension TitleReading {
  /// `Hobbit, The` stands upright as `The Hobbit`.
  static func upright(_ raw: String) -> String {
    let text =
      raw.utf8.count <= Candidate.longestText
      ? raw : String(String.UnicodeScalarView(raw.unicodeScalars.prefix(Candidate.longestText)))
    guard text.utf8.contains(0x2C) else { return text }
    // `:`, `-` and `(`
    for sign: UInt8 in [0x3A, 0x2D, 0x28] {
      if let cut = text.utf8.firstIndex(of: sign), let turned = turned(text[..<cut]) {
        return turned + " " + text[cut...]
      }
    }
    return turned(text[...]) ?? text
  }

  private static func turned(_ text: Substring) -> String? {
    guard let comma = text.utf8.lastIndex(of: 0x2C) else { return nil }
    let article = Words.of(text[text.index(after: comma)...])
    guard article.count == 1, Words.articles.contains(article[0]) else { return nil }
    return article[0] + " " + text[..<comma]
  }

  static func withoutArticle(_ words: [String]) -> [String] {
    var words = words
    if words.count > 1, Words.articles.contains(words[0]) { words.removeFirst() }
    // An elided article that grew onto its noun: letranger.
    return words
  }

  /// `The Tragedy of King Richard III` without what only says what it is.
  static func plain(_ words: [String], _ names: @autoclosure () -> Set<String>) -> [String]? {
    var rest = words[...]
    // `The Odyssey of Homer`
    if let of = rest.lastIndex(of: "of"), of > 0, of + 1 < rest.count, of + 5 > rest.count,
      rest[(of + 1)...].allSatisfy({ ["st", "saint"].contains($0) || names().contains($0) })
    {
      rest = rest[..<of]
    }
    for lead in leads
    where rest.first == lead[0] && rest.starts(with: lead) && rest.count > lead.count {
      rest = rest.dropFirst(lead.count)
      break
    }
    if rest.count == 3, rest.first == "king", rest.last.flatMap({ Int($0) }) != nil {
      rest = rest.dropFirst()
    }
    return rest.count < words.count ? withoutArticle(Array(rest)) : nil
  }

  private static let leads = [
    ["tragedy", "of"], ["tragedie", "of"], ["tragical", "history", "of"],
    ["life", "and", "adventures", "of"], ["life", "and", "opinions", "of"],
    ["life", "and", "death", "of"], ["personal", "history", "of"],
    ["life", "and", "strange", "adventures", "of"], ["true", "history", "of"],
    ["most", "lamentable", "tragedy", "of"],
  ]

  static let serial: Set<String> = [
    "chronicle", "chronicles", "saga", "series", "cycle", "quartet", "quintet", "sequence",
  ]

  static func bare(_ name: String) -> String {
    var words = withoutArticle(name.split(separator: " ").map(String.init))
    while let last = words.last,
      [
        "series", "trilogy", "saga", "novels", "novel", "cycle", "book", "books", "the",
        "chronicles",
      ]
      .contains(last), words.count > 1
    { words.removeLast() }
    return words.joined(separator: " ")
  }

  /// `Books 1-3` and `#1` with blanks around what counts.
  static func spacedNumbers(_ text: String) -> String {
    guard text.utf8.contains(0x23) else { return text }
    var pieces = text.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    for index in pieces.indices.dropFirst() {
      let counts = pieces[index].first { $0 != " " }?.isNumber ?? false
      pieces[index] = (counts ? " bk " : " ") + pieces[index]
    }
    return pieces.joined()
  }

  /// `C++` and `C#` are not `C`.
  static func spelledSigns(_ text: String) -> String {
    guard text.utf8.contains(0x23) || text.utf8.contains(0x2B) else { return text }
    var out = ""
    var before: [Character] = [" ", " "]
    let rest = Array(text)
    for (index, sign) in rest.enumerated() {
      let next = index + 1 < rest.count ? rest[index + 1] : " "
      if sign == "#", before[1].isLetter, !before[0].isLetter, !next.isNumber {
        out += " sharp "
      } else if sign == "+", before[1] == "+" || next == "+" {
        out += " plus "
      } else {
        out.append(sign)
      }
      before = [before[1], sign]
    }
    return out
  }

  /// `2nd edition`, `10th anniversary edition`, `Revised Edition`.
  static func withoutEdition(_ words: [String]) -> [String] {
    var words = words
    if let index = words.firstIndex(where: { ["edition", "ed", "auflage"].contains($0) }), index > 0
    {
      var start = index
      while start > 0,
        editionWords.contains(words[start - 1]) || Numerals.asOrdinal(words[start - 1]) != nil
      { start -= 1 }
      if start < index { words.removeSubrange(start...index) }
    }
    if let index = words.firstIndex(of: "anniversary"), index > 0,
      Numerals.asOrdinal(words[index - 1]) != nil || Int(words[index - 1]) != nil
    {
      words.removeSubrange((index - 1)...index)
    }
    return words
  }

  private static let editionWords: Set<String> = [
    "revised", "anniversary", "updated", "expanded", "new", "deluxe", "special", "illustrated",
    "annotated", "international", "collectors", "critical", "norton", "large", "print", "kindle",
    "and", "the", "movie", "tie", "in", "unabridged", "limited", "enhanced", "second", "third",
    "year", "classic", "definitive", "uncut", "complete", "full", "fully", "gift", "bilingual",
    "dual", "language", "student", "teen", "global", "us", "uk", "american", "british", "centenary",
    "centennial", "penguin", "scholastic", "reprint", "reissue", "restored", "authorized",
  ]

  /// `Stephen King's It`, `It by Stephen King`: only when it is the author.
  static func withoutAuthor(_ words: [String], _ families: Set<String>) -> [String] {
    var words = words
    if let by = words.lastIndex(of: "by"), by > 0, let last = words.last, families.contains(last),
      words.count - by <= 5
    {
      words.removeSubrange(by...)
    }
    for (index, word) in words.prefix(3).enumerated()
    where word.hasSuffix("s") && families.contains(String(word.dropLast()))
      && words.count > index + 1
    {
      words.removeSubrange(0...index)
      break
    }
    return words
  }

  /// Words about the make that were left at the end without any sign before them.
  static func withoutTail(_ words: [String]) -> [String] {
    for tail in tails where words.count > tail.count && words.suffix(tail.count).elementsEqual(tail)
    { return withoutTail(Array(words.dropLast(tail.count))) }
    // `The Illustrated A Brief History of Time`, but `The Illustrated Man`
    let start = words.first == "the" ? 1 : 0
    if words.count > start + 2, words[start] == "illustrated",
      ["a", "an", "the"].contains(words[start + 1])
    {
      return withoutArticle(Array(words.dropFirst(start + 1)))
    }
    if words.count > start + 2, words[start] == "new", words[start + 1] == "annotated" {
      return Array(words.dropFirst(start + 2))
    }
    if words.count > 2, words[0] == "annotated" || words.starts(with: ["the", "annotated"]) {
      return Array(words.dropFirst(words[0] == "the" ? 2 : 1))
    }
    return words
  }

  private static let tails: [[String]] = [
    ["large", "print"], ["a", "novel"], ["movie", "tie", "in"], ["electronic", "resource"],
    ["kindle", "edition"], ["ebook"], ["audiobook"], ["unabridged"], ["a", "memoir"],
    ["board", "book"], ["illustrated"], ["annotated"], ["paperback"], ["hardcover"],
    ["audio", "cd"],
    ["a", "thriller"],
  ]

  /// `…, Timeless Edition` without a sign that the comma is not part of the title.
  static func withoutLastEdition(_ text: String) -> String {
    guard let comma = text.utf8.lastIndex(of: 0x2C) else { return text }
    let words = Words.of(text[comma...])
    // `…, 2018 Edition` comes out each year.
    guard !words.contains(where: { (Numerals.year($0) ?? 0) >= 1950 }) else { return text }
    let isEdition =
      words.count < 5 && words.last == "edition"
      || !words.isEmpty && words.count < 6 && words.allSatisfy(remakes.contains)
    return isEdition ? String(text[..<comma]) : text
  }

  /// `Influence, New and Expanded`
  private static let remakes: Set<String> = [
    "new", "newly", "revised", "updated", "expanded", "enlarged", "fully", "and", "unabridged",
    "uncut", "illustrated", "annotated", "deluxe", "complete",
  ]

  /// What sellers cry out: `The multi-million copy bestseller`, `Winner of the Booker Prize 2017`.
  static func isPraise(_ words: [String]) -> Bool {
    let tells = words.contains(where: cries.contains)
    return tells || words.starts(with: ["winner", "of"])
      || words.starts(with: ["the", "winner", "of"])
      || words.holds(["now", "a", "major"]) || words.holds(["soon", "to", "be", "a"])
      || words.holds(["million", "copy"]) || words.holds(["sunday", "times"])
      || words.holds(["new", "york", "times"]) && words.contains("1")
      || words.holds(["prize", "winning"]) || words.holds(["prize", "winner"])
      || words.holds(["award", "winning"]) || words.holds(["award", "winner"])
  }

  private static let cries: Set<String> = [
    "bestseller", "bestselling", "bestsellers", "shortlisted", "longlisted", "tiktok", "booktok",
  ]

  /// `Colour Edition`, `(Scribner Classics)`, `(Penguin Orange Collection)`.
  static func isMake(_ words: [String], isAside: Bool) -> Bool {
    guard words.count < 6, let last = words.last else { return false }
    if ["edition", "version", "text", "translation", "translated"].contains(last) { return true }
    if let first = words.first, houses.contains(first), words.count > 1,
      ["library", "series", "editions", "press", "books", "originals"].contains(last)
    {
      return true
    }
    return last == "classic" || last == "classics"
      || isAside
        && [
          "collection", "library", "finalist", "winner", "pick", "books",
          "press", "paperbacks", "masterpieces",
        ]
        .contains(last)
  }

  private static let houses: Set<String> = [
    "penguin", "oxford", "cambridge", "vintage", "puffin", "picador", "faber", "virago", "signet",
    "dover", "bantam", "scribner", "modern", "everymans", "everyman", "norton", "harper",
    "harpercollins", "collins", "wordsworth", "pan", "anchor", "mariner", "routledge",
  ]

  /// A subtitle that any book of its sort might have.
  static func isGeneric(_ words: [String]) -> Bool {
    if Phrases.silences.contains(withoutTail(words)) { return true }
    return words.allSatisfy(ordinary.contains)
  }

  private static let ordinary: Set<String> = [
    "a", "an", "the", "novel", "novels", "memoir", "thriller", "mystery", "story", "stories",
    "poems", "essays", "book", "tale", "tales", "romance", "edition", "classic", "classics",
    "unabridged", "illustrated", "annotated", "original", "complete", "short", "collected",
    "large", "print", "new", "and", "in", "other", "of", "play", "plays", "fiction", "fantasy",
    "historical", "suspense", "crime", "psychological", "gripping", "bestseller", "bestselling",
    "audiobook", "ebook", "kindle", "penguin", "oxford", "worlds", "world", "library", "modern",
    "vintage", "deluxe", "collectors", "anniversary", "paperback", "hardcover", "with", "tie",
    "movie", "tv", "film", "now", "major", "motion", "picture", "series", "netflix", "hbo",
    "collection", "novella", "graphic", "epic", "literary", "winner", "prize", "pulitzer",
    "booker", "revised", "updated", "expanded", "volume", "roman", "volumes", "true", "puffin",
    "роман", "повесть", "повести", "рассказы", "новеллы", "소설", "장편소설", "연작소설", "소설집", "小説", "长篇小说",
    "短篇集", "μυθιστόρημα", "μυθιστορημα",
  ]
}
