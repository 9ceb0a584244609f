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
  private var isLast = false
  private var isDrained = false
  private var scanFault: CompressionError?
  private var fault: CompressionError?
  private var checksum: UInt32 = 0
  private var given = 0
  private var large: LargeBlock?
  private let benches = Benches()

  private enum Step {
    /// A block, and which one it is of those that are unpacked together.
    case block(BZip2Block, Task<[Benches.Unpacked], Never>, Int)
    case end(checksum: UInt32)
  }

  /// `source` gives the file piece by piece, and an empty piece at its end. `limit` caps all that
  /// this reader ever gives out, `ahead` how many blocks are under way.
  package init(
    limit: Int = .max, ahead: Int = Workbench.places * 3,
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
      if let piece = try large?.next() { return try counted(piece) }
      large = nil
      fill()
      guard !line.isEmpty else {
        if let scanFault { throw scanFault }
        return nil
      }
      switch line.removeFirst() {
      case .end(let told):
        guard told == checksum else { throw .damaged }
        checksum = 0
      case .block(let block, let task, let place):
        switch try await content(of: block, from: await task.value[place]) {
        case .whole(let bytes): return try counted(bytes)
        case .large(let block): large = .own(block)
        case .foreign(let stream): large = .foreign(try ForeignBlock(stream))
        }
      }
    }
  }

  private func content(
    of block: BZip2Block, from result: Result<BZip2Block.Content, CompressionError>
  ) async throws(CompressionError) -> BZip2Block.Content {
    switch result {
    case .success(let content):
      fold(block.checksum)
      return content
    case .failure(let error):
      // Either it is damaged, or a mark stood in it by chance.
      guard case .block(let next, _, _)? = line.first else { throw error }
      let whole = block.joined(with: next)
      let content: BZip2Block.Content
      do throws(CompressionError) { content = try whole.unpacked() } catch { throw .damaged }
      line.removeFirst()
      fold(whole.checksum)
      return content
    }
  }

  private func fold(_ block: UInt32) { checksum = (checksum << 1 | checksum >> 31) ^ block }

  private func counted(_ piece: [UInt8]) throws(CompressionError) -> [UInt8] {
    given += piece.count
    guard given <= limit else { throw .tooLarge(limit: limit) }
    return piece
  }

  /// Keeps the line as long as it may be.
  private func fill() {
    guard line.count <= ahead - Workbench.places || line.isEmpty else { return }
    while !isDrained, scanFault == nil, line.count < ahead {
      var blocks: [BZip2Block] = []
      var pieces: [BlockScanner.Piece] = []
      while blocks.count < Workbench.places, let piece = scanned() {
        pieces.append(piece)
        if case .block(let block) = piece { blocks.append(block) }
      }
      let task = benches.unpacking(blocks)
      var place = 0
      for piece in pieces {
        switch piece {
        case .end(let checksum): line.append(.end(checksum: checksum))
        case .block(let block):
          line.append(.block(block, task, place))
          place += 1
        }
      }
    }
  }

  private func scanned() -> BlockScanner.Piece? {
    while !isDrained, scanFault == nil {
      do throws(CompressionError) {
        if let piece = try scanner.next() { return piece }
        if isLast {
          isDrained = true
        } else {
          let more = try source()
          isLast = more.isEmpty
          scanner.feed(more)
        }
      } catch {
        scanFault = error
      }
    }
    return nil
  }
}

/// A block that is too large to be held.
private enum LargeBlock {
  case own(LongBlock)
  case foreign(ForeignBlock)

  mutating func next() throws(CompressionError) -> [UInt8]? {
    switch self {
    case .foreign(let block): return try block.next()
    case .own(var block):
      defer { self = .own(block) }
      return try block.next()
    }
  }
}

/// A class because the stream in it cannot be copied.
private final class ForeignBlock {
  private var stream: BZip2Stream

  init(_ bytes: [UInt8]) throws(CompressionError) { stream = try BZip2Stream(bytes) }

  func next() throws(CompressionError) -> [UInt8]? { try stream.next() }
}
