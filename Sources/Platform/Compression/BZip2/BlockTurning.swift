/// The second half: from the last column of the sorted turns back to the bytes in their order. Each
/// byte tells where the next one is, somewhere in four megabytes; a processor waits for nearly every
/// one of them. Several blocks side by side are waited for together.
enum BlockTurning {
  /// Makes each entry of the column lead to the next one, in its upper bits.
  static func link(_ column: UnsafeMutableBufferPointer<UInt32>, _ symbols: BlockSymbols) {
    var starts = [UInt32](repeating: 0, count: 256)
    var sum: UInt32 = 0
    for byte in 0..<256 {
      starts[byte] = sum
      sum += UInt32(symbols.counts[byte])
    }
    unsafe starts.withUnsafeMutableBufferPointer { starts in
      let entries = column.baseAddress!
      for index in 0..<UInt32(symbols.count) {
        let byte = unsafe Int(entries[Int(index)] & 0xFF)
        let place = unsafe starts[byte]
        unsafe starts[byte] = place &+ 1
        unsafe entries[Int(place)] |= index << 8
      }
    }
  }

  /// One block under way.
  @safe struct Chain {
    let column: UnsafeMutablePointer<UInt32>
    let out: UnsafeMutablePointer<UInt8>
    let count: Int
    var place: UInt32

    init(
      _ column: UnsafeMutableBufferPointer<UInt32>, _ out: UnsafeMutableBufferPointer<UInt8>,
      _ symbols: BlockSymbols
    ) {
      unsafe (self.column, self.out) = (column.baseAddress!, out.baseAddress!)
      count = symbols.count
      place = unsafe self.column[symbols.origin] >> 8
    }

    @inline(__always)
    mutating func step(_ index: Int) {
      let entry = unsafe column[Int(place)]
      unsafe out[index] = UInt8(truncatingIfNeeded: entry)
      place = entry >> 8
    }
  }

  static func follow(_ chains: [Chain]) {
    var rest = chains.sorted { $0.count > $1.count }
    unsafe rest.withUnsafeMutableBufferPointer { all in
      guard let chains = all.baseAddress else { return }
      var (open, done) = (all.count, 0)
      while open > 0 {
        // As far as the shortest goes all go together.
        let end = unsafe chains[open - 1].count
        for index in done..<end {
          for chain in 0..<open { unsafe chains[chain].step(index) }
        }
        (open, done) = (open - 1, end)
      }
    }
  }
}
