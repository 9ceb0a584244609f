import Catalog
import Circulation
import Database
import FoundationEssentials
import Shelving

/// Makes the catalogue of a large library, and times searches in it.
let arguments = Array(CommandLine.arguments.dropFirst())
let library = LibraryID("bench")
switch arguments.first {
case "fill" where (2...5).contains(arguments.count):
  try await fill(
    arguments[1], library: arguments.count > 2 ? LibraryID(arguments[2]) : library,
    count: arguments.count > 3 ? Int(arguments[3]) ?? 50_000 : 50_000,
    provider: ProviderID(arguments.count > 4 ? arguments[4] : "bench"))
case "query" where arguments.count > 2:
  try await time(arguments[2...].joined(separator: " "), in: arguments[1])
case "genres" where arguments.count == 1:
  coverage()
case "mix" where arguments.count == 3:
  try await mix(in: arguments[1], editions: Int(arguments[2]) ?? 50_000)
default:
  print(
    """
    usage: bench-catalog fill DATABASE [LIBRARY [COUNT [PROVIDER]]]
           bench-catalog query DATABASE WORDS...
           bench-catalog mix DATABASE EDITIONS
           bench-catalog genres < SUBJECTS
    """)
}

func catalog(_ store: Store) -> Catalog { Catalog(store: store, now: { 0 }) }

func fill(_ address: String, library: LibraryID, count: Int, provider: ProviderID) async throws {
  var settings = StoreSettings()
  // What is made here lives no longer than the bench.
  settings.durability = .processCrash
  let store = try await Store.open(try Location(address), settings)
  // A home that Carrel made has the tables of all services, and those of this one among them.
  let applied = (try? await store.appliedMigrations()) ?? []
  if applied.isEmpty { _ = try await store.migrate([Catalog.migrations], at: 0) }
  let elapsed = try await ContinuousClock().measure {
    _ = try await catalog(store).harvest(
      library, from: ShelvesProvider(provider, count: max(1, count)), full: true,
      call: { Call(patron: nil, deadline: .now + .seconds(3600), requestID: "bench") },
      progress: { _ in })
  }
  // As a gateway does after each harvest.
  let gathered = try await ContinuousClock().measure { try await catalog(store).gatherWords() }
  await store.close()
  print("\(count) editions with their copies in \(elapsed); their words gathered in \(gathered)")
}

/// Medians: of a search in an open store, and of opening, searching and closing.
func time(_ words: String, in address: String) async throws {
  let location = try Location(address)
  let filters: [(String, CatalogQuery)] = [
    ("plain", CatalogQuery(words: words, libraries: [library])),
    ("available", CatalogQuery(words: words, libraries: [library], onlyAvailable: true)),
    ("audiobook", CatalogQuery(words: words, libraries: [library], content: .audiobook)),
    ("language", CatalogQuery(words: words, libraries: [library], language: "zh")),
  ]
  for (name, query) in filters {
    var warm: [Duration] = []
    var cold: [Duration] = []
    var found = 0
    let store = try await Store.open(location)
    for _ in 0..<51 {
      warm.append(
        try await ContinuousClock().measure {
          found = try await catalog(store).search(query).count
        })
    }
    await store.close()
    for _ in 0..<51 {
      cold.append(
        try await ContinuousClock().measure {
          let store = try await Store.open(location)
          _ = try await catalog(store).search(query)
          await store.close()
        })
    }
    print(
      "\(words)", name, "\(found) found",
      "open \(milliseconds(warm)) ms", "with opening \(milliseconds(cold)) ms", separator: ", ")
  }
}

/// How many subjects, one a line with its number in front as `uniq -c` writes it, the table of
/// genres knows; and the commonest of those it does not.
func coverage() {
  var (known, all) = (0, 0)
  var unknown: [(Int, String)] = []
  while let line = readLine() {
    let text = line.drop { $0 == " " }
    guard let count = Int(text.prefix { $0 != " " }) else { continue }
    let subject = String(text.drop { $0 != " " }.dropFirst())
    all += count
    if Classification(subjects: [subject]).genres.isEmpty {
      unknown.append((count, subject))
    } else {
      known += count
    }
  }
  print("\(known) of \(all) subjects are known, \(all == 0 ? 0 : known * 100 / all) %")
  for (count, subject) in unknown.sorted(by: { $0 > $1 }).prefix(20) { print(" ", count, subject) }
}

/// Half of all searches, and all but one in a hundred; the same of pages of lanes. The pages come
/// from the shelf list that the first of them reads: first as it stands, where what a lane holds is
/// found once for all its pages; then of lanes that nobody has opened before; then each after a copy
/// came back somewhere, and one in each order after a book came, which finds its place there.
func mix(in address: String, editions count: Int) async throws {
  var mix = Mix(of: max(1, count))
  let store = try await Store.open(try Location(address))
  let catalog = catalog(store)
  var times: [(kind: String, time: Duration)] = []
  for (kind, words) in mix.queries() {
    var query = CatalogQuery(words: words, libraries: [library])
    if kind == "filtered" { (query.onlyAvailable, query.language) = (true, "zh") }
    let asked = query
    times.append((kind, try await timed { _ = try await catalog.search(asked) }))
  }
  report("search", times)
  let loading = try await ContinuousClock().measure {
    _ = try await catalog.lane(LaneQuery(Lane.defaults[0], libraries: [library], limit: 1))
  }
  for order in LaneOrder.allCases {
    let query = LaneQuery(Lane.defaults[0], libraries: [library], order: order, limit: 1)
    _ = try await catalog.lane(query)
  }
  times = []
  let pages = Mix.pages(of: library, works: count)
  for (kind, query) in pages {
    times.append((kind, try await timed { _ = try await catalog.lane(query) }))
  }
  report("lane page", times)
  times = []
  var opened = 0
  for (kind, query) in pages {
    times.append(
      (
        kind,
        try await timed {
          opened += 1
          var query = query
          let lane = query.lane
          query.lane = Lane(
            id: "\(opened)", title: lane.title, lane.source, order: lane.order, lanes: lane.lanes)
          _ = try await catalog.lane(query)
        }
      ))
  }
  report("lane page of a new lane", times)
  times = []
  // Whatever was told in a run before is older.
  var turn = Int(Date().timeIntervalSince1970)
  for (kind, query) in pages {
    let change = {
      turn += 1
      let copies = Availability.Copies(total: 3, available: turn % 2, holds: 1)
      let answer = Availability(
        copies.available == 0 ? .queued(copies) : .available(copies),
        asOf: Date(timeIntervalSince1970: Double(turn)))
      try await catalog.note([ItemID("item-1"): answer], at: library)
    }
    times.append((kind, try await timed(after: change) { _ = try await catalog.lane(query) }))
  }
  report("lane page after a change", times)
  times = []
  for order in LaneOrder.allCases {
    let query = LaneQuery(Lane.defaults[0], libraries: [library], order: order)
    let change = {
      turn += 1
      var edition = Edition(item: ItemID("new-\(turn)"), title: "Just Come \(turn)")
      (edition.popularity, edition.added) = (Double(turn), "2024-03-01")
      try await catalog.take([edition], of: library, provider: ProviderID("bench"))
    }
    times.append(
      (order.rawValue, try await timed(after: change) { _ = try await catalog.lane(query) }))
  }
  report("lane page after a new book", times)
  print("shelf list read in \(milliseconds([loading])) ms")
  await store.close()
}

/// The median of five, so that what else runs on the machine is not counted.
func timed(
  after change: () async throws -> Void = {}, _ work: () async throws -> Void
) async throws -> Duration {
  var times: [Duration] = []
  for _ in 0..<5 {
    try await change()
    times.append(try await ContinuousClock().measure(work))
  }
  return times.sorted()[2]
}

func report(_ what: String, _ times: [(kind: String, time: Duration)]) {
  let all = times.map(\.time)
  print(
    "\(what): p50 \(milliseconds(all)) ms, p99 \(milliseconds(all, at: 0.99)) ms,",
    "slowest \(milliseconds(all, at: 1)) ms of \(all.count)")
  for (kind, group) in Dictionary(grouping: times, by: \.kind).sorted(by: { $0.key < $1.key }) {
    let own = group.map(\.time)
    print("  \(kind): p50 \(milliseconds(own)) ms, slowest \(milliseconds(own, at: 1)) ms")
  }
}

func milliseconds(_ times: [Duration], at share: Double = 0.5) -> String {
  let median = times.sorted()[min(times.count - 1, Int(Double(times.count) * share))]
  let hundredths = Int((median / .milliseconds(1) * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
