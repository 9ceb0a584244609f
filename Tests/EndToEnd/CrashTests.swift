import Foundation
import JourneySupport
import TestSupport
import Testing

/// Programs as `make install` leaves them: stripped, with the names of their functions beside them.
@Suite(.timeLimit(.minutes(5))) struct `A gateway that crashes` {
  /// As `make install` leaves it.
  private func install(into folder: TemporaryFolder) async throws -> String {
    let prefix = folder.path("usr")
    let installed = try await run(
      DocPage.root.appending(path: "scripts/install").path(), [prefix], within: .seconds(120))
    try #require(installed.end == .exited(0), "\(installed.errorText)")
    return prefix
  }

  /// A Swift trap raises SIGILL on x86 and SIGTRAP on ARM.
  @Test(arguments: [
    (SIGSEGV, "SIGSEGV"), (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"), (SIGABRT, "SIGABRT"),
  ])
  func `A gateway that crashes names the functions on its stack, and shows none of its memory`(
    signal: Int32, name: String
  ) async throws {
    let folder = try TemporaryFolder()
    let prefix = try await install(into: folder)
    let names = try await run("nm", ["\(prefix)/libexec/carrel/carrel-gateway"])
    #expect(names.outputText.isEmpty, "the program is not stripped")
    #expect(names.errorText.contains("no symbols"))

    let secret = "MARKER-mail-password"
    try folder.write(Array(secret.utf8), to: "password")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("password"))
    let variables = Stage.variables.merging([
      "CARREL_MAIL_SERVER": "mail.example.org", "CARREL_MAIL_FROM": "carrel@example.org",
      "CARREL_MAIL_USERNAME": "carrel", "CARREL_MAIL_PASSWORD_FILE": folder.path("password"),
    ]) { $1 }
    let gateway = try RunningProcess(
      "\(prefix)/bin/carrel", ["--home", folder.path("home"), "serve", "--port", "0"],
      environment: variables)
    _ = try #require(try await gateway.nextLine(), "\(gateway.errorText())")
    // A thread that just begins has no function of ours on its stack.
    try gateway.sendToMainThread(signal)
    #expect(try await gateway.waitForEnd() == .signalled(signal))

    let text = gateway.errorText()
    let report = try #require(text.range(of: "carrel-gateway crashed: \(name)"), "\(text)")
    let lines = text[report.lowerBound...].split(separator: "\n")
    #expect(lines.count > 2)
    #expect(lines[0].contains(/\(thread [^ ]+, build [0-9a-f]{40}\)$/))
    let isNamed = { (line: Substring) in
      line.contains(/[^ ] \+ [0-9]+ in carrel-gateway\+0x[0-9a-f]+$/)
    }
    #expect(lines.contains(where: isNamed), "\(text)")
    for line in lines.dropFirst() where !line.hasSuffix("unknown") {
      #expect(line.contains(/^[ ]{2}[0-9]+ (.+ in )?[^ ]+\+0x[0-9a-f]+$/), "\(line)")
    }
    #expect(!text.contains(secret))
    #expect(!text.contains(/0x[0-9a-f]{9,}/), "an address in memory")
  }

  @Test func `A gateway that crashes writes to the journal with priority critical`() async throws {
    let folder = try TemporaryFolder()
    let prefix = try await install(into: folder)
    // What systemd sets for a service whose error stream is the journal.
    let started = "JOURNAL_STREAM=$(stat -L -c %d:%i /dev/stderr) exec \"$@\""
    let gateway = try RunningProcess(
      "/bin/sh",
      ["-c", started, "sh", "\(prefix)/bin/carrel", "--home", folder.path("home"), "serve"]
        + ["--port", "0"],
      environment: Stage.variables)
    _ = try #require(try await gateway.nextLine(), "\(gateway.errorText())")
    try gateway.sendToMainThread(SIGSEGV)
    #expect(try await gateway.waitForEnd() == .signalled(SIGSEGV))
    let lines = gateway.errorText().split(separator: "\n")
    let report = lines.drop { !$0.contains("carrel-gateway crashed: SIGSEGV") }
    #expect(report.count > 2 && report.allSatisfy { $0.hasPrefix("<2>") }, "\(lines)")
  }
}
