import Console
import Foundation
import Testing

@Suite struct `Programs we start` {
  @Test func `Programs we start end with their exit code`() {
    let environment = ["PATH": "/usr/bin:/bin"]
    #expect(Console.Process.run(["true"], environment: environment) == .exited(0))
    #expect(Console.Process.run(["sh", "-c", "exit 7"], environment: environment) == .exited(7))
    #expect(
      Console.Process.run(["sh", "-c", "kill -TERM $$"], environment: environment) == .killed(15))
  }

  @Test func `Programs we start see the variables they are given and no others`() {
    let check = "test \"$A\" = 'x y' && test -z \"$HOME\""
    #expect(Console.Process.run(["/bin/sh", "-c", check], environment: ["A": "x y"]) == .exited(0))
  }

  @Test func `Programs we start say when they cannot be started`() {
    let ending = Console.Process.run(["/no/such/program"], environment: [:])
    guard case .notStarted(let reason) = ending else {
      Issue.record("it started: \(ending)")
      return
    }
    #expect(reason == "No such file or directory")
  }
}

@Suite struct `Small files` {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path())
  }

  @Test func `Small files are written whole, with nothing beside them`() throws {
    try withFolder { folder in
      let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
      try Files.write([1], to: folder + "/a")
      try Files.write(bytes, to: folder + "/a")
      #expect(try [UInt8](Data(contentsOf: URL(filePath: folder + "/a"))) == bytes)
      #expect(Files.names(in: folder) == ["a"])
    }
  }

  @Test func `Small files are replaced behind a link, which stays`() throws {
    try withFolder { folder in
      try Files.write([1], to: folder + "/real")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: folder + "/real")
      try Files.write([2], to: folder + "/link")
      #expect(try [UInt8](Data(contentsOf: URL(filePath: folder + "/real"))) == [2])
      #expect(Files.names(in: folder) == ["link", "real"])
    }
  }

  @Test func `Small files get the folders they need`() throws {
    try withFolder { folder in
      try Files.makeFolder(folder + "/x/y")
      try Files.makeFolder(folder + "/x/y")
      try Files.write([], to: folder + "/x/y/z")
      #expect(Files.exists(folder + "/x/y/z"))
    }
  }
}
