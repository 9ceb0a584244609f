import Foundation
import Testing

@testable import Machine

@Suite struct `A temporary folder` {
  @Test func `a temporary folder is deleted with its contents, but not what links point to`()
    throws
  {
    let made = TemporaryFolder()
    let outside = try #require(made)
    try Data([1]).write(to: URL(fileURLWithPath: outside.path + "/kept"))
    var inside = TemporaryFolder()
    let path = try #require(inside?.path)
    let files = FileManager.default
    try files.createDirectory(atPath: path + "/a/b", withIntermediateDirectories: true)
    try Data([1]).write(to: URL(fileURLWithPath: path + "/a/b/c"))
    try files.createSymbolicLink(atPath: path + "/link", withDestinationPath: outside.path)
    #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
    inside = nil
    #expect(!files.fileExists(atPath: path))
    #expect(files.fileExists(atPath: outside.path + "/kept"))
  }

  @Test func `A temporary folder is refused where none can be made`() {
    #expect(TemporaryFolder(in: "/nowhere/at/all") == nil)
  }
}
