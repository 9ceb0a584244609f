import Foundation
import TestSupport
import Testing

/// The guides for operators, typed on copies of this machine by root: the package, the service, TLS, backups and
/// monitoring; PostgreSQL, and a second gateway.
@Suite(.timeLimit(.minutes(10)), .serialized) struct `The guides for operators` {
  private static var pages: [String] {
    DocPage.all.filter { (try? DocPage($0))?.stage == .machine }
  }

  @Test func `are two`() { #expect(Self.pages == ["docs/operate.md", "docs/scale.md"]) }

  @Test(
    .enabled(if: MachineCopy.isThere, "it needs root, for a copy of the machine to work on"),
    arguments: pages)
  func `lead from an empty machine to what they promise`(_ path: String) async throws {
    let page = try DocPage(path)
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
    if path == "docs/operate.md" {
      #expect(seen.contains(/carrel-[0-9TZ]+\.backup/), "\(seen)")
    }
  }
}
