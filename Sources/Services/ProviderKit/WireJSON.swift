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
