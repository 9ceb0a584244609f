import Glibc
import Testing

/// The entry point of the test program. Without this file the package manager would first compile an index of
/// everything to look for XCTest cases, of which there are none.
@main enum AllTests {
  static func main() async {
    let arguments = CommandLine.arguments
    if arguments.contains("swift-testing") {
      if !arguments.contains("--no-parallel") { runOneByOne(arguments) }
      await Testing.__swiftPMEntryPoint() as Never
    }
    // `swift test` asks for the XCTest cases first. With an empty list it would stop, so it gets one that passes.
    if arguments.contains("--dump-tests-json") {
      print(#"{"name":"All tests","tests":[{"name":"carrel","tests":[]}]}"#)
    }
  }

  /// Starts again with `--no-parallel`: many tests measure time limits, and would measure each other.
  private static func runOneByOne(_ arguments: [String]) {
    let words = unsafe (arguments + ["--no-parallel"]).map { unsafe strdup($0) } + [nil]
    unsafe execv("/proc/self/exe", words)
  }
}
