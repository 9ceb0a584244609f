/// A block unpacked by the library, as the only one of a stream that is made up around it.
struct BZip2Block: Sendable {
  /// All of it, unless there is a rest.
  let first: [UInt8]
  let rest: LargeBlock?

  /// What is larger is unpacked while it is read: a few bytes may stand for fifty megabytes.
  private static let ordinary = 4 << 20

  init(_ segment: BZip2Segment) throws(CompressionError) {
    let bytes = segment.asStream()
    var stream = try BZip2Stream(bytes)
    first = try stream.next(upTo: Self.ordinary) ?? []
    rest = stream.isOver ? nil : LargeBlock(stream)
  }
}

/// What is left of a block that is too large to be held. Unchecked, because a stream cannot be
/// copied and is handed over once: the task that began it does not use it again.
final class LargeBlock: @unchecked Sendable {
  private var stream: BZip2Stream

  init(_ stream: consuming BZip2Stream) { self.stream = stream }

  func next() throws(CompressionError) -> [UInt8]? { try stream.next() }
}
