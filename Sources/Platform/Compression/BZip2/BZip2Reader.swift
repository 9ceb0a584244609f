/// A bzip2 file unpacked on all cores, in its own order. A few blocks are under way at a time, so
/// that memory does not grow with the file.
///
/// What is cut short or damaged ends in an error, after everything that was whole before it.
package actor BZip2Reader {
  private let source: @Sendable () throws(CompressionError) -> [UInt8]
  private let limit: Int
  private let ahead: Int
  private var scanner = BlockScanner()
  private var line: [Step] = []
  private var isDrained = false
  private var scanFault: CompressionError?
  private var fault: CompressionError?
  private var checksum: UInt32 = 0
  private var given = 0
  private var rest: LargeBlock?

  private struct Step {
    let segment: BZip2Segment
    let unpacking: Task<Result<BZip2Block, CompressionError>, Never>?
  }

  /// A mark stands inside of a block by chance once in seventeen terabytes. Where there are more of
  /// them, they were put there to make work.
  private static let mostChance = 4

  /// `source` gives the file piece by piece, and an empty piece at its end. `limit` caps all that
  /// this reader ever gives out, `ahead` how many blocks are under way.
  package init(
    limit: Int = .max, ahead: Int = 12,
    reading source: @escaping @Sendable () throws(CompressionError) -> [UInt8]
  ) {
    (self.limit, self.ahead, self.source) = (limit, max(ahead, 1), source)
  }

  /// The next piece; nil at the end of the last stream. An error is final.
  package func next() async throws(CompressionError) -> [UInt8]? {
    if let fault { throw fault }
    do throws(CompressionError) { return try await piece() } catch {
      fault = error
      throw error
    }
  }

  private func piece() async throws(CompressionError) -> [UInt8]? {
    while true {
      if let piece = try rest?.next() { return try counted(piece) }
      rest = nil
      fill()
      guard !line.isEmpty else {
        if let scanFault { throw scanFault }
        return nil
      }
      let step = line.removeFirst()
      guard let unpacking = step.unpacking else {
        try pass(step.segment)
        continue
      }
      let block: BZip2Block
      switch await unpacking.value {
      case .success(let whole):
        fold(step.segment)
        block = whole
      case .failure(.outOfMemory): throw .outOfMemory
      case .failure: block = try joined(step.segment)
      }
      rest = block.rest
      if !block.first.isEmpty { return try counted(block.first) }
    }
  }

  /// What is not a block, or not a whole one.
  private func pass(_ segment: BZip2Segment) throws(CompressionError) {
    switch segment.kind {
    case .block: throw .truncated
    case .end:
      guard segment.bits >= 80 else { throw segment.isLast ? .truncated : .damaged }
      guard segment.checksum == checksum else { throw .damaged }
      checksum = 0
      if segment.isLast, segment.tail.isEmpty { return }
    case .head: break
    }
    guard !segment.isLast || !segment.endsInHeader else { throw .truncated }
    guard !segment.isLast, segment.header != nil else {
      throw segment.kind == .end ? .trailingBytes : .damaged
    }
  }

  /// Either it is damaged, or a mark stood in it by chance.
  private func joined(_ segment: BZip2Segment) throws(CompressionError) -> BZip2Block {
    var whole = segment
    for _ in 0..<Self.mostChance {
      fill()
      guard !line.isEmpty else { throw scanFault ?? .damaged }
      let next = line.removeFirst().segment
      guard !next.isLast else { throw next.kind == .block ? .truncated : .damaged }
      whole = whole.joined(with: next)
      if let block = try? BZip2Block(whole) {
        fold(whole)
        return block
      }
    }
    throw .damaged
  }

  private func fold(_ block: BZip2Segment) {
    checksum = (checksum << 1 | checksum >> 31) ^ block.checksum
  }

  private func counted(_ piece: [UInt8]) throws(CompressionError) -> [UInt8] {
    given += piece.count
    guard given <= limit else { throw .tooLarge(limit: limit) }
    return piece
  }

  /// Keeps the line as long as it may be.
  private func fill() {
    while !isDrained, scanFault == nil, line.count < ahead {
      do throws(CompressionError) {
        if let segment = try scanner.next() {
          line.append(Step(segment: segment, unpacking: Self.unpacking(segment)))
          isDrained = segment.isLast
        } else {
          scanner.feed(try source())
        }
      } catch {
        scanFault = error
      }
    }
  }

  /// Behind a whole block there is a mark.
  private static func unpacking(
    _ segment: BZip2Segment
  ) -> Task<Result<BZip2Block, CompressionError>, Never>? {
    guard segment.kind == .block, !segment.isLast else { return nil }
    return Task.detached {
      do throws(CompressionError) { return .success(try BZip2Block(segment)) } catch {
        return .failure(error)
      }
    }
  }
}
