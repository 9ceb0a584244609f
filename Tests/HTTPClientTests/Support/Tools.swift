import Foundation

struct ToolFailure: Error { let words: [String] }

/// Runs a tool of the system to its end.
func run(_ words: String...) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw ToolFailure(words: words) }
}
