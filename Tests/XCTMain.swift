import Testing

/// Where the program of all tests begins. If this file were not there, the package manager would look
/// for tests of another kind than ours in an index of everything, which the compiler had to write first.
@main enum AllTests {
  static func main() async {
    if CommandLine.arguments.contains("swift-testing") {
      await Testing.__swiftPMEntryPoint() as Never
    }
    // `swift test` asks for a list of the other kind's tests first, and would then run none of ours.
    guard CommandLine.arguments.contains("--dump-tests-json") else {
      fatalError("Start the tests by scripts/test, or by swift test --enable-swift-testing.")
    }
    print(#"{"name":"All tests","tests":[{"name":"carrel","tests":[]}]}"#)
  }
}
