import Foundation
import JourneySupport
import TestSupport
import Testing

/// A minimal Debian 12 on which root may do as it likes, and the package that is tried on it.
enum EmptyMachine {
  /// Whether this machine lets root have one, with a network of its own.
  static let isPossible: Bool = {
    guard getuid() == 0 else { return false }
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/unshare")
    probe.arguments = ["-m", "-n", "-p", "-f", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    probe.standardError = FileHandle.nullDevice
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()

  static let needs: Comment = "it needs root, for an empty Debian to install into"

  /// Made once and kept with what is built; tests work on copies.
  static let root = DocPage.root.appending(path: ".build/empty-machine").path()

  /// The path of a package of the programs that ship: made once, and not packed tightly, which would take
  /// minutes.
  static func package(_ version: String = "0.1.0") async throws -> String {
    try await (version == "0.1.0" ? first : second).value
  }

  private static let first = Task { try await makePackage("0.1.0") }
  private static let second = Task { try await makePackage("0.1.1") }

  private static func makePackage(_ version: String) async throws -> String {
    let built = try await run(
      DocPage.root.appending(path: "scripts/deb").path(), [],
      environment: [
        "DEB_VERSION": version, "DEB_PACKING": "-Zgzip -z1",
        "DEB_WORK": DocPage.root.appending(path: ".build/deb-\(version)").path(),
      ], within: .seconds(180))
    guard built.end == .exited(0) else { throw TestSupportError(built.errorText) }
    return built.outputText.split(separator: "\n").last.map(String.init) ?? ""
  }

  /// Makes the empty machine where there is none yet, with all that any test installs there.
  static func prepare(for package: String) async throws {
    let made = try await run(
      script("empty-machine"), [root, package, "nginx-light", "curl", "postgresql"],
      within: .seconds(600))
    guard made.end == .exited(0) else {
      throw TestSupportError("no empty machine: \(made.outputText)\(made.errorText)")
    }
  }

  static func script(_ name: String) -> String {
    DocPage.root.appending(path: "Tests/Packaging/\(name)").path()
  }

  /// Types these lines there, as root, beside the package.
  static func type(
    _ lines: String, with package: String, in folder: TemporaryFolder
  ) async throws -> FinishedProcess {
    try await prepare(for: package)
    try FileManager.default.createDirectory(
      atPath: folder.path("machine"), withIntermediateDirectories: false)
    return try await run(
      "unshare",
      [
        "-m", "-n", "-p", "-f", script("on-empty-machine"), root, package, folder.path("machine"),
      ], input: Array(lines.utf8), within: .seconds(280))
  }
}
