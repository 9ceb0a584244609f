extension TitleReading {
  /// `Hobbit, The` stands upright as `The Hobbit`.
  static func upright(_ raw: String) -> String {
    let text =
      raw.utf8.count <= Candidate.longestText
      ? raw : String(String.UnicodeScalarView(raw.unicodeScalars.prefix(Candidate.longestText)))
    guard text.utf8.contains(0x2C) else { return text }
    for separator in [":", " -", " ("] {
      if let cut = text.firstIndex(of: Character(String(separator.last ?? ":"))),
        let turned = turned(text[..<cut])
      {
        return turned + " " + text[cut...]
      }
    }
    return turned(text[...]) ?? text
  }

  private static func turned(_ text: Substring) -> String? {
    guard let comma = text.lastIndex(of: ",") else { return nil }
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
    text.utf8.contains(0x23) ? text.split(separator: "#").joined(separator: " no ") : text
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
    let isEdition = words.count < 5 && words.last == "edition"
    return isEdition ? String(text[..<comma]) : text
  }

  /// `Colour Edition`, `(Scribner Classics)`, `(Penguin Orange Collection)`.
  static func isMake(_ words: [String], isAside: Bool) -> Bool {
    guard words.count < 6, let last = words.last else { return false }
    if last == "edition" || last == "version" { return true }
    return isAside
      && ["classics", "collection", "library", "finalist", "winner", "pick"]
        .contains(last)
  }

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
  ]
}
