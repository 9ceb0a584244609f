/// All that is wrong with a configuration, told at once: nobody likes to mend a file ten times.
package struct ConfigurationError: Error, Sendable, Hashable {
  package let faults: [ConfigurationFault]

  package init(_ faults: [ConfigurationFault]) { self.faults = faults }
}

/// One thing that is wrong, and where.
package struct ConfigurationFault: Sendable, Hashable, CustomStringConvertible {
  package enum Place: Sendable, Hashable {
    case file(String, line: Int, column: Int)
    case variable(String)
    case flag(String)
    /// Settings that do not go together, wherever each came from.
    case whole

    package var description: String {
      switch self {
      case .file(let path, let line, let column): "\(path):\(line):\(column)"
      case .variable(let name): name
      case .flag(let name): name
      case .whole: "settings"
      }
    }
  }

  package let place: Place
  package let key: String?
  package let message: String
  package let suggestion: String?

  package init(_ place: Place, key: String?, _ message: String, suggestion: String? = nil) {
    (self.place, self.key, self.message, self.suggestion) = (place, key, message, suggestion)
  }

  package var description: String {
    "\(place.description): \(message)" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }
}
