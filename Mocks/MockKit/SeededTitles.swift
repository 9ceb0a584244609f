/// Books that nobody wrote, in any number, always the same for the same seed. Built from word lists
/// so that searches, sorting by article, series, long names and foreign letters all have something
/// to bite on.
package struct SeededTitles: Sendable {
  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// The title numbered `index`, which depends on seed and number alone: the catalogue may be made
  /// in any order and in parts.
  package func title(_ index: Int, addedBefore now: Moment) -> Title {
    var random = SeededRandom(seed: seed, for: "title \(index)")
    let id = random.guid()
    let name = Self.name(&random)
    let authors = (0..<(random.below(8) == 0 ? 2 : 1)).map { _ in Self.person(&random) }
    let added = now + -Int64(random.below(2000)) * LendingRules.day
    var title = Title(
      id: id, name: name, authors: authors, copies: .counted(1 + random.below(6)), added: added)
    title.language = random.below(10) == 0 ? random.pick(["fr", "de", "es", "zh"]) : "en"
    title.subjects = [random.pick(Self.genres)]
    if random.below(3) == 0 { title.subjects.append(random.pick(Self.genres)) }
    if random.below(4) == 0 {
      title.series =
        "The " + random.pick(Self.nouns) + " " + random.pick(["Cycle", "Books", "Saga"])
      title.seriesPosition = String(1 + random.below(12))
      title.subtitle = "\(title.series ?? "") Series, Book \(title.seriesPosition ?? "1")"
    }
    title.publisher = random.pick(["Mock House", "Paper Lantern", "North Quay", "Éditions du Banc"])
    title.published =
      "\(1950 + random.below(75))-0\(1 + random.below(9))-\(10 + random.below(18))"
    title.isbn = Self.isbn(&random)
    title.summary = Self.summary(of: title, &random)
    title.popularity = random.below(100_000)
    if random.below(7) == 0 {
      title.medium = "audiobook"
      title.narrator = Self.person(&random)
    }
    return title
  }

  private static func name(_ random: inout SeededRandom) -> String {
    let noun = random.pick(nouns)
    switch random.below(6) {
    case 0: return "The \(random.pick(adjectives)) \(noun)"
    case 1:
      let article = "AEIOU".contains(noun.prefix(1)) ? "An" : "A"
      return "\(article) \(noun) of \(random.pick(places))"
    case 2: return "\(random.pick(adjectives)) \(noun)s"
    case 3: return "\(noun) and \(random.pick(nouns))"
    case 4: return "The \(noun)'s \(random.pick(nouns))"
    default:
      return "\(random.pick(places)), \(random.pick(adjectives)) and \(random.pick(adjectives))"
    }
  }

  private static func person(_ random: inout SeededRandom) -> String {
    "\(random.pick(givenNames)) \(random.pick(familyNames))"
  }

  private static func isbn(_ random: inout SeededRandom) -> String {
    let body = "978" + random.digits(9)
    let sum = body.enumerated().reduce(0) {
      $0 + ($1.element.wholeNumberValue ?? 0) * ($1.offset.isMultiple(of: 2) ? 1 : 3)
    }
    return body + String((10 - sum % 10) % 10)
  }

  private static func summary(of title: Title, _ random: inout SeededRandom) -> String {
    let place = random.pick(places)
    return "<p><b>\(title.authors[0]) returns to \(place)</b> with a story of a"
      + " \(random.pick(adjectives).lowercased()) \(random.pick(nouns).lowercased()) &amp; what came after.</p>"
  }

  private static let nouns = [
    "Harbor", "Orchard", "Lantern", "Cartographer", "Winter", "Bridge", "Archive", "Ferry",
    "Garden", "Clock", "Signal", "River", "Mirror", "Tide", "Window", "Compass", "Feather",
    "Kitchen", "Violin", "Letter", "Border", "Engine", "Summer", "Ladder", "Mountain", "Key",
  ]
  private static let adjectives = [
    "Quiet", "Second", "Borrowed", "Northern", "Unfinished", "Hollow", "Silver", "Patient", "Last",
    "Crooked", "Distant", "Early", "Broken", "Invisible", "Gentle", "Forgotten", "Salt",
    "Électrique",
  ]
  private static let places = [
    "Aberdeen", "Öland", "Kyoto", "Lisbon", "the Lower Town", "Valparaíso", "Dunmore", "Łódź",
    "Alexandria", "the Far Shore", "Saint-Malo", "Winnipeg",
  ]
  private static let givenNames = [
    "Ada", "Bruno", "Chinua", "Dolores", "Émile", "Farah", "Grace", "Hiro", "Inés", "Jonas",
    "Keiko",
    "Lena", "Mikael", "Noor", "Olga", "Pádraig", "Rosa", "Søren", "Tove", "Wanda",
  ]
  private static let familyNames = [
    "Abbot", "Brandt", "Castellanos", "Dubois", "Eklund", "Fairweather", "García Ruiz", "Hollis",
    "Ibsen", "Jansson", "Kowalska", "Lindqvist", "Marchetti", "Nakamura", "O'Neill", "Pereira",
    "Quist", "Rowe", "Szymański", "van der Meer", "Whitlock", "Young",
  ]
  private static let genres = [
    "Fiction", "Mystery", "Science Fiction & Fantasy", "History", "Biography & Autobiography",
    "Juvenile Fiction", "Young Adult Fiction", "Romance", "Cooking & Food", "Travel", "Poetry",
  ]
}
