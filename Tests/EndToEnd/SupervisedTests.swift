import Foundation
import JourneySupport
import TestSupport
import Testing

/// What systemd expects of a service, played by programs of systemd and by a script.
@Suite(.timeLimit(.minutes(2))) struct `A gateway under a service manager` {
  @Test
  func `a gateway under a service manager reports its state and marks its journal lines`()
    async throws
  {
    let folder = try TemporaryFolder()
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "supervise.py").path()
    let ended = try await run(
      "python3",
      [
        script, folder.path, Mock.program("carrel"), "--home", folder.path("home"), "serve",
        "--port", "0",
      ], environment: Stage.variables)
    let said = ended.outputText.split(separator: "\n").map(String.init)
    try #require(said.count == 9, "\(said) \(ended.errorText)")
    #expect(said[0] == "READY=1")
    #expect(said[1].hasPrefix("STATUS=serving on http://127.0.0.1:"))
    #expect(said[2...6] == ["WATCHDOG=1", "WATCHDOG=1", "RELOADING=1", "READY=1", "STOPPING=1"])
    #expect(said[7] == "exit 0")
    #expect(said[8] == "log <6>")
  }

  @Test func `A gateway under a service manager answers at the address that systemd opened for it`()
    async throws
  {
    let folder = try TemporaryFolder()
    let port = try sparePort()
    let gateway = try RunningProcess(
      "systemd-socket-activate",
      [
        "-l", "127.0.0.1:\(port)", Mock.program("carrel"), "--home", folder.path("home"), "serve",
        "--port", "9",
      ], environment: Stage.variables)
    // The first who asks wakes it, and waits for nothing but its start.
    try await eventually("the gateway") {
      try await run("curl", ["-s", "http://127.0.0.1:\(port)/readyz"]).outputText == "ready\n"
    }
    gateway.send(SIGTERM)
    let end = try await gateway.waitForEnd()
    #expect(end == .exited(0), "\(gateway.errorText())")
  }
}
