package import Circulation
package import Database
package import Shelving

extension Catalog {
  package func lane(_ query: LaneQuery) async throws(DatabaseError) -> LanePage {
    try await describeAll()
    let today = Day.number(milliseconds: now())
    defer { readShelvesAside() }
    return try await store.readAside { snapshot throws(DatabaseError) in
      let scope = ShelfScope(
        libraries: try snapshot.libraryKeys(of: query.libraries), today: today)
      var librarian = Librarian(
        list: try shelves.current(in: snapshot, ordered: query.orders), scope: scope,
        snapshot: snapshot, memo: memo)
      return try librarian.page(of: query)
    }
  }

  /// How many works stand in each lane; one without works need not be offered.
  package func counts(
    of lanes: [Lane], at libraries: [LibraryID]
  ) async throws(DatabaseError) -> [Int] {
    try await describeAll()
    let today = Day.number(milliseconds: now())
    defer { readShelvesAside() }
    return try await store.readAside { snapshot throws(DatabaseError) in
      let scope = ShelfScope(libraries: try snapshot.libraryKeys(of: libraries), today: today)
      var librarian = Librarian(
        list: try shelves.current(in: snapshot, ordered: [.liking]), scope: scope,
        snapshot: snapshot)
      var counts: [Int] = []
      for lane in lanes { counts.append(try librarian.count(of: lane)) }
      return counts
    }
  }

  /// Reads the shelf list and puts it in all orders, so that the first who opens a lane finds it
  /// there.
  package func readShelves() async throws(DatabaseError) {
    try await describeAll()
    for order in LaneOrder.allCases where !Task.isCancelled {
      try await store.readAside { snapshot throws(DatabaseError) in
        _ = try shelves.current(in: snapshot, ordered: [order])
      }
    }
  }

  /// After an update that sorts books otherwise, and for books that are older than lanes: a lane
  /// does not wait until `indexWaiting` has come to them.
  func describeAll() async throws(DatabaseError) {
    if shelves.areDescribed { return }
    let stale = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.indexStanding().stale
    }
    if stale.contains(.faces) {
      var last: Int64? = 0
      while let edition = last {
        last = try await store.write { tx throws(DatabaseError) in
          try tx.renew(.faces, after: edition)
        }
      }
      try await store.write { tx throws(DatabaseError) in
        try tx.execute("UPDATE catalog_pulse SET described_by = \(Genre.revision)")
      }
    }
    shelves.noteDescribed()
  }
}

extension LaneQuery {
  fileprivate var orders: [LaneOrder] { [.liking, order ?? lane.order] }
}

extension Lane {
  /// Those of which a work must meet one, where nothing but rules says what stands in the lane.
  fileprivate var rules: [LaneRule]? {
    switch source {
    case .rule(let rule): [rule]
    case .group:
      flattened.compactMap { if case .rule(let rule) = $0.lane.source { rule } else { nil } }
    case .list, .recommendation: nil
    }
  }
}

/// Finds what stands in a lane, inside one state of the database.
struct Librarian {
  var list: ShelfList
  var scope: ShelfScope
  let snapshot: Snapshot
  var memo: ShelfMemo?

  mutating func count(of lane: Lane) throws(DatabaseError) -> Int {
    switch lane.source {
    case .group: return 0
    case .rule(let rule), .recommendation(let rule):
      return list.works(of: try editions(meeting: rule)).count
    case .list(let names):
      let chosen = try works(named: names)
      guard chosen.isEmpty, let rule = names.otherwise else { return chosen.count }
      return list.works(of: try editions(meeting: rule)).count
    }
  }

  mutating func page(of query: LaneQuery) throws(DatabaseError) -> LanePage {
    let order = query.order ?? query.lane.order
    if let known = known(query) { return try page(showing: known, in: .whole(order), query) }
    switch query.lane.source {
    case .group:
      // What its lanes hold, all together.
      var all = Bits()
      for rule in query.lane.rules ?? [] { all.formUnion(try editions(meeting: rule)) }
      return try page(of: all, in: .whole(order), query)
    case .rule(let rule):
      return try page(of: try editions(meeting: rule), in: .whole(order), query)
    case .list(let names):
      let chosen = try works(named: names)
      guard !chosen.isEmpty else {
        guard let rule = names.otherwise else { return LanePage() }
        return try page(of: try editions(meeting: rule), in: .whole(order), query)
      }
      return try page(
        of: editions(of: chosen), in: order == .liking ? .own(chosen) : .whole(order), query)
    case .recommendation(let rule):
      var taste = try Taste(query.taste, liked: query.liked, list, in: snapshot)
      let likest = taste.likest(in: try editions(meeting: rule), list)
      var page = try page(
        of: editions(of: likest), in: order == .liking ? .own(likest) : .whole(order), query)
      for name in page.entries.map(\.work) + page.versions.map(\.work) {
        guard let number = name.number, let work = list.place(ofWork: number) else { continue }
        page.reasons[name] = taste.reason(for: work, list)
      }
      return page
    }
  }

  /// Either one of the orders that the list keeps, or that of works one by one.
  enum Sequence {
    case whole(LaneOrder)
    case own([Int])
  }

  func page(
    of editions: Bits, in sequence: Sequence, _ query: LaneQuery
  ) throws(DatabaseError) -> LanePage {
    let hidden = try snapshot.works(holding: query.hidden).compactMap { list.place(ofWork: $0) }
    var editions = editions
    editions.subtract(self.editions(of: hidden))
    return try page(
      showing: finding(of: editions, in: sequence, query), in: sequence, query)
  }

  /// What rules have found before is mended, and no bit of it is looked at anew.
  private func known(_ query: LaneQuery) -> Finding? {
    guard query.hidden.isEmpty, let rules = query.lane.rules else { return nil }
    return memo?.finding(question(query), in: list) {
      let tests = rules.compactMap { list.test($0, in: scope) }
      return tests.count < rules.count ? nil : { place in tests.contains { $0(place) } }
    }
  }

  private func question(_ query: LaneQuery) -> ShelfMemo.Question {
    ShelfMemo.Question(
      lane: query.lane, libraries: scope.libraries, today: scope.today, facets: query.facets)
  }

  private func page(
    showing finding: Finding, in sequence: Sequence, _ query: LaneQuery
  ) throws(DatabaseError) -> LanePage {
    let works = finding.works
    var page = LanePage()
    page.total = finding.count
    page.offset = query.offset
    page.order = query.order ?? query.lane.order
    let shown: [Int]
    switch sequence {
    case .own(let sequence):
      shown = Array(
        sequence.lazy.filter(works.contains).dropFirst(query.offset).prefix(query.limit))
    case .whole(let order):
      shown =
        list.orders[order].map {
          list.stretch(
            of: works, count: page.total, $0, from: query.offset, limit: query.limit)
        } ?? []
    }
    page.facets = finding.facets(list, in: scope)
    let numbers = shown.map { list.workNumbers[$0] }
    switch query.detail {
    case .books: page.entries = try snapshot.entries(of: numbers, at: scope.libraries)
    case .versions: page.versions = try snapshot.versions(of: numbers, at: scope.libraries)
    }
    return page
  }

  private func finding(
    of editions: Bits, in sequence: Sequence, _ query: LaneQuery
  ) -> Finding {
    // What stands in an order of its own is another's for every reader, and so is what is left of
    // a lane that a reader has thinned.
    let isAnyones = if case .whole = sequence { query.hidden.isEmpty } else { false }
    let memo = isAnyones ? memo : nil
    if let known = memo?.finding(question(query), in: list, test: { nil }) { return known }
    let finding = Finding(editions, narrowedBy: query.facets.marks(in: list), list)
    memo?.keep(finding, question(query), at: list.revision)
    return finding
  }

  private mutating func editions(meeting rule: LaneRule) throws(DatabaseError) -> Bits {
    for subject in rule.subjects where scope.subjects[subject] == nil {
      scope.subjects[subject] = try snapshot.editions(under: subject, list)
    }
    return list.editions(meeting: rule, in: scope)
  }

  func editions(of works: [Int]) -> Bits {
    let present = list.present(at: scope.libraries)
    var found = Bits()
    for work in works {
      list.forEachEdition(of: work) { if present.contains($0) { found.insert($0) } }
    }
    return found
  }

  /// In the order of the list, those that are there.
  private func works(named names: LaneList) throws(DatabaseError) -> [Int] {
    var places = names.works.compactMap { name in
      WorkID(name).number.flatMap { list.place(ofWork: $0) }
    }
    for text in names.isbns {
      guard let isbn = ISBN(text) else { continue }
      places += try snapshot.editions(marked: Mark.isbn(isbn)).compactMap { number in
        list.place(ofEdition: number).map { Int(list.works[$0]) }
      }
    }
    let present = list.works(of: list.present(at: scope.libraries))
    return places.distinct.filter(present.contains)
  }
}

extension Snapshot {
  /// Works with their editions at these libraries, in the order given.
  func entries(
    of works: [Int64], at libraries: [Int64]
  ) throws(DatabaseError) -> [CatalogEntry] {
    guard !works.isEmpty else { return [] }
    // The sign keeps SQLite from reading all of a library to find a few works in it.
    let rows = try listed(
      where: """
        e.work IN (\(works)) AND +e.library IN (\(libraries))
          AND e.state <> \(EditionState.gone)
        """)
    let editions = Dictionary(grouping: rows, by: \.work)
    return works.compactMap { work in
      editions[work].map { CatalogEntry(work: WorkID(number: work), editions: $0.map(\.edition)) }
    }
  }

  func editions(marked mark: String) throws(DatabaseError) -> [Int64] {
    try numbers(matching: [], .all, [[mark]])
  }

  /// Under all words of a subject, as a search finds them.
  fileprivate func editions(
    under subject: String, _ list: ShelfList
  ) throws(DatabaseError) -> Bits {
    let words = FoldedText(subject, atMost: 32).words
    let terms = words.distinct.map { Term(words: [$0], isBeginning: false) }
    guard !terms.isEmpty else { return Bits() }
    return Bits(
      try numbers(matching: terms, .subjects, []).compactMap { list.place(ofEdition: $0) })
  }

  private func numbers(
    matching terms: [Term], _ columns: Columns, _ marks: [[String]]
  ) throws(DatabaseError) -> [Int64] {
    try rows(
      """
      SELECT \(SQL.place) FROM catalog_words
      WHERE \(SQL.matches(terms, columns, marks, dialect)) ORDER BY \(SQL.place)
      """
    ) { row throws(DatabaseError) in Place.number(of: try row[0]) }
  }
}
