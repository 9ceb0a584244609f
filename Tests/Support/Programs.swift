import Foundation

/// The programs that tests start: those installed under `TEST_PREFIX`, which scripts/test sets, or else
/// those that were built together with the tests.
package enum Programs {
  private static let prefix = ProcessInfo.processInfo.environment["TEST_PREFIX"]

  /// Where `carrel` and `carrel-mock` are, for a PATH.
  package static var folder: String {
    guard let prefix else {
      return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path()
    }
    return prefix + "/bin"
  }

  package static func path(_ name: String) -> String {
    let isInner = ["carrel-book", "carrel-gateway", "carrel-picture"].contains(name)
    guard let prefix, isInner else { return "\(folder)/\(name)" }
    return "\(prefix)/libexec/carrel/\(name)"
  }
}
