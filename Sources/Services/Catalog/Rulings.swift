package import Circulation
package import Database

/// What a library calls an edition: the name that outlives every row of ours.
package struct ItemName: Sendable, Hashable, Comparable {
  package let library: String
  package let item: String

  package init(library: String, item: String) { (self.library, self.item) = (library, item) }

  package init(_ library: LibraryID, _ item: ItemID) {
    (self.library, self.item) = (library.rawValue, item.rawValue)
  }

  package static func < (one: ItemName, other: ItemName) -> Bool {
    (one.library, one.item) < (other.library, other.item)
  }
}

/// A person's word on which editions are one work. Later words count for more than earlier ones.
package struct Ruling: Sendable, Hashable {
  package enum Kind: String, Storable, Sendable {
    /// All on both sides are one work.
    case join
    /// Those on the one side are a work of their own.
    case split
  }

  package let id: Int64
  package let kind: Kind
  /// Milliseconds since 1970.
  package let made: Int64
  package let one: [ItemName]
  package let two: [ItemName]

  func isSplit(_ a: ItemName, _ b: ItemName) -> Bool {
    kind == .split && (one.contains(a) && two.contains(b) || one.contains(b) && two.contains(a))
  }
}

/// All words of people. There are few, as a person has to speak each of them.
struct Rulings: Sendable {
  let all: [Ruling]
  private let apart: Set<Pair>
  private let together: [Pair]

  private struct Pair: Hashable {
    let one: ItemName
    let two: ItemName

    init(_ one: ItemName, _ two: ItemName) {
      (self.one, self.two) = one < two ? (one, two) : (two, one)
    }
  }

  init(in snapshot: Snapshot) throws(DatabaseError) {
    all = try snapshot.rulings()
    var apart: Set<Pair> = []
    var together: Set<Pair> = []
    for ruling in all {
      let across = ruling.one.flatMap { one in ruling.two.map { Pair(one, $0) } }
      // Whoever is split off together stays together, and so does each side that is joined.
      let within = [ruling.one].compactMap { side in side.first.map { ($0, side.dropFirst()) } }
        .flatMap { first, rest in rest.map { Pair(first, $0) } }
      switch ruling.kind {
      case .join:
        apart.subtract(across)
        if let one = ruling.one.first, let two = ruling.two.first {
          together.insert(Pair(one, two))
        }
      case .split:
        apart.subtract(within)
        together.subtract(across)
        together.formUnion(within)
        apart.formUnion(across)
      }
    }
    self.apart = apart
    self.together = together.sorted { ($0.one, $0.two) < ($1.one, $1.two) }
  }

  func forbid(_ one: ItemName, _ two: ItemName) -> Bool {
    !apart.isEmpty && apart.contains(Pair(one, two))
  }

  /// The groups that the matcher made, with those put together that people say are one. A word
  /// outweighs whatever the matcher finds between two groups, but not another word.
  func united(_ groups: [[Int]], _ names: [ItemName]) -> [[Int]] {
    guard !together.isEmpty else { return groups }
    var groups = groups
    for pair in together {
      guard let a = groups.firstIndex(where: { $0.contains { names[$0] == pair.one } }),
        let b = groups.firstIndex(where: { $0.contains { names[$0] == pair.two } }), a != b,
        !groups[a].contains(where: { one in
          groups[b].contains { forbid(names[one], names[$0]) }
        })
      else { continue }
      groups[a] = (groups[a] + groups[b]).sorted()
      groups.remove(at: b)
    }
    return groups
  }

  /// Pairs that people join of which one is among the members.
  func joins(
    of members: [KinMember], in snapshot: Snapshot
  ) throws(DatabaseError) -> [(Int64, Int64)] {
    guard !together.isEmpty else { return [] }
    let names = Set(members.map(\.name))
    let pairs = together.filter { names.contains($0.one) || names.contains($0.two) }
    let numbers = try snapshot.numbers(of: pairs.flatMap { [$0.one, $0.two] })
    return pairs.compactMap { pair in
      guard let one = numbers[pair.one], let two = numbers[pair.two] else { return nil }
      return (one, two)
    }
  }
}

extension Snapshot {
  func rulings() throws(DatabaseError) -> [Ruling] {
    var sides: [Int64: [(Int, ItemName)]] = [:]
    try forEach(
      """
      SELECT ruling, side, library, item FROM catalog_ruling_side
      ORDER BY ruling, library\(.bytewise), item\(.bytewise)
      """
    ) { row throws(DatabaseError) in
      sides[try row[0], default: []].append(
        (try row[1], ItemName(library: try row[2], item: try row[3])))
      return .next
    }
    if sides.isEmpty { return [] }
    return try rows("SELECT id, kind, made FROM catalog_ruling ORDER BY id") {
      row throws(DatabaseError) in
      let id: Int64 = try row[0]
      let names = sides[id] ?? []
      return Ruling(
        id: id, kind: try row[1], made: try row[2],
        one: names.filter { $0.0 == 1 }.map(\.1), two: names.filter { $0.0 == 2 }.map(\.1))
    }
  }

  func numbers(of names: [ItemName]) throws(DatabaseError) -> [ItemName: Int64] {
    var numbers: [ItemName: Int64] = [:]
    for (library, names) in Dictionary(grouping: names, by: \.library) {
      try forEach(
        """
        SELECT e.item, e.id FROM catalog_edition e JOIN catalog_library l ON l.id = e.library
        WHERE l.name = \(library) AND e.item IN (\(names.map(\.item)))
        """
      ) { row throws(DatabaseError) in
        numbers[ItemName(library: library, item: try row[0])] = try row[1]
        return .next
      }
    }
    return numbers
  }
}
