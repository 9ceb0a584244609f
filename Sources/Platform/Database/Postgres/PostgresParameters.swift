import CPostgres

/// The values of a statement in the binary form of the protocol, one after the other in one buffer.
struct PostgresParameters {
  private var bytes: [UInt8] = []
  /// Where each value lies; nil is NULL.
  private var places: [Range<Int>?] = []

  init(_ bindings: [RenderedSQL.Binding]) {
    for binding in bindings { append(binding.value) }
  }

  /// Lends the arrays that libpq asks for: addresses, lengths and formats, all of them binary.
  func withPointers<R>(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> R
  ) -> R {
    let lengths = places.map { Int32($0?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: places.count)
    // An empty value still needs an address: a null pointer means NULL.
    return unsafe (bytes + [0]).withUnsafeBufferPointer { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        let start = characters.baseAddress
        let values = unsafe places.map { place in
          unsafe place.flatMap { place in unsafe start.map { unsafe $0 + place.lowerBound } }
        }
        return unsafe body(Int32(places.count), values, lengths, formats)
      }
    }
  }

  private mutating func append(_ value: Value) {
    let start = bytes.count
    switch value {
    case .null:
      places.append(nil)
      return
    case .integer(let number): append(UInt64(bitPattern: number))
    case .real(let number): append(number.bitPattern)
    case .boolean(let flag): bytes.append(flag ? 1 : 0)
    case .text(let text): bytes += text.utf8
    case .blob(let blob): bytes += blob
    }
    places.append(start..<bytes.count)
  }

  private mutating func append(_ bits: UInt64) {
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
  }
}

extension Kind {
  /// The number of the type on the server. Every placeholder has one: left to guess, the server takes
  /// `$1 + 1` for 32 bits.
  var typeID: Oid {
    switch self {
    case .integer: 20
    case .real: 701
    case .text: 25
    case .blob: 17
    case .boolean: 16
    }
  }

  var letter: Character {
    switch self {
    case .integer: "i"
    case .real: "r"
    case .text: "t"
    case .blob: "b"
    case .boolean: "f"
    }
  }
}
