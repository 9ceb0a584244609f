import Foundation
import TestSupport

/// A copy of this machine on which root may do as it likes, and the package that is tried on it.
enum MachineCopy {
  /// Whether this machine lets root have one, with a network of its own.
  static let isThere: Bool = {
    guard getuid() == 0 else { return false }
    let probe = Process()
    probe.executableURL = URL(filePath: "/usr/bin/unshare")
    probe.arguments = ["-m", "-n", "-p", "-f", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    probe.standardError = FileHandle.nullDevice
    guard (try? probe.run()) != nil else { return false }
    probe.waitUntilExit()
    return probe.terminationStatus == 0
  }()

  static var programs: String {
    URL(filePath: Mock.program("carrel")).deletingLastPathComponent().path()
  }

  /// The path of a package whose programs are stand-ins that become those of this build.
  static func package(_ version: String, in folder: TemporaryFolder) async throws -> String {
    let stand = folder.path("stand")
    try FileManager.default.createDirectory(atPath: stand, withIntermediateDirectories: true)
    for program in ["carrel", "carrel-book", "carrel-gateway", "carrel-mock"] {
      let script = "#!/bin/sh\nexec \"${BUILD_UNDER_TEST:-/opt/carrel-build}/\(program)\" \"$@\"\n"
      try folder.write(Array(script.utf8), to: "stand/\(program)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path("stand/\(program)"))
    }
    let built = try await run(
      DocPage.root.appending(path: "scripts/deb").path(), [],
      environment: [
        "BUILD": stand, "DEB_WORK": folder.path("deb-\(version)"), "DEB_VERSION": version,
        "BUILD_UNDER_TEST": programs,
      ], within: .seconds(120))
    guard built.end == .exited(0) else { throw TestSupportError(built.errorText) }
    return built.outputText.split(separator: "\n").last.map(String.init) ?? ""
  }
}
