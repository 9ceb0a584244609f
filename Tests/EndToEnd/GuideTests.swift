import Foundation
import JourneySupport
import TestSupport
import Testing

/// The guides for operators, typed by root on an empty Debian: the package, the service, TLS, backups and
/// monitoring; PostgreSQL, and a second gateway.
@Suite(.timeLimit(.minutes(10)), .serialized) struct `The guides for operators` {
  private static var pages: [String] {
    DocPage.all.filter { (try? DocPage($0))?.stage == .machine }
  }

  @Test func `The guides for operators are two`() {
    #expect(Self.pages == ["docs/operate.md", "docs/scale.md"])
  }

  @Test(
    .enabled(if: EmptyMachine.isPossible, EmptyMachine.needs),
    arguments: pages)
  func `The guides for operators lead from an empty machine to what they promise`(_ path: String)
    async throws
  {
    let page = try DocPage(path)
    let folder = try TemporaryFolder()
    let package = try await EmptyMachine.package()
    let typed = try await EmptyMachine.type(page.script, with: package, in: folder)
    #expect(typed.end == .exited(0), "\(typed.outputText)\(typed.errorText)")
    let seen = typed.outputText
    if path == "docs/operate.md" {
      #expect(seen.contains(/carrel-[0-9TZ]+\.backup/), "\(seen)")
    }
  }
}
