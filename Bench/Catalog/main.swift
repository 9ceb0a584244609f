import Catalog
import Circulation
import Database
import FoundationEssentials

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
default:
  print(
    """
    usage: bench-catalog fill DATABASE [LIBRARY [COUNT [PROVIDER]]]
           bench-catalog query DATABASE WORDS...
    """)
}

func catalog(_ store: Store) -> Catalog { Catalog(store: store, now: { 0 }) }

func fill(_ address: String, library: LibraryID, count: Int, provider: ProviderID) async throws {
  let store = try await Store.open(try Location(address))
  // A home that Carrel made has the tables of all services, and those of this one among them.
  let applied = (try? await store.appliedMigrations()) ?? []
  if applied.isEmpty { _ = try await store.migrate([Catalog.migrations], at: 0) }
  var shelves = Shelves()
  let editions = (1...max(1, count)).map { shelves.edition($0) }
  let elapsed = try await ContinuousClock().measure {
    try await catalog(store).take(editions, of: library, provider: provider)
  }
  var noise = Noise(state: 3)
  var availability: [ItemID: Availability] = [:]
  for edition in editions {
    let copies = Availability.Copies(total: 3, available: noise.next(2), holds: noise.next(9))
    availability[edition.item] = Availability(
      copies.available == 0 ? .queued(copies) : .available(copies),
      asOf: Date(timeIntervalSince1970: 1_700_000_000))
  }
  let noting = try await ContinuousClock().measure {
    try await catalog(store).note(availability, at: library)
  }
  await store.close()
  print("\(editions.count) editions in \(elapsed), their copies in \(noting)")
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

func milliseconds(_ times: [Duration]) -> String {
  let median = times.sorted()[times.count / 2]
  let hundredths = Int((median / .milliseconds(1) * 100).rounded())
  return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
}
