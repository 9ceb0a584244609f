import Foundation
import TestSupport

/// The real program in a folder of its own, with no variable of ours but PATH.
final class Shell: Sendable {
  struct Ending: Sendable {
    let code: Int32
    let output: String
    let error: String
  }

  let home: URL

  init() throws {
    home = FileManager.default.temporaryDirectory.appending(path: "carrel-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  static var program: URL { URL(filePath: Programs.path("carrel")) }

  func path(_ name: String) -> String { home.appending(path: name).path() }

  func write(_ text: String, to name: String) throws {
    let file = home.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func read(_ name: String) throws -> String {
    try String(decoding: Data(contentsOf: home.appending(path: name)), as: UTF8.self)
  }

  func carrel(_ words: String..., variables: [String: String] = [:]) throws -> Ending {
    try run(Self.program.path(), words, variables)
  }

  func carrel(_ words: [String], variables: [String: String] = [:]) throws -> Ending {
    try run(Self.program.path(), words, variables)
  }

  /// A line of shell in which `carrel` is found.
  func sh(_ line: String, variables: [String: String] = [:]) throws -> Ending {
    try run("/bin/bash", ["-c", line], variables)
  }

  func run(_ program: String, _ words: [String], _ variables: [String: String]) throws -> Ending {
    let folder = Self.program.deletingLastPathComponent().path()
    var environment = ["PATH": "\(folder):/usr/bin:/bin", "HOME": home.path(), "LC_ALL": "C.UTF-8"]
    environment.merge(variables) { $1 }
    let outputFile = home.appending(path: ".output-\(UUID().uuidString)")
    let errorFile = home.appending(path: ".error-\(UUID().uuidString)")
    for file in [outputFile, errorFile] {
      _ = FileManager.default.createFile(atPath: file.path(), contents: nil)
    }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = words
    process.environment = environment
    process.currentDirectoryURL = home
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    return Ending(
      code: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      error: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}
