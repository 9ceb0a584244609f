// Which place comes first, without a look into the book.
extension CFI: Comparable {
  package static func < (one: CFI, two: CFI) -> Bool {
    if let order = order(one.start, two.start) { return order }
    return order(one.end, two.end) ?? false
  }

  /// One thing after the other, the more important kinds last.
  private struct Key: Comparable {
    let kind: Int
    let value: Double
    var second = 0.0

    static func < (one: Key, two: Key) -> Bool {
      (one.kind, one.value, one.second) < (two.kind, two.value, two.second)
    }
  }

  /// Nil where both are the same place.
  private static func order(_ one: Path, _ two: Path) -> Bool? {
    let (one, two) = (keys(one), keys(two))
    for (left, right) in zip(one, two) where left != right { return left < right }
    return one.count == two.count ? nil : one.count < two.count
  }

  private static func keys(_ path: Path) -> [Key] {
    var keys: [Key] = path.parts.map { part in
      switch part {
      case .step(let number, _): Key(kind: 1, value: Double(number))
      case .indirection: Key(kind: 3, value: 0)
      }
    }
    guard let offset = path.offset else { return keys }
    if let characters = offset.characters { keys.append(Key(kind: 0, value: Double(characters))) }
    if let seconds = offset.seconds { keys.append(Key(kind: 2, value: seconds)) }
    if let point = offset.point { keys.append(Key(kind: 2, value: point.y, second: point.x)) }
    return keys
  }
}
