import Circulation

/// How much of a stranger's feed is kept. What is over is left out and said so where it is a title.
enum Limits {
  static let entries = 5000
  static let links = 200
  static let people = 200
  static let subjects = 100
  static let facets = 500
  static let name = 1000
  static let summary = 64 << 10
  static let depth = 8
}

extension String {
  /// Only where it has to be.
  func bounded(_ limit: Int = Limits.name) -> String { limited(to: limit) }
}
