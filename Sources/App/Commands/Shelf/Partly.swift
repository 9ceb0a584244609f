import Items
import TextSafety

/// Some failed: what worked was shown, and the exit code says that it was not all.
enum Partly {
  static func check(_ failed: [ErrorItem], of count: Int, _ what: String) throws(CommandError) {
    guard let first = failed.first else { return }
    // When all failed the same way, its own code says more than "partly".
    if failed.count == count, Set(failed.map(\.code)).count == 1 { throw CommandError(first) }
    var error = CommandError(
      .partlyFailed, "\(failed.count) of \(count) \(what) failed", try: "carrel account check")
    error.details = failed.map { "  " + CommandError($0).message }
    throw error
  }
}
