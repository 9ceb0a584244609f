/// All that is wrong with a configuration, told at once: nobody likes to mend a file ten times.
package struct ConfigurationError: Error, Sendable, Hashable {
  /// By file, line and column; those outside any file come last.
  package let faults: [ConfigurationFault]

  package init(_ faults: [ConfigurationFault]) {
    self.faults = faults.enumerated().sorted { one, other in
      let places = (one.element.place, other.element.place)
      guard case .file(let path, let line, let column) = places.0 else {
        if case .file = places.1 { return false }
        return one.offset < other.offset
      }
      guard case .file(let otherPath, let otherLine, let otherColumn) = places.1 else {
        return true
      }
      return (path, line, column, one.offset) < (otherPath, otherLine, otherColumn, other.offset)
    }.map(\.element)
  }
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

  /// What a gateway does about a fault.
  package enum Effect: String, Sendable, Hashable {
    case stopsStart = "stops_start"
    /// The library cannot be used until the fault is fixed; everything else works.
    case disablesLibrary = "disables_library"
    /// The library works, but makes no tokens for Adobe's programs.
    case disablesAdobe = "disables_adobe"
  }

  package let place: Place
  package let key: String?
  package let message: String
  package let suggestion: String?
  package let effect: Effect
  /// The library whose settings have the fault, by its name there.
  package let library: String?

  package init(
    _ place: Place, key: String?, _ message: String, suggestion: String? = nil,
    effect: Effect = .stopsStart, library: String? = nil
  ) {
    (self.place, self.key, self.message, self.suggestion) = (place, key, message, suggestion)
    (self.effect, self.library) = (effect, library)
  }

  package var description: String {
    "\(place.description): \(message)" + (suggestion.map { "; did you mean '\($0)'?" } ?? "")
  }
}
