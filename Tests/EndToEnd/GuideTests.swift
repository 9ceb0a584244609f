import Foundation
import TestSupport
import Testing

/// The guide for operators, typed on a copy of this machine by root: the package, the service, TLS, backups and
/// monitoring.
@Suite(.timeLimit(.minutes(5))) struct `The guide for operators` {
  @Test(.enabled(if: MachineCopy.isThere, "it needs root, for a copy of the machine to work on"))
  func `leads from an empty machine to a gateway with TLS, backups and monitoring`() async throws {
    let page = try DocPage("docs/operate.md")
    #expect(page.stage == .machine)
    let folder = try TemporaryFolder()
    let package = try await MachineCopy.package("0.1.0", in: folder)
    try FileManager.default.createDirectory(
      atPath: folder.path("machine"), withIntermediateDirectories: false)
    let typed = try await run(
      "unshare",
      [
        "-m", "-n", "-p", "-f",
        DocPage.root.appending(path: "Tests/Packaging/try-guide").path(), package,
        MachineCopy.programs, folder.path("machine"),
      ], input: Array(page.script.utf8), within: .seconds(240))
    #expect(typed.end == .exited(0), "\(typed.outputText)\(typed.errorText)")
    let seen = typed.outputText
    #expect(seen.contains(/carrel-[0-9TZ]+\.backup/), "\(seen)")
  }
}
