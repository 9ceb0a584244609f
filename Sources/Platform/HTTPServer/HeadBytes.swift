import HTTP

/// Builds the head of an answer as bytes.
struct HeadBytes {
  private(set) var bytes: [UInt8] = []
  /// A field that would have broken the head was left out; the answer must not go as it is.
  private(set) var isBroken = false

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    isBroken = false
  }

  mutating func begin(_ status: Status) {
    bytes += HeadBytes.version
    var code = min(max(status.code, 100), 999)
    for weight in [100, 10, 1] {
      bytes.append(UInt8(0x30 + code / weight))
      code %= weight
    }
    bytes.append(0x20)
    bytes += status.phrase.utf8
    endLine()
  }

  /// Names are tokens and values hold no control bytes, or they do not go out: this is where a
  /// title with a line end in it would otherwise become a field of its own.
  mutating func add(_ field: Headers.Field) {
    let start = bytes.count
    bytes += field.name.utf8
    let isToken = bytes.count > start && bytes[start...].allSatisfy(isTokenByte)
    bytes += [0x3A, 0x20]
    let value = bytes.count
    bytes += field.value.utf8
    let isClean = bytes[value...].allSatisfy { $0 == 0x09 || ($0 > 0x1F && $0 != 0x7F) }
    guard isToken, isClean else {
      bytes.removeSubrange(start...)
      isBroken = true
      return
    }
    endLine()
  }

  mutating func add(raw line: [UInt8]) { bytes += line }

  mutating func endLine() { bytes += HeadBytes.lineEnd }

  private static let version = Array("HTTP/1.1 ".utf8)
  private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}
