/// A `Range` request for bytes (RFC 9110 §14.1.2), before the length of the body is known.
package struct ByteRanges: Sendable, Hashable {
  package enum Spec: Sendable, Hashable {
    case from(Int, through: Int?)
    case last(Int)
  }

  /// What the request comes to for a body of a certain length.
  package enum Selection: Sendable, Hashable {
    /// Answer 200 with all of it.
    case whole
    /// Answer 206: one range plainly, several as `multipart/byteranges`.
    case parts([Range<Int>])
    /// Answer 416.
    case unsatisfiable
  }

  /// More ranges than this are a nuisance, not a reader skipping through a book.
  package static let most = 32

  package let specs: [Spec]

  /// Nil for another unit or a broken field: both mean that the field is ignored.
  package init?(_ field: String) {
    var scanner = FieldScanner(field)
    scanner.skipBlanks()
    guard scanner.token()?.lowercased() == "bytes" else { return nil }
    scanner.skipBlanks()
    guard scanner.skip(UInt8(ascii: "=")) else { return nil }
    var specs: [Spec] = []
    repeat {
      scanner.skipBlanks()
      if scanner.next == UInt8(ascii: ",") { continue }
      if scanner.isAtEnd { break }
      let first = scanner.take(while: isDigit)
      scanner.skipBlanks()
      guard scanner.skip(UInt8(ascii: "-")) else { return nil }
      scanner.skipBlanks()
      let last = scanner.take(while: isDigit)
      scanner.skipBlanks()
      switch (ByteRanges.number(first), ByteRanges.number(last)) {
      case (let first?, nil): specs.append(.from(first, through: nil))
      case (nil, let last?): specs.append(.last(last))
      case (let first?, let last?):
        guard first <= last else { return nil }
        specs.append(.from(first, through: last))
      case (nil, nil): return nil
      }
    } while scanner.skip(UInt8(ascii: ","))
    guard scanner.isAtEnd, !specs.isEmpty else { return nil }
    self.specs = specs
  }

  package func selection(of length: Int) -> Selection {
    guard specs.count <= ByteRanges.most else { return .whole }
    var parts: [Range<Int>] = []
    for spec in specs {
      switch spec {
      case .from(let first, let last):
        guard first < length else { continue }
        parts.append(first..<(min(last ?? length - 1, length - 1) + 1))
      case .last(let count):
        guard count > 0, length > 0 else { continue }
        parts.append(max(length - count, 0)..<length)
      }
    }
    guard !parts.isEmpty else { return .unsatisfiable }
    guard parts.count > 1 else { return .parts(parts) }
    parts = ByteRanges.joined(parts)
    // Several ranges that together are the whole body cost more than the body itself.
    let total = parts.reduce(0) { $0 + $1.count }
    return parts.count > 1 && total >= length ? .whole : .parts(parts)
  }

  /// Overlapping ranges become one (RFC 9110 §15.3.7.2); without overlap the order asked for stays.
  private static func joined(_ parts: [Range<Int>]) -> [Range<Int>] {
    let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
    guard zip(sorted, sorted.dropFirst()).contains(where: { $0.overlaps($1) }) else {
      return parts
    }
    var out = [sorted[0]]
    for part in sorted.dropFirst() {
      let last = out[out.count - 1]
      if part.lowerBound < last.upperBound {
        out[out.count - 1] = last.lowerBound..<max(last.upperBound, part.upperBound)
      } else {
        out.append(part)
      }
    }
    return out
  }

  /// Numbers beyond `Int` are as good as the largest: they lie behind any body's end.
  private static func number(_ digits: String) -> Int? {
    digits.isEmpty ? nil : Int(digits) ?? Int.max
  }
}

/// The value of `Content-Range` (RFC 9110 §14.4).
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
  case part(Range<Int>, of: Int?)
  case unsatisfied(length: Int)

  package init?(_ field: String) {
    var scanner = FieldScanner(field)
    guard scanner.token()?.lowercased() == "bytes" else { return nil }
    scanner.skipBlanks()
    let isUnsatisfied = scanner.skip(UInt8(ascii: "*"))
    let first = Int(scanner.take(while: isDigit))
    let dash = scanner.skip(UInt8(ascii: "-"))
    let last = Int(scanner.take(while: isDigit))
    guard scanner.skip(UInt8(ascii: "/")) else { return nil }
    let isUnknown = scanner.skip(UInt8(ascii: "*"))
    let length = Int(scanner.take(while: isDigit))
    guard scanner.isAtEnd, isUnknown != (length != nil) else { return nil }
    if isUnsatisfied {
      guard first == nil, !dash, last == nil, let length else { return nil }
      self = .unsatisfied(length: length)
    } else {
      guard let first, dash, let last, first <= last, last < length ?? Int.max else { return nil }
      self = .part(first..<(last + 1), of: length)
    }
  }

  package var description: String {
    switch self {
    case .part(let range, let length):
      "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length.map(String.init) ?? "*")"
    case .unsatisfied(let length): "bytes */\(length)"
    }
  }
}
