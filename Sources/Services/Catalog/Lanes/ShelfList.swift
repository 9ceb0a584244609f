import Circulation
import Database

/// The shelf list: every edition and work of the catalog in memory, by what they are marked with,
/// so that a page of any lane in any order is made without asking the database for more than the
/// books on it. Editions and works stand at places of their own, small numbers that stay.
struct ShelfList: Sendable {
  /// Of the last change that was read.
  var stamp: Int64 = 0
  /// Where the reading of changes stands that are too many to be read at once.
  var pass: Pass?
  /// Editions that are there.
  private var present = 0
  /// Counts what was read: equal numbers are equal lists.
  private(set) var revision = 0
  private(set) var libraryNames: [Int64: String] = [:]

  // Editions by their places.
  private(set) var editions: [Int64] = []
  private(set) var works: [Int32] = []
  private(set) var likings: [Int64] = []
  private(set) var titles: [String] = []
  private(set) var authors: [Int32] = []
  private(set) var series: [Int32] = []
  private(set) var added: [Int32] = []
  private(set) var published: [Int32] = []
  private(set) var sets: [Int32] = []
  private var editionPlaces = Directory()

  /// Works have the places of the editions they came with, so that sets of editions are sets of
  /// works; 0 where no work came with an edition.
  private(set) var workNumbers: [Int64] = []
  private var workPlaces = Directory()
  /// Editions whose work has another place than they have.
  private(set) var astray = Bits()

  /// Sets of marks that some edition has: there are far fewer of them than editions.
  private(set) var markSets: [[Int]] = [[]]
  private var setNumbers: [Volume.Marks: Int32] = [:]
  private(set) var marks: [String] = []
  private var markNumbers: [String: Int] = [:]
  private(set) var bits: [Bits] = []

  private(set) var names = Names()
  private(set) var seriesNames = Names()
  private(set) var byWork = Chains()
  private(set) var byAuthor = Chains()
  private(set) var bySeries = Chains()
  /// Of works with more than one edition, all of these.
  private(set) var manifold = Bits()
  /// What was put in order, and what has changed since.
  var orders = ShelfOrders()
  private(set) var journal = ShelfJournal()

  /// No day at all: long before any other.
  static let never = Int32.min
  static let none: Int32 = -1

  /// Reads changes in the order of their stamps, behind this one.
  struct Pass: Sendable {
    /// What was written before this stamp has been read when the end is reached.
    let until: Int64
    var stamp: Int64
    var edition: Int64
  }

  var isBehind: Bool { pass != nil }
  /// Whether most of its places are those of editions that have left, so that it is worth reading anew.
  var isMostlyGone: Bool { editions.count > 2 * present + 50_000 }

  /// This list in the place of another, in which all had other places.
  func succeeding(_ former: ShelfList) -> ShelfList {
    var list = self
    list.revision = former.revision + 1
    list.journal = ShelfJournal(since: list.revision)
    return list
  }

  /// Texts by number, each kept once.
  struct Names: Sendable {
    private(set) var texts: [String] = [""]
    private var numbers: [String: Int32] = ["": 0]

    mutating func number(_ text: String) -> Int32 {
      if let number = numbers[text] { return number }
      let number = Int32(texts.count)
      numbers[text] = number
      texts.append(text)
      return number
    }

    func number(known text: String) -> Int32? { text.isEmpty ? nil : numbers[text] }
  }

  func bits(_ mark: String) -> Bits { markNumbers[mark].map { bits[$0] } ?? Bits() }
  func place(ofWork number: Int64) -> Int? { workPlaces[number].map(Int.init) }
  func place(ofEdition number: Int64) -> Int? { editionPlaces[number].map(Int.init) }

  /// The editions of a work that are there, best liked or not.
  func forEachEdition(of work: Int, _ body: (Int) -> Void) {
    byWork.forEach(of: work) { if sets[$0] != 0 { body($0) } }
  }

  /// By the best liked of its editions, as a page shows it.
  func bestEdition(of work: Int) -> Int? {
    var best: Int?
    forEachEdition(of: work) { place in
      if best.map({ likings[place] < likings[$0] }) ?? true { best = place }
    }
    return best
  }
}

extension ShelfList {
  struct Volume {
    let edition: Int64
    let work: Int64
    let liking: Int64
    let title: String
    let author: String
    let series: String
    let added: Int64?
    let published: Int64?
    /// Nil for an edition that is gone.
    let marks: Marks?

    /// What it is marked with: beside what its face says, where and whether it can be had.
    struct Marks: Hashable {
      let face: String
      let library: Int64
      let provider: String
      let standing: String?

      var all: [String] {
        face.split(separator: " ").map { String($0) }
          + [ShelfMark.library(library), ShelfMark.provider(provider)]
          + [standing].compactMap(\.self)
      }
    }
  }

  mutating func name(_ libraries: [(Int64, String)]) {
    for (key, name) in libraries { libraryNames[key] = name }
  }

  mutating func take(_ row: Volume) {
    revision += 1
    let place = place(for: row)
    journal.note(place, of: works[place], marked: sets[place])
    let former = (
      work: works[place], liking: likings[place], title: titles[place], author: authors[place],
      added: added[place], isPresent: sets[place] != 0
    )
    move(place, to: row.work)
    if titles[place] != row.title { titles[place] = row.title }
    likings[place] = row.liking
    Self.chain(place, &authors, names.number(row.author), &byAuthor)
    Self.chain(place, &series, seriesNames.number(row.series), &bySeries)
    added[place] = row.added.map { Int32(clamping: $0) } ?? Self.never
    published[place] = row.published.map { Int32(clamping: $0) } ?? Self.never
    mark(place, with: setNumber(row.marks))
    // Whether a book can be had now changes all the time, and where it stands does not.
    let isPresent = sets[place] != 0
    let isLikedOtherwise = former.liking != row.liking || former.isPresent != isPresent
    if isLikedOtherwise { orders.noteLiking(of: place) }
    let isElsewhere =
      isLikedOtherwise || former.work != works[place] || former.title != row.title
      || former.author != authors[place] || former.added != added[place]
    guard isElsewhere else { return }
    orders.note(works[place])
    if former.work != works[place], former.work != Self.none { orders.note(former.work) }
  }

  private mutating func place(for row: Volume) -> Int {
    if let known = editionPlaces[row.edition] { return Int(known) }
    editionPlaces[row.edition] = Int32(editions.count)
    return newPlace(row.edition)
  }

  private mutating func newPlace(_ edition: Int64) -> Int {
    let place = editions.count
    editions.append(edition)
    works.append(Self.none)
    workNumbers.append(0)
    likings.append(0)
    titles.append("")
    authors.append(0)
    series.append(0)
    added.append(Self.never)
    published.append(Self.never)
    sets.append(0)
    return place
  }

  private mutating func move(_ place: Int, to work: Int64) {
    let former = works[place]
    if former != Self.none, workNumbers[Int(former)] == work { return }
    if former != Self.none {
      byWork.take(place, from: Int(former))
      noteManifold(Int(former))
    }
    let new: Int32
    if let known = workPlaces[work] {
      new = known
    } else {
      // Where the work that came with this edition has been left by it, one that comes with it now
      // gets a place at which no edition is.
      new = Int32(workNumbers[place] == 0 ? place : newPlace(0))
      workPlaces[work] = new
      workNumbers[Int(new)] = work
    }
    works[place] = new
    if Int(new) == place { astray.remove(place) } else { astray.insert(place) }
    byWork.put(place, into: Int(new))
    manifold.remove(place)
    noteManifold(Int(new))
  }

  /// The first of two that meet in a work, or the one that is left alone there.
  private mutating func noteManifold(_ work: Int) {
    let first = byWork.first(of: work)
    guard first != Chains.end else { return }
    let second = byWork.next(after: Int(first))
    guard second != Chains.end else { return manifold.remove(Int(first)) }
    manifold.insert(Int(first))
    manifold.insert(Int(second))
  }

  /// Those without a name stand in no chain: it would be as long as the list.
  private static func chain(
    _ place: Int, _ numbers: inout [Int32], _ number: Int32, _ chains: inout Chains
  ) {
    let former = numbers[place]
    guard former != number else { return }
    if former != 0 { chains.take(place, from: Int(former)) }
    if number != 0 { chains.put(place, into: Int(number)) }
    numbers[place] = number
  }

  private mutating func mark(_ place: Int, with set: Int32) {
    let former = sets[place]
    guard former != set else { return }
    present += (set == 0 ? 0 : 1) - (former == 0 ? 0 : 1)
    for mark in markSets[Int(former)] { bits[mark].remove(place) }
    for mark in markSets[Int(set)] { bits[mark].insert(place) }
    sets[place] = set
  }

  private mutating func setNumber(_ marks: Volume.Marks?) -> Int32 {
    guard let marks else { return 0 }
    if let known = setNumbers[marks] { return known }
    let number = Int32(markSets.count)
    setNumbers[marks] = number
    markSets.append(marks.all.map { markNumber($0) }.distinct)
    return number
  }

  private mutating func markNumber(_ mark: String) -> Int {
    if let known = markNumbers[mark] { return known }
    let number = marks.count
    markNumbers[mark] = number
    marks.append(mark)
    bits.append(Bits())
    return number
  }
}
