/// One setting that cannot stand as it is written: which, where, and what would be right. A value
/// is never repeated, since it may be a password in the wrong line.
package struct YamlFault: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Reason: Sendable, Hashable {
    case missing
    /// `expected` in words, as in "a whole number from 1 to 65535".
    case unfit(expected: String, found: YamlNode.Kind)
    /// `known` in the order the reader asked for them; the nearest is the likely meaning.
    case unknownKey(String, known: [String])
    case refused(String)
  }

  package let reason: Reason
  package let path: YamlPath
  package let position: YamlPosition

  package init(_ reason: Reason, path: YamlPath, at position: YamlPosition) {
    (self.reason, self.path, self.position) = (reason, path, position)
  }

  package var description: String { "\(position): \(sentence)" }

  /// The fault without its position, for callers that print the position their own way.
  package var sentence: String {
    let name = path.steps.isEmpty ? "the document" : "\(path)"
    return switch reason {
    case .missing: "\(name) is missing"
    case .unfit(let expected, .null): "\(name) must be \(expected), and nothing is given"
    case .unfit(let expected, _): "\(name) must be \(expected)"
    case .unknownKey(let key, _): "unknown key \(shown(key))"
    case .refused(let why): "\(name) \(why)"
    }
  }
}

/// All that is wrong with a document, in the order of its lines: nobody likes to be told one fault
/// per attempt.
package struct YamlFaults: Error, Sendable, Hashable, CustomStringConvertible {
  package let faults: [YamlFault]

  package var description: String { faults.map(\.description).joined(separator: "\n") }
}
