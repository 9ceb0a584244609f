import Foundation
import Testing

@testable import Commands

@Suite struct `An installed program` {
  @Test(arguments: ["bin/carrel", "libexec/carrel/carrel-book", "libexec/carrel/carrel-gateway"])
  func `An installed program knows its commit, wherever its parts lie`(program: String) throws {
    let prefix = FileManager.default.temporaryDirectory
      .appending(path: "carrel-release-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: prefix) }
    let share = prefix.appending(path: "share/carrel")
    try FileManager.default.createDirectory(at: share, withIntermediateDirectories: true)
    try Data("0123456789abcdef0123456789abcdef01234567\n".utf8).write(
      to: share.appending(path: "commit"))
    let release = Release(executable: prefix.appending(path: program).path)
    #expect(release.commit == "0123456789abcdef0123456789abcdef01234567")
  }

  @Test func `An installed program leaves the commit out when nobody wrote it down`() {
    #expect(Release(executable: "/nowhere/bin/carrel").commit == nil)
    #expect(Release(executable: nil).commit == nil)
  }
}
