import Text

/// Numbers by names of one word. A page has few names, and to look through a few is faster than to
/// hash; where there are many after all they are hashed.
struct ShortNames {
  private var keys: [UInt64] = []
  private var numbers: [Int32] = []
  private var more: [UInt64: Int32] = [:]

  private static let few = 24

  subscript(_ key: UInt64) -> Int32? {
    get {
      for place in keys.indices where keys[place] == key { return numbers[place] }
      return more.isEmpty ? nil : more[key]
    }
    set {
      guard let newValue else { return }
      guard keys.count < Self.few else {
        more[key] = newValue
        return
      }
      keys.append(key)
      numbers.append(newValue)
    }
  }
}

/// Where a byte stands next. It is looked for again only when that place is behind.
struct ByteCursor {
  private let byte: UInt8
  private var place = -1

  init(_ byte: UInt8) { self.byte = byte }

  /// Beyond all places where there are no more. `index` never goes back.
  mutating func next(in bytes: [UInt8], from index: Int) -> Int {
    if place < index { place = ByteSearch.first(byte, in: bytes, index..<bytes.count) ?? .max }
    return place
  }
}
