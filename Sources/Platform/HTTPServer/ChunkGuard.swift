/// The guard over a chunked body: follows the framing byte by byte beside the parser and refuses
/// whatever is not exactly RFC 9112 §7.1. Lenient chunk readers are how requests are smuggled.
struct ChunkGuard: Sendable {
  private enum State: Sendable {
    case size(digits: Int)
    case inExtension
    case sizeEnd
    case data
    case dataReturn
    case dataLineFeed
    case trailer
    case trailerLineFeed
    case done
  }

  private var state = State.size(digits: 0)
  private var size = 0
  private var total = 0
  private var overhead = 0
  private var trailer: [UInt8] = []

  var isDone: Bool { if case .done = state { true } else { false } }

  /// Larger bodies are refused.
  private let most: Int

  init(most: Int) { self.most = most }

  /// Reads as much of `bytes` as belongs to the body, and says how much that is.
  mutating func scan(_ bytes: Span<UInt8>, within limits: Limits) throws(Refusal) -> Int {
    var position = 0
    while position < bytes.count, !isDone {
      if case .data = state {
        let step = min(size, bytes.count - position)
        size -= step
        position += step
        if size == 0 { state = .dataReturn }
        continue
      }
      try take(bytes[position], within: limits)
      position += 1
    }
    return position
  }

  private mutating func take(_ byte: UInt8, within limits: Limits) throws(Refusal) {
    switch state {
    case .size(let digits): try takeSize(byte, digits: digits)
    case .inExtension:
      if byte == 0x0D {
        state = .sizeEnd
      } else {
        try count(byte, within: limits)
      }
    case .sizeEnd:
      try expect(byte, 0x0A)
      state = size > 0 ? .data : .trailer
    case .dataReturn:
      try expect(byte, 0x0D)
      state = .dataLineFeed
    case .dataLineFeed:
      try expect(byte, 0x0A)
      state = .size(digits: 0)
    case .trailer:
      if byte == 0x0D {
        state = .trailerLineFeed
      } else {
        try count(byte, within: limits)
        trailer.append(byte)
      }
    case .trailerLineFeed:
      try expect(byte, 0x0A)
      try endTrailer()
    case .data, .done: break
    }
  }

  private mutating func takeSize(_ byte: UInt8, digits: Int) throws(Refusal) {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66:
      // Fifteen digits cannot overflow; leading zeros without end are no number.
      guard digits < 15 else { throw .malformed(.chunk) }
      if digits == 0 { size = 0 }
      let digit = byte < 0x3A ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
      size = size << 4 | Int(digit)
      state = .size(digits: digits + 1)
    case 0x0D, 0x3B:
      guard digits > 0 else { throw .malformed(.chunk) }
      guard size <= most - total else { throw .bodyTooLarge }
      total += size
      state = byte == 0x0D ? .sizeEnd : .inExtension
    default: throw .malformed(.chunk)
    }
  }

  private mutating func count(_ byte: UInt8, within limits: Limits) throws(Refusal) {
    guard byte == 0x09 || (byte > 0x1F && byte != 0x7F) else { throw .malformed(.chunk) }
    overhead += 1
    guard overhead <= limits.chunkOverhead else { throw .malformed(.chunk) }
  }

  private func expect(_ byte: UInt8, _ wanted: UInt8) throws(Refusal) {
    guard byte == wanted else { throw .malformed(.chunk) }
  }

  /// Trailers are checked like fields and then dropped; framing in them is an attack.
  private mutating func endTrailer() throws(Refusal) {
    guard !trailer.isEmpty else {
      state = .done
      return
    }
    let line = trailer
    trailer = []
    let field = try FieldLine(0..<line.count, of: line.span)
    for name in ["content-length", "transfer-encoding", "host"] as [StaticString]
    where spells(name, field.name, of: line.span) {
      throw .malformed(.chunk)
    }
    state = .trailer
  }
}
