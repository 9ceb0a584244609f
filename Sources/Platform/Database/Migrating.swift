extension Store {
  /// Brings the tables of all services to what this program knows, in one transaction: all of it or
  /// none. Processes that start together take turns, and the later ones find nothing to do. An existing
  /// SQLite file is copied first, to `<file>.before-<service>-<migration>`. Every service of the program
  /// must be in one call: a recorded service that is not listed means a newer program was here.
  /// Without a deadline it may take ten minutes, waiting for another process included.
  package func migrate(
    _ lists: [MigrationList], at instant: Int64, by deadline: ContinuousClock.Instant? = nil
  ) async throws(DatabaseError) -> Migrated {
    let plan = try MigrationPlan(lists)
    // Not serializable: after waiting for its turn, a process must see what the one before it did.
    let limit = Duration.seconds(600)
    return try await perform(.writing(.readCommitted), deadline ?? .now + limit, patience: limit) {
      [location] transaction throws(DatabaseError) in
      try transaction.session.lockForMigration()
      let wasEmpty = try !transaction.session.hasTables()
      try transaction.execute(Self.ledger)
      let pending = try plan.pending(after: try Self.recorded(in: transaction))
      guard let first = pending.first else { return .commit(Migrated(applied: [], backup: nil)) }
      var backup: String?
      if case .sqlite(let path) = location, !wasEmpty {
        let destination = "\(path).before-\(first.service)-\(first.migration.name)"
        try transaction.session.backUp(to: destination)
        backup = destination
      }
      for step in pending { try Self.apply(step, at: instant, in: transaction) }
      return .commit(Migrated(applied: pending.map(\.title), backup: backup))
    }
  }

  /// Whether there is anything to migrate, found out by reading only: a start finds all in place
  /// nearly always, and need not wait for whoever writes.
  package func isMigrated(
    _ lists: [MigrationList], by deadline: ContinuousClock.Instant? = nil
  ) async throws(DatabaseError) -> Bool {
    let plan = try MigrationPlan(lists)
    return try await perform(.reading, deadline) { transaction throws(DatabaseError) in
      guard try transaction.session.hasTables() else { return .rollBack(false) }
      return .rollBack(try plan.pending(after: try Self.recorded(in: transaction)).isEmpty)
    }
  }

  /// What is recorded as applied, as `service/migration`, oldest first; for reports.
  package func appliedMigrations() async throws(DatabaseError) -> [String] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        "SELECT service, name FROM carrel_migration ORDER BY applied_at, service, position"
      ) { row throws(DatabaseError) in
        let (service, name): (String, String) = (try row[0], try row[1])
        return "\(service)/\(name)"
      }
    }
  }

  fileprivate static var ledger: SQL {
    """
    CREATE TABLE IF NOT EXISTS carrel_migration (
      service TEXT NOT NULL,
      position \(.integer) NOT NULL,
      name TEXT NOT NULL,
      checksum TEXT NOT NULL,
      applied_at \(.integer) NOT NULL,
      PRIMARY KEY (service, name))\(.strictTable)
    """
  }

  fileprivate static func recorded(
    in transaction: Transaction
  ) throws(DatabaseError) -> [MigrationPlan.Record] {
    try transaction.rows(
      "SELECT service, name, checksum FROM carrel_migration ORDER BY service, position"
    ) { row throws(DatabaseError) in
      MigrationPlan.Record(service: try row[0], name: try row[1], checksum: try row[2])
    }
  }

  fileprivate static func apply(
    _ step: MigrationPlan.Step, at instant: Int64, in transaction: Transaction
  ) throws(DatabaseError) {
    for statement in step.migration.statements { try transaction.execute(statement) }
    try transaction.execute(
      """
      INSERT INTO carrel_migration (service, position, name, checksum, applied_at)
      VALUES (\(step.service), \(step.position), \(step.migration.name),
        \(step.migration.checksum), \(instant))
      """)
  }
}

extension Transaction {
  /// Makes the tables as they were once these migrations had been applied, or, without them, as they
  /// are today. What is there already stays.
  package func make(
    _ lists: [MigrationList], asAfter applied: [AppliedMigration]? = nil, at instant: Int64
  ) throws(DatabaseError) {
    let plan = try MigrationPlan(lists)
    if let applied { try plan.check(applied) }
    try execute(Store.ledger)
    let wanted = applied.map(Set.init)
    for step in try plan.pending(after: try Store.recorded(in: self)) {
      let name = AppliedMigration(service: step.service, name: step.migration.name)
      guard wanted?.contains(name) ?? true else { continue }
      try Store.apply(step, at: instant, in: self)
    }
  }
}

/// Compares what the program knows with what a database records.
struct MigrationPlan: Sendable {
  struct Record: Sendable {
    let service: String
    let name: String
    let checksum: String
  }

  struct Step: Sendable {
    let service: String
    let position: Int
    let migration: Migration

    var title: String { "\(service)/\(migration.name)" }
  }

  private let lists: [MigrationList]

  init(_ lists: [MigrationList]) throws(DatabaseError) {
    var services: Set<String> = []
    for list in lists {
      guard services.insert(list.service).inserted else {
        throw Self.fault(.repeated(list.service))
      }
      var names: Set<String> = []
      for name in list.migrations.map(\.name) {
        guard names.insert(name).inserted else {
          throw Self.fault(.repeated("\(list.service)/\(name)"))
        }
      }
      for name in names.union([list.service]) where !Self.isName(name) {
        throw Self.fault(.badName(name))
      }
    }
    self.lists = lists
  }

  /// What is left to apply, in the order of the lists.
  func pending(after records: [Record]) throws(DatabaseError) -> [Step] {
    let known = Set(lists.map(\.service))
    if let stranger = records.first(where: { !known.contains($0.service) }) {
      throw Self.fault(.databaseIsNewer(service: stranger.service, migration: stranger.name))
    }
    var pending: [Step] = []
    for list in lists {
      let applied = records.filter { $0.service == list.service }
      try check(applied, against: list)
      for (position, migration) in list.migrations.enumerated().dropFirst(applied.count) {
        pending.append(Step(service: list.service, position: position, migration: migration))
      }
    }
    return pending
  }

  /// Only what this program knows, and of each service what comes first.
  func check(_ applied: [AppliedMigration]) throws(DatabaseError) {
    for (service, names) in Dictionary(grouping: applied, by: \.service) {
      guard let list = lists.first(where: { $0.service == service }) else {
        throw Self.fault(.databaseIsNewer(service: service, migration: names[0].name))
      }
      let known = list.migrations.map(\.name)
      for (place, one) in names.enumerated()
      where place >= known.count || known[place] != one.name {
        throw Self.fault(.databaseIsNewer(service: service, migration: one.name))
      }
    }
  }

  private func check(_ applied: [Record], against list: MigrationList) throws(DatabaseError) {
    let names = list.migrations.map(\.name)
    if let stranger = applied.first(where: { !names.contains($0.name) }) {
      throw Self.fault(.databaseIsNewer(service: list.service, migration: stranger.name))
    }
    for (record, migration) in zip(applied, list.migrations) {
      guard record.name == migration.name else {
        throw Self.fault(.outOfOrder(service: list.service, migration: migration.name))
      }
      guard record.checksum == migration.checksum else {
        throw Self.fault(.changed(service: list.service, migration: migration.name))
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    return words.allSatisfy { word in
      !word.isEmpty
        && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    }
  }

  private static func fault(_ fault: DatabaseError.MigrationFault) -> DatabaseError {
    DatabaseError(.migration(fault))
  }
}
