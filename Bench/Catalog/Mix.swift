import Catalog
import Circulation
import Shelving

/// What readers type, in the mix they type it: words that half of all titles have, whole titles,
/// some words of one, its beginning, slips of the finger, names, series, subjects, numbers, phrases.
struct Mix {
  private var random = Noise(state: 11)
  /// Those that are looked for.
  private let editions: [Edition]

  init(of count: Int) {
    var numbers: Set<Int> = []
    while numbers.count < min(count, 30) { numbers.insert(1 + random.next(count)) }
    var shelves = Shelves()
    editions = (1...count).compactMap { number in
      let edition = shelves.edition(number)
      return numbers.contains(number) ? edition : nil
    }
  }

  /// The commonest words there are, alone and together, beside thirty titles looked for in a dozen
  /// ways each.
  mutating func queries() -> [(kind: String, words: String)] {
    let common = [
      "the", "of", "and", "a", "in", "to", "love", "night", "l", "th", "the love", "of the",
      "the of and", "house of love", "the night of the war", "fiction", "romance", "history",
    ]
    return common.map { ("common", $0) } + editions.flatMap { aboutOne($0) }
  }

  private mutating func aboutOne(_ edition: Edition) -> [(kind: String, words: String)] {
    let words = edition.title.split(separator: " ").map(String.init)
    let longest = words.max { $0.count < $1.count } ?? ""
    let name = edition.authors[0].split(separator: " ").map(String.init)
    var queries: [(kind: String, words: String)] = [
      ("title", edition.title), ("title", edition.title.lowercased()),
      ("words", words.suffix(2).joined(separator: " ")), ("author", edition.authors[0]),
      ("author", name[1]), ("author", "\(name[1]) \(longest)"),
      ("begun", String(longest.prefix(3))),
      ("begun", "\(edition.title) \(name[1].prefix(2))"), ("slip", slip(longest)),
      ("slip", "\(slip(name[1])) \(name[0])"), ("phrase", "\"\(edition.title)\""),
      ("filtered", longest), ("none", "\(longest) zzzqx"),
    ]
    if let isbn = edition.isbns.first { queries.append(("isbn", "\(isbn)")) }
    if let series = edition.series { queries.append(("series", series.name)) }
    return queries
  }

  /// With two letters exchanged, or one left out.
  private mutating func slip(_ word: String) -> String {
    var letters = Array(word)
    guard letters.count > 3 else { return word }
    let place = 1 + random.next(letters.count - 2)
    if random.next(2) == 0 { letters.swapAt(place, place + 1) } else { letters.remove(at: place) }
    return String(letters)
  }

  /// Pages of lanes wide and narrow, in every order, narrowed and not, near the top and far down.
  static func pages(of library: LibraryID, works: Int) -> [(kind: String, query: LaneQuery)] {
    let lanes = Lane.defaults.flatMap(\.flattened).map(\.lane).filter {
      ["new", "popular", "available", "to-hold", "romance", "thriller", "fiction", "law"].contains(
        $0.id)
    }
    var narrow = LaneFacets()
    (narrow.standing, narrow.format, narrow.language) = (.now, "audiobook", "zh")
    var pages: [(kind: String, query: LaneQuery)] = []
    for lane in lanes {
      for order in LaneOrder.allCases {
        for facets in [LaneFacets(), narrow] {
          let query = LaneQuery(lane, libraries: [library], order: order, facets: facets)
          pages.append((lane.id, query))
        }
      }
      pages.append((lane.id + ", page 20", LaneQuery(lane, libraries: [library], offset: 950)))
    }
    let taste = (1...20).map { CatalogItem(library: library, item: ItemID("item-\($0)")) }
    let recommended = Lane.defaults.first { $0.id == "recommended" }
    if let recommended {
      pages.append(
        ("recommended", LaneQuery(recommended, libraries: [library], taste: taste)))
    }
    return pages
  }
}
