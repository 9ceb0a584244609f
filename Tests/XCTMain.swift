import Testing

/// Where the program of all tests begins. If this file were not there, the package manager would look
/// for tests of another kind than ours in an index of everything, which the compiler had to write first.
@main enum AllTests {
  static func main() async {
    // Started twice by `swift test`: there are no tests of the other kind.
    guard CommandLine.arguments.contains("swift-testing") else { return }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
