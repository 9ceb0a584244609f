import Database

extension Transaction {
  /// Writes down which editions are one work. A work keeps its number where most of it went; of
  /// several that came together the largest gives the number, the older one of equals, and the
  /// others lead there. Where a work comes apart, the smaller part takes the number that its first
  /// edition came with, if it is free.
  func number(_ works: [[Int64]], _ members: [Int64: KinMember]) throws(DatabaseError) {
    var shares: [Share] = []
    for (place, work) in works.enumerated() {
      let sizes = Dictionary(grouping: work.compactMap { members[$0]?.work }, by: \.self)
      for (old, here) in sizes {
        shares.append(Share(old: old, place: place, size: here.count, first: work.min() ?? 0))
      }
    }
    shares.sort()
    var numbers: [Int: Int64] = [:]
    var taken: Set<Int64> = []
    for share in shares where numbers[share.place] == nil && !taken.contains(share.old) {
      numbers[share.place] = share.old
      taken.insert(share.old)
    }
    let nameless = works.indices.filter { numbers[$0] == nil }
    let free = try freeNumbers(nameless.flatMap { works[$0] })
    for place in nameless {
      let own = works[place].sorted().first { free.contains($0) && !taken.contains($0) }
      let number: Int64
      if let own { number = own } else { number = try newWork() }
      numbers[place] = number
      taken.insert(number)
      try execute("UPDATE catalog_work SET merged_into = NULL WHERE id = \(number)")
    }
    for (place, work) in works.enumerated() {
      guard let number = numbers[place] else { continue }
      let moving = work.filter { members[$0]?.work != number }
      guard !moving.isEmpty else { continue }
      try execute("UPDATE catalog_edition SET work = \(number) WHERE id \(.among(moving))")
    }
    // The best share comes first, so what is left of a work leads to where most of it is.
    var led: Set<Int64> = []
    for share in shares where !taken.contains(share.old) && led.insert(share.old).inserted {
      guard let number = numbers[share.place] else { continue }
      try execute("UPDATE catalog_work SET merged_into = \(number) WHERE id = \(share.old)")
    }
  }

  /// How much of an old work is in a new one.
  private struct Share: Comparable {
    let old: Int64
    let place: Int
    let size: Int
    let first: Int64

    static func < (one: Share, other: Share) -> Bool {
      (other.size, one.old, one.first) < (one.size, other.old, other.first)
    }
  }

  /// A work comes with its first edition and bears its number. Of these, the numbers that no
  /// edition is under.
  private func freeNumbers(_ editions: [Int64]) throws(DatabaseError) -> Set<Int64> {
    guard !editions.isEmpty else { return [] }
    return Set(
      try rows(
        """
        SELECT w.id FROM catalog_work w WHERE w.id \(.among(editions))
          AND NOT EXISTS (SELECT 1 FROM catalog_edition e WHERE e.work = w.id)
        """
      ) { row throws(DatabaseError) in try row[0] })
  }

  private func newWork() throws(DatabaseError) -> Int64 {
    let number = try drawNumbers(1).work
    try execute("INSERT INTO catalog_work (id) VALUES (\(number))")
    return number
  }
}

extension Snapshot {
  /// The work that a number leads to now.
  func current(_ work: Int64) throws(DatabaseError) -> Int64 {
    var work = work
    // Each step leads to a work that was there later; the bound is for a damaged table.
    for _ in 0..<64 {
      let next = try first("SELECT merged_into FROM catalog_work WHERE id = \(work)") {
        row throws(DatabaseError) -> Int64? in try row[0]
      }
      guard let next, let number = next else { break }
      work = number
    }
    return work
  }
}
