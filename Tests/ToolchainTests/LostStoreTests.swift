import Foundation
import TestSupport
import Testing

/// Compiles a small program, as the products are compiled, with the toolchain that runs the tests.
@Suite struct `The optimizer's lost store` {
  @Test
  func `no tuple loses a part when compiled with the flags of the package manifest`() async throws {
    let flags = try Self.flags()
    #expect(flags.contains("-dse-memoryssa-scanlimit=0"))
    #expect(try await Self.shapes(compiledWith: flags).filter { $0.value != "right" } == [:])
  }

  @Test func `the tuple shapes that the architecture rules allow are right without the flags`()
    async throws
  {
    let shapes = try await Self.shapes(compiledWith: [])
    #expect(shapes["child-struct"] == "right" && shapes["awaited-before"] == "right")
  }

  /// Where this fails, the toolchain is repaired: the flags, the rules and this suite can go.
  @Test
  func `without the compiler flags this toolchain still loses parts of tuples`() async throws {
    let shapes = try await Self.shapes(compiledWith: [])
    #expect(shapes["child-tuple"] == "wrong")
  }

  private static let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The compiler's flags for every target: the first list of `.strict` in the manifest.
  private static func flags() throws -> [String] {
    let manifest = try String(
      contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)
    let strict = manifest.split(separator: "static var strict").last ?? ""
    let list = try #require(strict.firstMatch(of: /\.unsafeFlags\(\[([^\]]*)\]\)/)).output.1
    return list.split(separator: ",").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
    }
  }

  /// What the program prints: each shape with `right` or `wrong`.
  private static func shapes(compiledWith flags: [String]) async throws -> [String: String] {
    let folder = try TemporaryFolder()
    let source = checkout.appending(path: "Tests/ToolchainTests/Fixtures/LostStore.swift").path
    let compiled = try await run(
      "swiftc",
      ["-O", "-parse-as-library", "-swift-version", "6"] + flags
        + [source, "-o", folder.path("lost-store")],
      within: .seconds(120))
    try #require(compiled.end == .exited(0), "\(compiled.errorText)")
    let output = try await run(folder.path("lost-store"), [], within: .seconds(20))
    let rows = output.outputText.split(separator: "\n").map { $0.split(separator: " ") }
    try #require(rows.count == 5, "\(output.outputText) \(output.errorText)")
    return Dictionary(uniqueKeysWithValues: rows.map { (String($0[0]), String($0[1])) })
  }
}
