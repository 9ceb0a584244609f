import Foundation
import JourneySupport
import TestSupport
import Testing

/// What a demo started and wrote goes with it, however it ends.
@Suite(.timeLimit(.minutes(5))) struct `A demo that is killed` {
  @Test(arguments: [SIGTERM, SIGINT, SIGSEGV, SIGKILL])
  func `a killed demo leaves no mock libraries running and no temporary folder`(
    _ signal: Int32
  ) async throws {
    let parent = try TemporaryFolder()
    let variables = Stage.variables.merging(["TMPDIR": parent.path]) { $1 }
    let demo = try RunningProcess(
      Mock.program("carrel"), ["demo", "--port", "0"], environment: variables)
    // By then a card is linked at each library.
    while let line = try await demo.nextLine() {
      if line.hasSuffix("$ carrel sync") { break }
    }
    let folders = { try FileManager.default.contentsOfDirectory(atPath: parent.path) }
    #expect(try folders().count == 1)
    let mock = try #require(try Self.child("carrel-mock", of: demo.pid))
    // Not its whole group, as a terminal would: the others have to notice.
    #expect(kill(demo.pid, signal) == 0)
    _ = try await demo.waitForEnd()
    try await eventually("the end of the mock libraries") { !Self.isRunning(mock) }
    try await eventually("the end of the folder") { try folders().isEmpty }
    #expect(demo.errorText().contains("carrel-gateway crashed: SIGSEGV") == (signal == SIGSEGV))
  }

  private static func child(_ name: String, of parent: Int32) throws -> Int32? {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    return names.compactMap { Int32($0) }.first { number in
      guard let status = status(of: number) else { return false }
      return status.contains("(\(name)) ")
        && status.components(separatedBy: ") ").last?.split(separator: " ")[1] == "\(parent)"
    }
  }

  /// One that has ended and that nobody waited for does not run.
  private static func isRunning(_ number: Int32) -> Bool {
    guard let status = status(of: number) else { return false }
    return status.components(separatedBy: ") ").last?.first != "Z"
  }

  private static func status(of number: Int32) -> String? {
    try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
  }
}
