import Database
import Items
import Machine
import Registry
import Synchronization
import Vault

/// One reason why a gateway cannot serve, in words for its operator. It holds no secret: /readyz shows it
/// to everyone.
struct ReadinessFault: Sendable, Hashable {
  /// What monitoring tells faults apart by.
  enum Kind: String, Sendable, Hashable, CaseIterable {
    /// It is starting or stopping.
    case state
    case vault, database, migration, clock
    /// The job runner.
    case jobs
  }

  let kind: Kind
  let text: String
  /// For the log and the doctor: it may name files.
  var detail: String?

  init(_ kind: Kind, _ text: String, detail: String? = nil) {
    (self.kind, self.text, self.detail) = (kind, text, detail)
  }

  var whole: String { detail.map { "\(text): \($0)" } ?? text }
}

/// Looks whether the gateway can do what it is there for: write to its database, open its secrets, and
/// tell the time. Readiness, the doctor and the support archive all ask here.
final class ReadinessCheck: Sendable {
  /// A clock outside of these is not believed: the first is before this program was made.
  static let earliestTime = Timestamp(millisecondsSinceEpoch: 1_767_225_600_000)  // 2026-01-01
  static let latestTime = Timestamp(millisecondsSinceEpoch: 4_102_444_800_000)  // 2100-01-01
  /// How far a clock may be behind the newest time in the database, or apart from the server's clock.
  static let clockTolerance = Duration.seconds(86_400)
  /// How long a clock has to be steadily behind until it is believed: the newest time may have come from a
  /// clock that was ahead.
  static let clockPatience = Duration.seconds(3600)
  /// With less room a file of SQLite counts as full: its log may have room left when the disk has none.
  static let leastRoom: UInt64 = 1 << 20

  private static let limit = Duration.seconds(2)

  private let house: House
  private let behindSince = Mutex<ContinuousClock.Instant?>(nil)
  private let lastVault = Mutex<VaultDoor.State?>(nil)

  init(_ house: House) { self.house = house }

  /// How the vault was at the last look; nil before the first.
  var vault: VaultDoor.State? { lastVault.withLock { $0 } }

  /// Empty when all is well.
  func faults() async -> [ReadinessFault] {
    async let vault = vaultFaults()
    let database = await databaseFaults()
    return await vault + database
  }

  // MARK: - The vault

  private func vaultFaults() async -> [ReadinessFault] {
    let state = await house.door.check()
    lastVault.withLock { $0 = state }
    if state == .open { return [] }
    // A database that does not answer is a fault of its own.
    guard let isNeeded = try? await House.hasSecrets(in: house.store, by: .now + Self.limit),
      isNeeded
    else { return [] }
    switch state {
    case .open, .unused: return []
    case .locked(.keyTableLost):
      return [
        ReadinessFault(
          .vault, "the vault's table of keys is missing, and there are secrets sealed with them")
      ]
    case .locked(let error) where error.isOfWrongKey:
      return [ReadinessFault(.vault, "the vault's key is wrong", detail: "\(error)")]
    case .locked(let error):
      return [ReadinessFault(.vault, "the vault is locked", detail: "\(error)")]
    }
  }

  // MARK: - The database and the clock

  private struct Probe: Sendable {
    /// Before this look.
    let newestTime: Int64?
    let serverTime: Int64?
  }

  private func databaseFaults() async -> [ReadinessFault] {
    let deadline = ContinuousClock.now + Self.limit
    let now = house.time.now()
    var faults: [ReadinessFault] = []
    if let full = await fullDisk() { faults.append(full) }
    do throws(DatabaseError) {
      guard try await house.store.isMigrated(House.tables, by: deadline) else {
        return faults + [
          ReadinessFault(.migration, "the database has not all tables of this program")
        ]
      }
    } catch {
      guard case .migration = error.reason else {
        return faults + [ReadinessFault(.database, "the database cannot be read: \(error.plain)")]
      }
      return faults + [
        ReadinessFault(.migration, "the database has tables of a newer program")
      ]
    }
    do throws(DatabaseError) {
      let probe = try await write(now, by: deadline)
      if let wrong = clockFault(now, probe) { faults.append(ReadinessFault(.clock, wrong)) }
    } catch {
      if faults.isEmpty {
        faults.append(
          ReadinessFault(.database, "the database cannot be written to: \(error.plain)"))
      }
      if let wrong = clockFault(now, Probe(newestTime: nil, serverTime: nil)) {
        faults.append(ReadinessFault(.clock, wrong))
      }
    }
    return faults
  }

  /// Writes the newest time and commits it: only that shows that a disk has room.
  private func write(
    _ now: Timestamp, by deadline: ContinuousClock.Instant
  ) async throws(DatabaseError) -> Probe {
    let isBelieved = behindSince.withLock { since in
      since.map { $0.duration(to: house.time.monotonic()) >= Self.clockPatience } ?? false
    }
    return try await house.store.write(by: deadline, isolation: .readCommitted) {
      tx throws(DatabaseError) in
      let probe = Probe(
        newestTime: try tx.fact(.newestTime),
        serverTime: tx.dialect == .postgres ? try tx.serverTime() : nil)
      let ours = now.millisecondsSinceEpoch
      // A time that is not believed must not make other gateways doubt their clocks.
      let isPlausible = Self.implausible(now, probe.serverTime) == nil
      let newest = probe.newestTime.map { isBelieved ? ours : max($0, ours) } ?? ours
      try tx.set(.newestTime, to: isPlausible ? newest : probe.newestTime ?? 0)
      return probe
    }
  }

  private func clockFault(_ now: Timestamp, _ probe: Probe) -> String? {
    if let wrong = Self.implausible(now, probe.serverTime) { return wrong }
    guard let newest = probe.newestTime.map({ Timestamp(millisecondsSinceEpoch: $0) }),
      now + Self.clockTolerance < newest
    else {
      behindSince.withLock { $0 = nil }
      return nil
    }
    behindSince.withLock { $0 = $0 ?? house.time.monotonic() }
    return "the clock says \(now.rfc3339()), and the newest time in the database is "
      + newest.rfc3339()
  }

  private static func implausible(_ now: Timestamp, _ serverTime: Int64?) -> String? {
    if now < earliestTime {
      return "the clock says \(now.rfc3339()), which is before this program was made"
    }
    if now > latestTime { return "the clock says \(now.rfc3339()), which is far in the future" }
    guard let server = serverTime.map({ Timestamp(millisecondsSinceEpoch: $0) }),
      now + clockTolerance < server || server + clockTolerance < now
    else { return nil }
    return "the clock says \(now.rfc3339()), and the clock of the database server "
      + server.rfc3339()
  }

  /// Nil where the database is a server's own matter.
  private func fullDisk() async -> ReadinessFault? {
    guard case .sqlite(let path) = house.store.location else { return nil }
    // A network file system that hangs must not hold a thread that others need.
    let disk = await OwnThread.run { try? FileSystem(holding: path) }
    guard let disk, disk.availableBytes < Self.leastRoom else { return nil }
    return ReadinessFault(
      .database, "the database cannot be written to: its disk is full")
  }
}

extension Snapshot {
  /// By the clock of a PostgreSQL server.
  func serverTime() throws(DatabaseError) -> Int64 {
    try value("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)")
  }
}

extension DatabaseError {
  /// Without statements and codes: anyone may read it.
  fileprivate var plain: String {
    switch reason {
    case .full: "its disk is full"
    case .readOnly: "it is read-only"
    case .denied: "its user may not write"
    case .unreachable, .connectionLost, .outcomeUnknown: "it does not answer"
    case .busy, .conflict, .deadlineExceeded: "it is too busy"
    case .inputOutput: "its files cannot be written"
    case .corrupt: "it is damaged"
    default: "it refuses"
    }
  }
}
