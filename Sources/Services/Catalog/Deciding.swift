package import Circulation
package import Database

extension Catalog {
  /// What people decided about works, the first first.
  package func rulings() async throws(DatabaseError) -> [Ruling] {
    try await store.read { snapshot throws(DatabaseError) in try snapshot.rulings() }
  }

  /// Makes two works one, whatever the matcher says. The word is kept by the names that libraries
  /// give the editions, so it holds through harvests, withdrawals and other rules of the matcher.
  /// Nil where there is nothing to join.
  package func join(
    _ one: WorkID, _ two: WorkID
  ) async throws(DatabaseError) -> Ruling? {
    guard let first = one.number, let second = two.number else { return nil }
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      let (a, b) = (try tx.current(first), try tx.current(second))
      guard a != b else { return nil }
      let (left, right) = (try tx.editions(of: a), try tx.editions(of: b))
      guard !left.isEmpty, !right.isEmpty else { return nil }
      return try tx.rule(.join, left, right, at: now)
    }
  }

  /// Makes some editions of a work a work of their own, also for what comes later. Nil where that
  /// would leave nothing behind, or they are not all of one work.
  package func split(
    _ editions: [ItemName]
  ) async throws(DatabaseError) -> Ruling? {
    let now = now()
    return try await store.write { tx throws(DatabaseError) in
      let numbers = Set(try tx.numbers(of: editions.distinct).values)
      let members = try tx.members(numbers.sorted())
      guard let work = members.first?.work, members.allSatisfy({ $0.work == work }) else {
        return nil
      }
      let rest = try tx.editions(of: work).filter { !numbers.contains($0.number) }
      guard !rest.isEmpty else { return nil }
      return try tx.rule(.split, members.sorted(), rest, at: now)
    }
  }

  /// Takes a word back, the last one if none is named; what the matcher says of those editions holds
  /// again. Returns it as it was, nil if there is none.
  package func undo(_ id: Int64? = nil) async throws(DatabaseError) -> Ruling? {
    try await store.write { tx throws(DatabaseError) in
      let all = try tx.rulings()
      guard let ruling = id.map({ id in all.first { $0.id == id } }) ?? all.last else {
        return nil
      }
      try tx.execute("DELETE FROM catalog_ruling_side WHERE ruling = \(ruling.id)")
      try tx.execute("DELETE FROM catalog_ruling WHERE id = \(ruling.id)")
      let numbers = try tx.numbers(of: ruling.one + ruling.two)
      try Kin(in: tx).gather(Set(numbers.values))
      return ruling
    }
  }
}

extension Transaction {
  fileprivate func rule(
    _ kind: Ruling.Kind, _ one: [KinMember], _ two: [KinMember], at now: Int64
  ) throws(DatabaseError) -> Ruling {
    let id: Int64 = try value(
      "INSERT INTO catalog_ruling (kind, made) VALUES (\(kind), \(now)) RETURNING id")
    let sides = one.map { (1, $0) } + two.map { (2, $0) }
    try insert(
      into: "catalog_ruling_side", columns: ["ruling", "side", "library", "item"], rows: sides
    ) { side, row throws(DatabaseError) in
      try row.append(id)
      try row.append(side.0)
      try row.append(side.1.name.library)
      try row.append(side.1.name.item)
    }
    try Kin(in: self).gather(Set((one + two).map(\.number)))
    return Ruling(id: id, kind: kind, made: now, one: one.map(\.name), two: two.map(\.name))
  }
}

extension Snapshot {
  /// By name.
  func editions(of work: Int64) throws(DatabaseError) -> [KinMember] {
    let numbers = try rows("SELECT id FROM catalog_edition WHERE work = \(work)") {
      row throws(DatabaseError) -> Int64 in try row[0]
    }
    return try members(numbers).sorted()
  }
}
