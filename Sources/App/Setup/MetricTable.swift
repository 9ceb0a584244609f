package import Metrics

/// Every metric there is. What is exported, what is documented and what dashboards may ask for is held
/// to this table by tests.
package enum MetricTable {
  package typealias Label = MetricFamily.Label

  private static let provider = Label("provider", "the kind of service, as in carrel provider list")
  private static let operation = Label("operation", "what was asked of it, such as shelf or renew")
  private static let library = Label("library", "a library of the settings, by its name there")
  private static let kind = Label("kind", "the kind of work, such as sync or harvest")
  private static let folder = Label(
    "folder", "data, cache, or database where a SQLite file lies elsewhere")
  private static let pool = Label("pool", "all; with SQLite readers and writer")

  // MARK: - Requests

  package static let requestDuration = MetricFamily(
    "carrel_http_request_duration_seconds", .histogram,
    "How long requests took, from their head to the last byte of the answer.",
    labels: [
      Label("route", "the pattern of a route, never a path; unmatched and refused besides"),
      Label("method", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS or other"),
      Label("status", "the status of the answer"),
    ])
  package static let requestsInFlight = MetricFamily(
    "carrel_http_requests_in_flight", .gauge, "Requests that are being worked on.")
  package static let connections = MetricFamily(
    "carrel_http_connections", .gauge, "Connections of clients that are open.")

  // MARK: - Providers

  package static let providerRequests = MetricFamily(
    "carrel_provider_requests_total", .counter, "Requests to providers, tries counted singly.",
    labels: [
      provider, operation,
      Label(
        "outcome",
        "ok, refused, busy, failed, timeout, unreachable, insecure, cancelled or other"),
    ])
  package static let providerDuration = MetricFamily(
    "carrel_provider_request_duration_seconds", .histogram, "How long providers took to answer.",
    labels: [provider, operation])
  package static let providerUp = MetricFamily(
    "carrel_provider_up", .gauge,
    "1 while a provider is asked; 0 while one of its libraries is left alone after failures.",
    labels: [provider])
  package static let libraryUp = MetricFamily(
    "carrel_library_up", .gauge,
    "1 while a library is asked; 0 while it is left alone after failures.",
    labels: [provider, library])

  package static let libraryEnabled = MetricFamily(
    "carrel_library_enabled", .gauge,
    "1 while a library can be used; 0 while a fault in its settings disables it, such as a secret file "
      + "that cannot be read.",
    labels: [provider, library])

  // MARK: - Work

  package static let jobDepth = MetricFamily(
    "carrel_job_queue_depth", .gauge, "Jobs that are due and that nobody works on.")
  package static let jobRuns = MetricFamily(
    "carrel_job_runs_total", .counter, "Jobs that this gateway ended.",
    labels: [kind, Label("outcome", "done, failed or over")])
  package static let jobSuccess = MetricFamily(
    "carrel_job_last_success_timestamp_seconds", .gauge,
    "When a job of the kind last ended well, in seconds since 1970.", labels: [kind])
  package static let jobsFailing = MetricFamily(
    "carrel_jobs_failing", .gauge, "Jobs whose last run failed.", labels: [kind])
  package static let jobsFailingRepeatedly = MetricFamily(
    "carrel_jobs_failing_repeatedly", .gauge, "Jobs that failed three times in a row or more.",
    labels: [kind])
  package static let jobSilence = MetricFamily(
    "carrel_job_runner_silence_seconds", .gauge, "Since when the job runner was not heard.")

  // MARK: - What there is

  package static let loans = MetricFamily("carrel_loans", .gauge, "Loans on all shelves.")
  package static let holds = MetricFamily(
    "carrel_holds", .gauge, "Holds on all shelves.",
    labels: [Label("status", "waiting, ready, suspended or expired")])
  package static let holdsReady = MetricFamily(
    "carrel_holds_ready", .gauge, "Holds that are ready to be taken.")
  package static let doubts = MetricFamily(
    "carrel_commands_in_doubt", .gauge, "Commands of which nobody knows yet what became of them.")
  package static let readers = MetricFamily("carrel_readers", .gauge, "Readers of this gateway.")
  package static let accounts = MetricFamily(
    "carrel_accounts", .gauge, "Cards and accounts that are linked.")
  package static let downloads = MetricFamily(
    "carrel_downloads", .gauge, "Books in the line of downloads.",
    labels: [Label("state", "queued, running, paused, failed or done")])

  package static let scans = MetricFamily(
    "carrel_scans_total", .counter, "Files that were to be examined for malware.",
    labels: [Label("result", "clean, found or unexamined")])
  package static let scannerUp = MetricFamily(
    "carrel_scanner_up", .gauge,
    "1 when the scanner for malware answered this scrape, where one is set.")

  // MARK: - Database

  package static let databaseUp = MetricFamily(
    "carrel_database_up", .gauge, "1 when the database answered this scrape.")
  package static let databaseConnections = MetricFamily(
    "carrel_database_connections", .gauge, "Connections of a pool.",
    labels: [pool, Label("state", "busy or idle")])
  package static let databaseLimit = MetricFamily(
    "carrel_database_connections_max", .gauge, "The most connections a pool may open.",
    labels: [pool])
  package static let databaseWaiting = MetricFamily(
    "carrel_database_waiting", .gauge, "Calls that wait for a connection.", labels: [pool])
  package static let slowStatements = MetricFamily(
    "carrel_database_slow_statements_total", .counter,
    "Statements that took longer than database.slow_after.")

  package static let standbyUp = MetricFamily(
    "carrel_database_standby_up", .gauge,
    "1 when the standby of database.replica answered this scrape.")
  package static let standbyLag = MetricFamily(
    "carrel_database_standby_lag_seconds", .gauge,
    "How far the standby of database.replica is behind, measured up to an hour.")

  // MARK: - What it stands on

  package static let vaultOpen = MetricFamily(
    "carrel_vault_open", .gauge,
    "1 when the vault is open; 0 while it is locked or its key is wrong. Absent without a vault.")
  package static let diskFree = MetricFamily(
    "carrel_disk_free_bytes", .gauge, "Free space on the disk of a folder.", labels: [folder])
  package static let diskSize = MetricFamily(
    "carrel_disk_size_bytes", .gauge, "Size of the disk of a folder.", labels: [folder])
  package static let inodesFree = MetricFamily(
    "carrel_disk_free_inodes", .gauge,
    "How many more files the disk of a folder can hold. Absent where the disk counts none.",
    labels: [folder])
  package static let inodes = MetricFamily(
    "carrel_disk_inodes", .gauge, "How many files the disk of a folder can hold in all.",
    labels: [folder])
  package static let lastBackup = MetricFamily(
    "carrel_backup_last_success_timestamp_seconds", .gauge,
    "When carrel admin backup last wrote a whole backup of this database, in seconds since 1970.")
  package static let certificateEnd = MetricFamily(
    "carrel_certificate_expiry_timestamp_seconds", .gauge,
    "When a certificate expires, in seconds since 1970; of several the first.",
    labels: [
      Label("use", "public for server.public_url, library for a library's servers, or lcp"),
      Label("library", "the library's name in the settings; empty for the others"),
    ])
  package static let signInFailures = MetricFamily(
    "carrel_sign_in_failures", .gauge,
    "Sign-ins that failed in this hour or the one before, the more of both, at all gateways.")
  package static let signInFailuresLimit = MetricFamily(
    "carrel_sign_in_failures_unusual", .gauge,
    "From how many on they are unusual: five times those of the usual hour, and 50 at least.")
  package static let shortMessages = MetricFamily(
    "carrel_short_messages_today", .gauge,
    "Short messages sent in this day (UTC), at all gateways; absent where none can be sent.")
  package static let shortMessagesLimit = MetricFamily(
    "carrel_short_messages_limit", .gauge, "How many are sent in a day at most.")
  package static let crashes = MetricFamily(
    "carrel_crashes_total", .counter,
    "How often a gateway on this data folder had ended without a clean stop when this one started.")

  // MARK: - The program

  package static let ready = MetricFamily(
    "carrel_ready", .gauge, "1 when /readyz says that requests may come.")
  package static let readinessFault = MetricFamily(
    "carrel_readiness_fault", .gauge, "1 while this is why /readyz says that none may come.",
    labels: [Label("fault", "state, vault, database, migration, clock or jobs")])
  package static let logLines = MetricFamily(
    "carrel_log_lines_total", .counter, "Lines written to the log.",
    labels: [Label("level", "error, warn, info or debug")])
  package static let cpu = MetricFamily(
    "carrel_process_cpu_seconds_total", .counter, "Time of processors that the program used.")
  package static let memory = MetricFamily(
    "carrel_process_resident_memory_bytes", .gauge, "Memory that the program holds.")
  package static let files = MetricFamily(
    "carrel_process_open_fds", .gauge, "Files and sockets that are open.")
  package static let filesLimit = MetricFamily(
    "carrel_process_max_fds", .gauge, "The most files and sockets that may be open.")
  package static let threads = MetricFamily(
    "carrel_process_threads", .gauge, "Threads of the program.")
  package static let started = MetricFamily(
    "carrel_process_start_time_seconds", .gauge, "When it was started, in seconds since 1970.")
  package static let build = MetricFamily(
    "carrel_build_info", .gauge, "Which carrel this is; always 1.",
    labels: [
      Label("version", "the release"), Label("commit", "the commit; empty when unknown"),
      Label("database", "sqlite or postgres"),
    ])

  /// In the order of the reference and of a scrape.
  package static let all: [MetricFamily] = [
    requestDuration, requestsInFlight, connections, providerRequests, providerDuration, providerUp,
    libraryUp, libraryEnabled, jobDepth, jobRuns, jobSuccess, jobsFailing, jobsFailingRepeatedly,
    jobSilence, loans, holds, holdsReady,
    doubts, readers, accounts, downloads, scans, scannerUp, databaseUp, databaseConnections,
    databaseLimit, databaseWaiting, slowStatements, standbyUp, standbyLag, vaultOpen, diskFree,
    diskSize, inodesFree, inodes, lastBackup, certificateEnd, signInFailures,
    signInFailuresLimit, shortMessages, shortMessagesLimit, crashes, ready, readinessFault,
    logLines, cpu, memory, files, filesLimit, threads, started, build,
  ]

  /// The reference that lies under `docs`.
  package static var reference: String {
    var text = """
      # Metrics

      What `/metrics` exports, in the text format of Prometheus. It is off until `metrics.listen` or
      `metrics.token_file` is set, see carrel.yaml(5). Labels come from closed sets: none ever holds a
      reader, a card, a title, an address or anybody's words. This page is printed by `carrel metrics`;
      `config/monitoring` has alert rules and a dashboard that use it.

      | metric | type | labels | meaning |
      |---|---|---|---|

      """
    for family in all {
      let labels = family.labels.map { "`\($0.name)`: \($0.values)" }.joined(separator: "; ")
      text += "| `\(family.name)` | \(family.kind.rawValue) | \(labels) | \(family.help) |\n"
    }
    return text
  }
}
