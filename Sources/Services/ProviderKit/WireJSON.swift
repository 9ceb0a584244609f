package import JSON

/// Reading what a service sent the way it meant it: a truth value as a word, a number as a string,
/// a list that is left out when it is empty.
extension JSONValue {
  package var flag: Bool? {
    switch self {
    case .bool(let value): value
    case .string(let text) where text.lowercased() == "true": true
    case .string(let text) where text.lowercased() == "false": false
    default: nil
    }
  }

  package var whole: Int? { integer ?? string.flatMap { Int($0.filter { $0 != " " }) } }

  /// A text with something in it.
  package var words: String? {
    guard let trimmed = string?.trimmingBlanks, !trimmed.isEmpty else { return nil }
    return trimmed
  }

  package var elements: [JSONValue] { array ?? [] }
}

extension String {
  package var trimmingBlanks: String {
    // Nearly every text begins and ends in a letter, and then there is nothing to do.
    if let first = utf8.first, let last = utf8.last, Self.isInk(first), Self.isInk(last) {
      return self
    }
    let kept = drop { $0.isWhitespace }
    guard let last = kept.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(kept[...last])
  }

  /// ASCII and no blank; what lies beyond ASCII takes the long way.
  private static func isInk(_ byte: UInt8) -> Bool { (0x21..<0x7F).contains(byte) }
}
