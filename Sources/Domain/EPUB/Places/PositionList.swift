/// The places of a kilobyte that a book is counted in. They depend on the file and on nothing else:
/// neither window nor letters move them.
package struct PositionList: Sendable, Hashable {
  /// Where an item of the spine begins, and how many it has; none where it is off the line.
  package struct Item: Sendable, Hashable {
    package let first: Int
    package let count: Int
  }

  package struct Position: Sendable, Hashable {
    /// From 1, over the whole book.
    package let number: Int
    /// Which item of the spine, from 0.
    package let spine: Int
    package let progression: Double
    package let total: Double
  }

  /// For each item of the spine.
  package let items: [Item]
  package let count: Int

  package init(_ book: Book) {
    let inOrder = Set(book.document.readingOrder.map(\.ordinal))
    var items: [Item] = []
    var next = 1
    for item in book.document.spine {
      let count = inOrder.contains(item.ordinal) ? book.positions(of: item) : 0
      items.append(Item(first: next, count: count))
      next += count
    }
    (self.items, count) = (items, next - 1)
  }

  package subscript(_ number: Int) -> Position? {
    guard number >= 1, number <= count else { return nil }
    var low = 0
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].first + items[middle].count <= number {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let item = items[low]
    return Position(
      number: number, spine: low, progression: Double(number - item.first) / Double(item.count),
      total: Double(number - 1) / Double(count))
  }

  /// The position that a place in an item lies in.
  package func number(at spine: Int, progression: Double) -> Int {
    guard items.indices.contains(spine), count > 0 else { return 1 }
    let item = items[spine]
    guard item.count > 0 else { return min(item.first, count) }
    let step = Int(max(0, min(1, progression)) * Double(item.count))
    return item.first + min(step, item.count - 1)
  }

  /// How far through the book that is, from 0 to 1; finer than positions are.
  package func total(at spine: Int, progression: Double) -> Double {
    guard items.indices.contains(spine), count > 0 else { return 0 }
    let item = items[spine]
    let inside = max(0, min(1, progression)) * Double(item.count)
    return min(1, (Double(item.first - 1) + inside) / Double(count))
  }

  /// The item and the place in it that lie so far through the book.
  package func place(ofTotal total: Double) -> (spine: Int, progression: Double) {
    let wanted = max(0, min(1, total)) * Double(count)
    var last = (spine: 0, progression: 0.0)
    for (spine, item) in items.enumerated() where item.count > 0 {
      let inside = wanted - Double(item.first - 1)
      if inside < 0 { return last }
      if inside < Double(item.count) { return (spine, inside / Double(item.count)) }
      last = (spine, 1)
    }
    return last
  }
}
