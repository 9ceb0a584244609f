import Circulation
import Database

/// Bounds what the matcher makes of catalogs that patrons named. One may list the same book without
/// end: of those only some are compared with others, and the rest are works of their own.
extension Transaction {
  /// The keys that editions are to be filed under: for those of catalogs that patrons named, only
  /// keys that few others of the same catalog are filed under.
  func filings(of subjects: [KinSubject]) throws(DatabaseError) -> [KinFiling] {
    let named = try namedLibraries(of: subjects.map(\.number))
    var filings: [KinFiling] = []
    var counts = try counts(
      under: subjects.filter { named[$0.number] != nil }.flatMap(\.keys).distinct,
      at: Array(Set(named.values)).sorted())
    for subject in subjects.sorted(by: { $0.number < $1.number }) {
      for key in subject.keys {
        if let library = named[subject.number] {
          let place = KinShare(of: key, at: library)
          guard counts[place, default: 0] < NamedCatalogs.mostAlike else { continue }
          counts[place, default: 0] += 1
        }
        filings.append(KinFiling(key: key, edition: subject.number))
      }
    }
    return filings
  }

  /// How many editions of these libraries are filed under each key.
  private func counts(
    under keys: [Int64], at libraries: [Int64]
  ) throws(DatabaseError) -> [KinShare: Int] {
    guard !keys.isEmpty, !libraries.isEmpty else { return [:] }
    var counts: [KinShare: Int] = [:]
    try forEach(
      """
      SELECT k.key, e.library, count(*) FROM catalog_key k JOIN catalog_edition e ON e.id = k.edition
      WHERE k.key \(.among(keys)) AND e.library \(.among(libraries)) GROUP BY k.key, e.library
      """
    ) { row throws(DatabaseError) in
      counts[KinShare(of: try row[0], at: try row[1])] = try row[2]
      return .next
    }
    return counts
  }
}

extension Snapshot {
  /// The libraries of those editions that are of catalogs that patrons named.
  fileprivate func namedLibraries(of editions: [Int64]) throws(DatabaseError) -> [Int64: Int64] {
    guard !editions.isEmpty else { return [:] }
    var libraries: [Int64: Int64] = [:]
    try forEach(
      """
      SELECT e.id, e.library FROM catalog_edition e JOIN catalog_library l ON l.id = e.library
      WHERE l.name LIKE '%://%' AND e.id \(.among(editions))
      """
    ) { row throws(DatabaseError) in
      libraries[try row[0]] = try row[1]
      return .next
    }
    return libraries
  }

  /// For each of the editions of catalogs that patrons named: those of `others` that are in works
  /// which have enough of the same catalog.
  func crowded(
    for editions: [Int64], among others: [Int64]
  ) throws(DatabaseError) -> [Int64: Set<Int64>] {
    let named = try namedLibraries(of: editions)
    var full: [Int64: Set<Int64>] = [:]
    for library in Set(named.values).sorted() {
      full[library] = Set(
        try rows(
          """
          SELECT o.id FROM catalog_edition o WHERE o.id \(.among(others)) AND o.work IN (
            SELECT m.work FROM catalog_edition m
            WHERE m.library = \(library)
              AND m.work IN (SELECT work FROM catalog_edition WHERE id \(.among(others)))
            GROUP BY m.work HAVING count(*) >= \(NamedCatalogs.mostAlike))
          """
        ) { row throws(DatabaseError) -> Int64 in try row[0] })
    }
    return named.compactMapValues { full[$0] }
  }
}

/// An edition under one of its keys.
struct KinFiling: Sendable, Hashable, Comparable {
  let key: Int64
  let edition: Int64

  static func < (one: KinFiling, other: KinFiling) -> Bool {
    (one.key, one.edition) < (other.key, other.edition)
  }
}

/// What a library has under a key.
private struct KinShare: Hashable {
  let key: Int64
  let library: Int64

  init(of key: Int64, at library: Int64) { (self.key, self.library) = (key, library) }
}
