/// Reads archives of our own writing, and no others: every byte around the contents must be what
/// `TarWriter` would have put there, so that no changed bit goes unnoticed. Contents come in pieces.
package struct ExactTarReader: Sendable {
  package enum Step: Sendable, Hashable {
    case begin(name: String, size: Int)
    case content([UInt8])
    /// Of the member that began last.
    case whole
    /// Feed it, or finish.
    case needsMore
    case end
  }

  private enum State: Sendable {
    case between
    case inside(left: Int, size: Int)
    case padding(Int)
    case over
  }

  private var bytes: [UInt8] = []
  private var position = 0
  private var state = State.between
  /// The member that is being read, or was read last.
  package private(set) var member: String?

  private static let nameLimit = 64 << 10

  package init() {}

  package mutating func feed(_ more: [UInt8]) {
    bytes.removeFirst(position)
    position = 0
    if bytes.isEmpty { bytes = more } else { bytes += more }
  }

  package mutating func next() throws(TarError) -> Step {
    switch state {
    case .between: return try begin()
    case .inside(let left, let size):
      guard left > 0 else {
        state = .padding(TarWriter.padding(after: size).count)
        return try next()
      }
      let piece = take(upTo: min(left, 256 << 10))
      if piece.isEmpty { return .needsMore }
      state = .inside(left: left - piece.count, size: size)
      return .content(piece)
    case .padding(let count):
      guard bytes.count - position >= count else { return .needsMore }
      guard take(upTo: count).allSatisfy({ $0 == 0 }) else { throw .damaged(after: member) }
      state = .between
      return .whole
    case .over:
      guard position == bytes.count else { throw .damaged(after: member) }
      return .end
    }
  }

  /// The end of the bytes.
  package func finish() throws(TarError) {
    guard case .over = state else { throw .truncated(member: member) }
    guard position == bytes.count else { throw .damaged(after: member) }
  }

  private mutating func begin() throws(TarError) -> Step {
    let rest = bytes[position...]
    guard rest.count >= TarHeader.size else { return .needsMore }
    let first = rest.prefix(TarHeader.size)
    if first.allSatisfy({ $0 == 0 }) {
      guard rest.count >= TarWriter.end.count else { return .needsMore }
      guard take(upTo: TarWriter.end.count) == TarWriter.end else { throw .damaged(after: member) }
      state = .over
      return try next()
    }
    guard let header = TarHeader(first) else { throw .damaged(after: member) }
    var (name, length, last) = (header.name, TarHeader.size, header)
    if case .longName = header.kind {
      guard header.size <= Self.nameLimit else { throw .nameTooLong }
      length = 2 * TarHeader.size + header.padded
      guard rest.count >= length else { return .needsMore }
      let start = rest.startIndex + TarHeader.size
      name = TarHeader.text(rest[start..<start + header.size])
      let block = rest[(start + header.padded)..<(rest.startIndex + length)]
      guard let found = TarHeader(block) else { throw .damaged(after: member) }
      last = found
    }
    guard Array(rest.prefix(length)) == TarWriter.head(of: name, size: last.size) else {
      throw .damaged(after: member)
    }
    position += length
    member = name
    state = .inside(left: last.size, size: last.size)
    return .begin(name: name, size: last.size)
  }

  private mutating func take(upTo count: Int) -> [UInt8] {
    let end = min(position + count, bytes.count)
    defer { position = end }
    return Array(bytes[position..<end])
  }
}
