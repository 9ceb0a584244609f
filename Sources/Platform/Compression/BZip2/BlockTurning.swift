/// The second half: from the last column of the sorted turns back to the bytes in their order. Each
/// byte tells where the next one is, somewhere in four megabytes, and a processor waits for nearly
/// every one of them. So a block is begun at many places at once, which are waited for together, and
/// what they lead to is put in order afterwards.
enum BlockTurning {
  static let lanes = 16
  /// Within an entry that is the last of a segment.
  private static let endMark: UInt32 = 1 << 31

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
      var index = 0
      while index < symbols.count {
        // Equal bytes in a row lead to places in a row.
        let byte = unsafe entries[index] & 0xFF
        var end = index + 1
        while end < symbols.count, unsafe entries[end] & 0xFF == byte { end += 1 }
        let place = unsafe starts[Int(byte)]
        unsafe starts[Int(byte)] = place &+ UInt32(end - index)
        let target = unsafe entries + Int(place)
        for step in 0..<(end - index) {
          unsafe target[step] |= UInt32(truncatingIfNeeded: index &+ step) << 8
        }
        index = end
      }
    }
  }

  /// Writes as many bytes into `out` as the column has entries, which are linked; behind them it has
  /// room for one more. `room` holds what each lane finds, as many bytes as entries for each.
  ///
  /// The entries lead into one another in rings, as a rule in a single one. Where the ring that the
  /// block is on is shorter than the block, it goes round.
  static func follow(
    _ column: UnsafeMutableBufferPointer<UInt32>, from origin: Int,
    room: UnsafeMutableBufferPointer<UInt8>, into out: UnsafeMutableBufferPointer<UInt8>
  ) {
    var segments = unsafe Segments(marking: column, from: origin)
    unsafe segments.walk(column, room)
    unsafe segments.collect(room, into: out)
  }

  /// The pieces that a block is followed in. Each ends where the next one of its ring begins.
  private struct Segments {
    private struct Segment {
      let start: UInt32
      /// The lane that went it, and from which of its bytes on.
      var lane = 0
      var from = 0
      var length = 0
      var next = 0
    }

    private let count: Int
    /// In the order of their starts.
    private var all: [Segment]
    private var first = 0

    /// More are walked more evenly, and cost a little each.
    private static let bytesEach = 1500

    init(marking column: UnsafeMutableBufferPointer<UInt32>, from origin: Int) {
      let count = column.count - 1
      self.count = count
      let wanted = max(1, count / Self.bytesEach)
      var ends = (0..<wanted).map { $0 * count / wanted }
      ends.append(origin)
      var starts: [UInt32] = []
      for end in ends {
        let entry = unsafe column[end]
        guard entry & endMark == 0 else { continue }
        unsafe column[end] = entry | endMark
        starts.append(entry >> 8)
      }
      starts.sort()
      all = starts.map { Segment(start: $0) }
      first = place(of: unsafe column[origin] >> 8)
      // Where lanes idle that have nothing left to do.
      unsafe column[count] = UInt32(count) << 8
    }

    /// Of an entry's upper bits, with its mark or without it.
    private func place(of start: UInt32) -> Int {
      let start = start & (endMark >> 8 - 1)
      var (low, high) = (0, all.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if all[middle].start < start { low = middle + 1 } else { high = middle }
      }
      return low
    }

    mutating func walk(
      _ column: UnsafeMutableBufferPointer<UInt32>, _ room: UnsafeMutableBufferPointer<UInt8>
    ) {
      guard let entries = column.baseAddress, let outs = room.baseAddress else { return }
      let (count, idle) = (count, UInt32(count))
      var current = [Int?](repeating: nil, count: lanes)
      var (begun, open) = (0, 0)
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: lanes) { places in
        for lane in 0..<lanes {
          unsafe places[lane] = idle
          guard begun < all.count else { continue }
          unsafe places[lane] = all[begun].start
          (all[begun].lane, current[lane]) = (lane, begun)
          (begun, open) = (begun + 1, open + 1)
        }
        var step = 0
        // Every step brings at least one lane to an entry that no other was at.
        while open > 0, step < count {
          var met: UInt32 = 0
          repeat {
            for lane in 0..<lanes {
              let entry = unsafe entries[Int(places[lane])]
              unsafe outs[lane &* count &+ step] = UInt8(truncatingIfNeeded: entry)
              unsafe places[lane] = entry >> 8
              met |= entry
            }
            step &+= 1
          } while met < endMark && step < count
          for lane in 0..<lanes where unsafe places[lane] >= endMark >> 8 {
            guard let ended = current[lane] else { continue }
            all[ended].length = step - all[ended].from
            all[ended].next = place(of: unsafe places[lane])
            if begun < all.count {
              unsafe places[lane] = all[begun].start
              (all[begun].lane, all[begun].from) = (lane, step)
              current[lane] = begun
              begun += 1
            } else {
              unsafe places[lane] = idle
              current[lane] = nil
              open -= 1
            }
          }
        }
      }
    }

    /// One ring, from the block's own beginning on.
    func collect(
      _ room: UnsafeMutableBufferPointer<UInt8>, into out: UnsafeMutableBufferPointer<UInt8>
    ) {
      guard let from = room.baseAddress, let target = out.baseAddress else { return }
      var (written, place) = (0, first)
      while written < count {
        let segment = all[place]
        let length = min(segment.length, count - written)
        unsafe (target + written).update(
          from: from + segment.lane * count + segment.from, count: length)
        written += length
        place = segment.next
      }
    }
  }
}
