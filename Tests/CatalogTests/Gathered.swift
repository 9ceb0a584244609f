import Catalog
import Circulation
import Database

extension Catalog {
  func take(_ edition: Edition, at library: LibraryID) async throws {
    try await take([edition], of: library, provider: lender)
  }

  func work(of item: String, at library: LibraryID = town) async throws -> WorkID? {
    try await edition(ItemID(item), at: library)?.work
  }

  /// What is one work, by item: the same for the same books, whatever their works are numbered.
  func gathered(_ items: [String], at library: LibraryID = town) async throws -> Set<Set<String>> {
    let entries = try await entries(for: items.map { (library, ItemID($0)) })
    return Set(
      Dictionary(grouping: zip(items, entries), by: { $0.1?.work }).values.map {
        Set($0.map(\.0))
      })
  }
}

func name(_ item: String, at library: LibraryID = town) -> ItemName {
  ItemName(library, ItemID(item))
}

/// Makes the catalogue forget by which rules it was matched, as an older program's is.
func forgetRules(_ store: Store) async throws {
  try await store.write { tx throws(DatabaseError) in
    try tx.execute("UPDATE catalog_matching SET version = 0")
  }
}

/// A shelf of trouble: makes of one book, books of one name, volumes, translations, guides, and an
/// edition that is like two others which contradict each other.
let troublesome: [Edition] = {
  let english = { (edition: inout Edition) in edition.languages = ["en"] }
  var row = [
    edition("dune", "Dune", by: "Frank Herbert", english),
    edition("dune-audio", "Dune", by: "Herbert, Frank") {
      $0.medium = .audiobook
      $0.languages = ["en"]
    },
    edition("dune-tie", "Dune (Movie Tie-In)", by: "Frank Herbert, 1920-1986", english),
    edition("messiah", "Dune Messiah", by: "Frank Herbert", english),
    edition("dune-guide", "Study Guide: Dune", by: "Frank Herbert", english),
    edition("wüstenplanet", "Dune", by: "Frank Herbert") { $0.languages = ["de"] },
    edition("sapiens", "Sapiens", by: "Yuval Noah Harari", english),
    edition("sapiens-long", "Sapiens: A Brief History of Humankind", by: "Harari, Yuval Noah"),
    edition("monster-1", "Monster, Vol. 1", by: "Naoki Urasawa"),
    edition("monster-2", "Monster, Vol. 2", by: "Naoki Urasawa"),
    edition("monster-1b", "Monster, Volume 1", by: "Urasawa, Naoki"),
    edition("life-kate", "Life After Life", by: "Kate Atkinson"),
    edition("life-jill", "Life After Life", by: "Jill McCorkle"),
    edition("life-none", "Life After Life"),
    edition("whale", "Moby-Dick; or, The Whale", by: "Melville, Herman"),
    edition("moby", "Moby Dick", by: "Herman Melville"),
    edition("henry-1", "Henry IV, Part 1", by: "William Shakespeare"),
    edition("henry-2", "Henry IV, Part 2", by: "William Shakespeare"),
  ]
  // Named twice, in two languages, by one that says neither.
  for (item, language) in [("proces-de", "de"), ("proces-en", "en"), ("proces-any", nil)] {
    row.append(
      edition(item, "Kafka: Amerika", by: "Franz Kafka") {
        $0.languages = language.map { [$0] } ?? []
      })
  }
  return row
}()
