/// How much a line matters. A warning means that a person should look; an expected refusal is info.
package enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
  case error, warn, info, debug

  package init?(named name: String) {
    guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  package var name: String {
    switch self {
    case .error: "error"
    case .warn: "warn"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The journal's own number for it (sd-daemon(3)).
  var journalPriority: Int {
    switch self {
    case .error: 3
    case .warn: 4
    case .info: 6
    case .debug: 7
    }
  }

  package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
}
