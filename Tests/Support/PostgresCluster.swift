import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, reached through a Unix
/// socket in there, and nowhere else.
///
/// A small shell script runs it and waits on its standard input. When this process ends, however it
/// ends, the pipe closes; the script then stops the server and removes the folder.
package final class PostgresCluster: Sendable {
  package let folder: String
  private let script: RunningProcess
  let binaries: String
  private let databases = Mutex(Databases())

  private struct Databases {
    var made = 0
    var free: [String] = []
    var waiters: [CheckedContinuation<String, Never>] = []
  }

  /// Tests all start at once; a server with a database for each of them would be slower, not faster.
  private static let limit = 8

  /// The cluster all tests share; started by the first that asks.
  package static func shared() async throws -> PostgresCluster { try await theShared.value }

  private static let theShared = Task { try await PostgresCluster() }

  /// A cluster for a test that wants to stop or restart it. Call `end` when done.
  package init() async throws {
    binaries = try Self.findBinaries()
    var template = Array("/tmp/carrel-pg-XXXXXX".utf8CString)
    guard let made = unsafe mkdtemp(&template) else { throw TestSupportError("mkdtemp failed") }
    folder = unsafe String(cString: made)
    var command = ["sh", "-c", Self.life, "postgres-for-tests", binaries, folder]
    // The server refuses to run as root.
    if geteuid() == 0 {
      guard let user = unsafe getpwnam("postgres") else {
        throw TestSupportError("PostgreSQL for the tests needs the user \"postgres\" when root")
      }
      unsafe chown(folder, user.pointee.pw_uid, user.pointee.pw_gid)
      command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] + command
    }
    script = try RunningProcess(command[0], Array(command.dropFirst()))
    try await expectDone()
  }

  /// Lends an empty database by its address. It is emptied and lent again afterwards, so a test must
  /// keep to the schema `public`, and take one database only.
  package func withDatabase<R>(_ body: (String) async throws -> R) async throws -> R {
    let address = try await take()
    do {
      let result = try await body(address)
      try await giveBack(address)
      return result
    } catch {
      try? await giveBack(address)
      throw error
    }
  }

  private func take() async throws -> String {
    let number = databases.withLock { databases in
      guard databases.free.isEmpty, databases.made < Self.limit else { return 0 }
      databases.made += 1
      return databases.made
    }
    if number > 0 {
      try await query("CREATE DATABASE test_\(number) TEMPLATE template0")
      return "postgresql://carrel@/test_\(number)?host=\(folder)"
    }
    return await withCheckedContinuation { continuation in
      let free = databases.withLock { databases -> String? in
        guard databases.free.isEmpty else { return databases.free.removeFirst() }
        databases.waiters.append(continuation)
        return nil
      }
      if let free { continuation.resume(returning: free) }
    }
  }

  private func giveBack(_ address: String) async throws {
    defer {
      let waiter = databases.withLock { databases in
        if !databases.waiters.isEmpty { return databases.waiters.removeFirst() as Optional }
        databases.free.append(address)
        return nil
      }
      waiter?.resume(returning: address)
    }
    try await query(
      """
      SET client_min_messages = error;
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid();
      DROP SCHEMA public CASCADE; CREATE SCHEMA public
      """, in: address)
  }

  /// Runs a statement as the superuser and returns what `psql` prints, without decoration.
  @discardableResult
  package func query(_ sql: String, in address: String? = nil) async throws -> String {
    let result = try await run(
      "\(binaries)/psql",
      [
        "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql,
        address ?? "postgresql://carrel@/postgres?host=\(folder)",
      ])
    guard result.end == .exited(0) else { throw TestSupportError("psql: \(result.errorText)") }
    return result.outputText.trimmingCharacters(in: .newlines)
  }

  /// As if the power had failed: connections break, running transactions are lost.
  package func stop() async throws {
    try script.write("stop\n")
    try await expectDone()
  }

  package func start() async throws {
    try script.write("start\n")
    try await expectDone()
  }

  package func restart() async throws {
    try await stop()
    try await start()
  }

  package func end() async throws {
    script.closeInput()
    _ = try await script.waitForEnd()
  }

  private func expectDone() async throws {
    guard try await script.nextLine(within: .seconds(120)) == "done" else {
      throw TestSupportError("the PostgreSQL server of the tests failed: \(script.errorText())")
    }
  }

  private static func findBinaries() throws -> String {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let newest = versions.filter { version in
      FileManager.default.isExecutableFile(atPath: "\(root)/\(version)/bin/initdb")
    }.max { (Int($0) ?? 0) < (Int($1) ?? 0) }
    guard let newest else {
      throw TestSupportError(
        "PostgreSQL is not installed, and the tests need it: apt-get install postgresql")
    }
    return "\(root)/\(newest)/bin"
  }

  /// Nothing here has to survive a power cut, so nothing waits for the disk; but a commit does survive
  /// a stop of the server.
  private static let life = """
    bin=$1 dir=$2
    trap '' INT TERM HUP PIPE
    cd "$dir" || exit 1
    down() { "$bin/pg_ctl" -D data -m immediate -w stop >>log 2>&1 </dev/null; }
    up() { "$bin/pg_ctl" -D data -l log -w -t 100 start >>log 2>&1 </dev/null; }
    answer() { if "$@"; then echo done; else tail -n 20 log >&2; echo failed; fi; }
    if "$bin/initdb" -D data -U carrel -A trust -E UTF8 --locale=C --no-sync >log 2>&1; then
      cat >>data/postgresql.conf <<END
    listen_addresses = ''
    unix_socket_directories = '$dir'
    fsync = off
    full_page_writes = off
    autovacuum = off
    max_connections = 300
    shared_buffers = 32MB
    max_wal_size = 256MB
    END
      answer up
    else
      tail -n 20 log >&2; echo failed
    fi
    while read -r word; do
      case $word in
        stop) answer down ;;
        start) answer up ;;
      esac
    done
    down
    cd / && rm -rf "$dir"
    """
}
