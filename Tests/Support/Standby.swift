import Foundation

/// A server that follows another one, on a port of its own in the same folder.
package final class Standby: Sendable {
  package let address: String
  private let control: @Sendable ([String]) async throws -> Void

  init(address: String, control: @escaping @Sendable ([String]) async throws -> Void) {
    (self.address, self.control) = (address, control)
  }

  package func stop() async throws { try await control(["-m", "immediate", "-w", "stop"]) }

  /// From now on it is a server of its own.
  package func promote() async throws { try await control(["-w", "promote"]) }
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
    let standby = Standby(address: address + "&port=5433") { words in
      try await self.asServer("pg_ctl", ["-D", place] + words)
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
