import Circulation
import Database
import Matching

extension Matcher {
  /// The keys of an edition as they are stored.
  static func sums(of dossier: Dossier) -> [Int64] { keys(of: dossier).map(\.sum).distinct }
}

extension String {
  /// FNV-1a, 64 bits: the same in every run and on every machine.
  fileprivate var sum: Int64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in utf8 { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return Int64(bitPattern: sum)
  }
}

/// An edition as the matcher reads it, with its keys; a class, as its dossier is.
final class KinReading: Sendable {
  let dossier: Dossier
  let keys: [Int64]

  init(_ edition: Edition) {
    dossier = Dossier(Candidate(edition))
    keys = Matcher.sums(of: dossier)
  }
}

/// The same under its number.
struct KinSubject: Sendable {
  let number: Int64
  private let reading: KinReading

  var dossier: Dossier { reading.dossier }
  var keys: [Int64] { reading.keys }

  init(_ number: Int64, _ reading: KinReading) { (self.number, self.reading) = (number, reading) }

  init(_ number: Int64, _ edition: Edition) { self.init(number, KinReading(edition)) }
}

extension Transaction {
  func keep(keysOf subjects: [KinSubject]) throws(DatabaseError) {
    // In the order of the table, which is then written as it lies.
    try insert(
      into: "catalog_key", columns: ["key", "edition"], rows: try filings(of: subjects).sorted()
    ) { filing, row throws(DatabaseError) in
      try row.append(filing.key)
      try row.append(filing.edition)
    }
  }

  func dropKeys(of subjects: [KinSubject]) throws(DatabaseError) {
    guard !subjects.isEmpty else { return }
    try execute(
      """
      DELETE FROM catalog_key WHERE key \(.among(subjects.flatMap(\.keys).distinct))
        AND edition \(.among(subjects.map(\.number)))
      """)
  }
}

extension Snapshot {
  /// Who else may be the same book: for each subject the editions it should be compared with, which
  /// are filed under keys that it is filed under itself.
  ///
  /// Of a key that many share, as `Poems` is, one edition of each work stands for the rest, and
  /// when those are too many the key says nothing.
  func rivals(of subjects: [KinSubject]) throws(DatabaseError) -> [Int64: Set<Int64>] {
    let wanted = subjects.flatMap(\.keys).distinct
    guard !wanted.isEmpty else { return [:] }
    let own = Set(subjects.map(\.number))
    var filed: Set<KinFiling> = []
    let buckets = try buckets(wanted) { filing in
      if own.contains(filing.edition) { filed.insert(filing) }
    }
    var rivals: [Int64: Set<Int64>] = [:]
    for subject in subjects {
      var others: Set<Int64> = []
      for key in subject.keys
      where filed.contains(KinFiling(key: key, edition: subject.number)) {
        others.formUnion(buckets[key] ?? [])
      }
      others.remove(subject.number)
      rivals[subject.number] = others
    }
    return rivals
  }

  /// The editions that are filed under each of these keys, or who stands for them.
  func buckets(_ wanted: [Int64]) throws(DatabaseError) -> [Int64: [Int64]] {
    try buckets(wanted) { _ in }
  }

  private func buckets(
    _ wanted: [Int64], each: (KinFiling) -> Void
  ) throws(DatabaseError) -> [Int64: [Int64]] {
    guard !wanted.isEmpty else { return [:] }
    var buckets: [Int64: [Int64]] = [:]
    try forEach(
      "SELECT key, edition FROM catalog_key WHERE key \(.among(wanted)) ORDER BY key, edition"
    ) { row throws(DatabaseError) in
      let filing = KinFiling(key: try row[0], edition: try row[1])
      buckets[filing.key, default: []].append(filing.edition)
      each(filing)
      return .next
    }
    for (key, bucket) in buckets where bucket.count > Kin.largestBucket {
      buckets[key] = try representatives(of: bucket)
    }
    return buckets
  }

  private func representatives(of bucket: [Int64]) throws(DatabaseError) -> [Int64] {
    var first: [Int64: Int64] = [:]
    var sizes: [Int64: Int] = [:]
    try forEach("SELECT work, id FROM catalog_edition WHERE id \(.among(bucket)) ORDER BY id") {
      row throws(DatabaseError) in
      let (work, edition): (Int64, Int64) = (try row[0], try row[1])
      sizes[work, default: 0] += 1
      first[work] = first[work] ?? edition
      return .next
    }
    // The works that many editions agree on are the likeliest to gain another.
    let works = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return works.prefix(Kin.largestBucket).compactMap { first[$0.key] }
  }
}
