import Glibc
import Testing

/// The entry point of the test program. Without this file the package manager would first compile an index of
/// everything to look for XCTest cases, of which there are none.
@main enum AllTests {
  static func main() async {
    let arguments = CommandLine.arguments
    // Plain `swift test` asks for the XCTest cases. With an empty list it would stop, so it gets one that passes.
    guard !arguments.contains("--dump-tests-json") else {
      print(#"{"name":"All tests","tests":[{"name":"carrel","tests":[]}]}"#)
      return
    }
    guard arguments.contains("swift-testing"), arguments.contains("--no-parallel") else {
      // Then it starts the XCTest cases and, beside an entry point like this one, nothing else.
      let isTesting = arguments.contains("swift-testing")
      return startAgain(
        isTesting ? arguments : [arguments[0], "--testing-library", "swift-testing"])
    }
    await Testing.__swiftPMEntryPoint() as Never
  }

  /// Runs one test after the other: many measure time limits, and would measure each other.
  private static func startAgain(_ arguments: [String]) {
    let words = unsafe (arguments + ["--no-parallel"]).map { unsafe strdup($0) } + [nil]
    unsafe execv("/proc/self/exe", words)
  }
}
