extension PersonName {
  static let suffixes = [
    "jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "iii": "3", "iv": "4", "fils": "jr",
    "pere": "sr", "ii": "2",
  ]
  static let titles: Set<String> = [
    "sir", "dr", "prof", "professor", "saint", "baron", "lord", "lady", "dame", "rev", "phd", "md",
    "mrs", "mr", "ms", "author", "editor", "translator", "illustrator", "narrator", "eds",
    "introduction", "foreword", "with", "narrated", "edited", "translated", "illustrated", "read",
    "obe", "cbe", "facp", "graf",
    "herausgeber", "autor", "active", "century", "by",
  ]
  /// `active 6th century B.C.` and `Emperor of Rome` tell of somebody, and are no part of the name.
  static func isOfName(_ part: Substring) -> Bool {
    guard !part.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return false }
    let words = part.split(separator: " ", maxSplits: 2)
    guard let first = words.first?.lowercased() else { return false }
    let rank = first == "the" && words.count > 1 ? words[1].lowercased() : first
    return !ranks.contains(rank)
  }

  private static let ranks: Set<String> = [
    "emperor", "empress", "king", "queen", "pope", "bishop", "archbishop", "duke", "duchess",
    "prince", "princess", "count", "countess", "earl", "viscount", "viscountess", "marquis",
    "marquess", "sultan", "baron", "baroness", "comte", "comtesse", "duc", "active", "flourished",
    "of", "graf", "freiherr", "cardinal", "president", "active", "pseud", "pseudonym",
  ]

  /// Titles that are family names as well.
  static let surnames: Set<String> = ["lord", "baron", "saint", "graf", "dame", "professor"]

  /// `Michael Greger M.D. FACLM`, `Brené Brown, Ph.D., LMSW`.
  static func withoutDegrees(_ text: String) -> String {
    // Nearly every name ends in a word that is no degree.
    guard let blank = text.utf8.lastIndex(of: 0x20),
      text.utf8.last == 0x20 || isDegree(text[blank...].dropFirst()),
      text.contains(where: \.isLowercase)
    else { return text }
    var words = text.split(separator: " ")
    while words.count > 2, let last = words.last {
      guard isDegree(last) else { break }
      words.removeLast()
    }
    return words.joined(separator: " ")
  }

  private static func isDegree(_ word: Substring) -> Bool {
    // The longest has five letters.
    word.utf8.count { $0 >= 0x41 } < 6 && word.first?.isUppercase == true
      && degrees.contains(word.filter { $0.isLetter }[...])
  }

  private static let degrees: Set<Substring> = [
    "MD", "PhD", "PHD", "DPhil", "EdD", "PsyD", "DDS", "DVM", "RN", "MBA", "MPH", "MPA", "MSW",
    "LCSW", "LMSW", "LMFT", "LPC", "RD", "RDN", "CPA", "JD", "LLM", "LLD", "MSc", "BSc", "Esq",
    "FACLM", "FACP", "FACS", "FACC", "FRCP", "FRS", "CFP", "CFA", "CBE", "OBE", "MBE", "KBE", "MA",
    "MFA", "MEd", "MFT", "ND", "DC", "DO", "PE", "SJ", "OP", "OSB", "ThD", "DMin", "DD", "ABPP",
  ]

  static let particles: Set<String> = [
    "van", "von", "de", "da", "del", "della", "di", "du", "des", "der", "den", "la", "le", "les",
    "ter", "ten", "al", "el", "bin", "ibn", "dos", "das", "do", "st", "zu", "zur", "af", "av",
    "d", "l", "y", "e", "dello", "degli",
  ]
  static let nobody: Set<String> = [
    "unknown", "unknown author", "author unknown", "various", "various authors", "various artists",
    "anonymous", "anon", "anonyme", "anonymus", "anonimo", "none", "na", "n a", "null", "multiple",
    "multiple authors", "not available", "diverse", "aa vv", "autores varios", "collectif",
    "unbekannt", "no author", "s n", "tbd", "tba", "author", "full cast", "traditional", "et al",
    "others", "and others", "author various",
  ]

  /// A publisher or other body: it tells neither for nor against.
  static func isHouse(_ words: [String]) -> Bool {
    houses.contains(words.joined(separator: " "))
      || words.contains { bodies.contains($0) } && words.count > 1
  }

  private static let houses: Set<String> = [
    "lonely planet", "dk", "dk travel", "national geographic", "disney", "marvel", "dc comics",
    "rick steves guides", "fodors", "frommers", "time life", "readers digest", "insight guides",
    "rough guides", "the rough guide", "michelin", "penguin", "scholastic", "usborne", "moleskine",
    "sparknotes", "cliffsnotes", "gradesaver", "bookrags", "wikipedia", "bbc", "audible",
    "eyewitness", "merriam webster", "lego", "pokemon",
  ]
  private static let bodies: Set<String> = [
    "publishing", "publishers", "press", "books", "inc", "llc", "ltd", "company", "association",
    "institute", "university", "magazine", "editors", "staff", "society", "publications",
    "editions",
    "notes", "committee", "corporation", "media", "verlag", "studios", "guides", "productions",
  ]
}
