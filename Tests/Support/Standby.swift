import Foundation

/// A server that follows another one, on a port of its own in the same folder.
package final class Standby: Sendable {
  package let address: String
  private let end: @Sendable () async throws -> Void

  init(address: String, end: @escaping @Sendable () async throws -> Void) {
    (self.address, self.end) = (address, end)
  }

  package func stop() async throws { try await end() }
}

extension PostgresCluster {
  /// Lends a standby of the server, with the same database in it.
  package func withStandby<R>(
    of address: String, _ body: (Standby) async throws -> R
  ) async throws -> R {
    let place = "\(folder)/standby"
    let socket = "-p 5433 -c hot_standby_feedback=on -c wal_receiver_status_interval=1"
    try await asServer(
      "pg_basebackup",
      ["-h", folder, "-U", "carrel", "-D", place, "-R", "-X", "stream", "-c", "fast"])
    try await asServer(
      "pg_ctl", ["-D", place, "-l", "\(folder)/standby.log", "-o", socket, "-w", "start"])
    let standby = Standby(address: address + "&port=5433") {
      try await self.asServer("pg_ctl", ["-D", place, "-m", "immediate", "-w", "stop"])
    }
    do {
      let result = try await body(standby)
      try? await standby.stop()
      return result
    } catch {
      try? await standby.stop()
      throw error
    }
  }

  /// Runs one of the server's own programs, as the user that the server runs as.
  private func asServer(_ program: String, _ words: [String]) async throws {
    var command = ["\(binaries)/\(program)"] + words
    if geteuid() == 0 {
      command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] + command
    }
    // What a server writes to its streams must not keep us waiting for its end.
    let finished = try await run(
      "/bin/sh", ["-c", #""$@" >/dev/null 2>&1 </dev/null"#, "standby"] + command,
      within: .seconds(60))
    guard finished.end == .exited(0) else {
      throw TestSupportError("\(program) failed: \(finished.errorText)")
    }
  }
}
