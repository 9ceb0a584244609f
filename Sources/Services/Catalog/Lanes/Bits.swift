/// A set of small numbers, one bit each: what two filters have in common is found in words of 64.
struct Bits: Sendable, Hashable {
  private(set) var words: [UInt64] = []

  init() {}

  init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  func contains(_ number: Int) -> Bool {
    let word = number >> 6
    return word < words.count && words[word] & (1 << UInt64(number & 63)) != 0
  }

  mutating func insert(_ number: Int) {
    let word = number >> 6
    if word >= words.count {
      words.append(
        contentsOf: repeatElement(0, count: max(word + 1 - words.count, words.count / 4)))
    }
    words[word] |= 1 << UInt64(number & 63)
  }

  mutating func remove(_ number: Int) {
    let word = number >> 6
    if word < words.count { words[word] &= ~(1 << UInt64(number & 63)) }
  }

  mutating func formUnion(_ other: Bits) {
    if other.words.count > words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  mutating func formIntersection(_ other: Bits) {
    if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
    for index in words.indices { words[index] &= other.words[index] }
  }

  mutating func subtract(_ other: Bits) {
    for index in 0..<min(words.count, other.words.count) { words[index] &= ~other.words[index] }
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// How many both have.
  func count(with other: Bits) -> Int {
    var count = 0
    for index in 0..<min(words.count, other.words.count) {
      count += (words[index] & other.words[index]).nonzeroBitCount
    }
    return count
  }

  var isEmpty: Bool { !words.contains { $0 != 0 } }

  func visit(_ body: (Int) -> Void) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        body(index << 6 | word.trailingZeroBitCount)
        word &= word - 1
      }
    }
  }
}
