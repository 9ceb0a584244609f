import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct `An operator's backup` {
  /// All rows of all tables but those that an engine makes for itself.
  private func dump(_ stage: Stage) async throws -> [String: [[String]]] {
    var dump: [String: [[String]]] = [:]
    for table in try await stage.tables()
    where !table.hasPrefix("catalog_words") && !table.hasPrefix("sqlite_")
      && table != "carrel_migration"
    {
      let sql =
        stage.engine == .sqlite
        ? "SELECT * FROM \(table)" : "SELECT CAST(x AS text) FROM \(table) x"
      dump[table] = try await stage.rows(sql).sorted { $0.joined() < $1.joined() }
    }
    return dump
  }

  private func write(_ text: String, _ name: String, _ stage: Stage) throws -> String {
    let path = stage.home + "/" + name
    FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
    return path
  }

  @Test(arguments: Engine.allCases)
  func `An operator's backup brings back everything as it was, sealed or not`(engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      let title = try await stage.furnish()
      let pass = try write("correct horse battery\n", "pass", stage)
      let (plain, sealed) = (stage.home + "/a.tar", stage.home + "/b.sealed")
      let before = try await dump(stage)
      let made = try await stage.json("admin", "backup", plain)
      #expect(made.item["vault_keys"] == true && made.item["books"] == 1)
      try await stage.json("admin", "backup", sealed, "--passphrase-file", pass)
      #expect(try await stage.json("admin", "verify", plain).item["sealed"] == false)
      try await stage.json("admin", "verify", sealed, "--passphrase-file", pass)
      let locked = try await stage.json("admin", "verify", sealed, "--no-input", exit: 2)
      #expect(locked.failure["code"] == "input_needed")
      let wrong = try write("wrong horse\n", "wrong", stage)
      let refused = try await stage.json(
        "admin", "verify", sealed, "--passphrase-file", wrong, exit: 12)
      #expect(refused.failure["code"] == "backup_key_wrong")

      for file in [plain, sealed] {
        try await stage.json("list", "delete", "later", "--yes")
        #expect(try await dump(stage) != before)
        let place = try await stage.json(
          "admin", "restore", file, "--passphrase-file", pass, exit: 2)
        #expect(place.failure["code"] == "confirmation_needed")
        let name = engine == .sqlite ? "carrel.sqlite" : try #require(stage.databaseName)
        try await stage.json(
          "admin", "restore", file, "--passphrase-file", pass, "--confirm=\(name)")
        let after = try await dump(stage)
        for (table, rows) in before { #expect(after[table] == rows, "\(table)") }
        // The vault opens, the search finds, the file of the book is there.
        try await stage.json("account", "check", "city")
        #expect(try await !stage.json("search", title).items.isEmpty)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `An operator's backup is put back whole or not at all, and not beside a gateway`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      let file = stage.home + "/a.tar"
      let new = try await dump(stage)
      try await stage.json("admin", "backup", file, "--no-books")
      try await stage.json("list", "create", "after")
      let old = try await dump(stage)
      let name = engine == .sqlite ? "carrel.sqlite" : try #require(stage.databaseName)
      let words = ["admin", "restore", file, "--confirm=\(name)"]

      let gateway = try stage.startTalking(["serve", "--port", "0"])
      while let line = try await gateway.nextLine(), !line.hasPrefix("listening") {}
      try await eventually { try await stage.carrel(words).code == 11 }
      gateway.send(SIGTERM)
      _ = try await gateway.waitForEnd()
      let lists = try await stage.json("list", "ls").items.count

      for delay in stride(from: 20, to: 400, by: 60) {
        let process = try stage.start(words)
        // The moment of the kill is what is tried; nothing is waited for by it.
        try await Task.sleep(for: .milliseconds(delay))
        process.send(SIGKILL)
        _ = try await process.waitForEnd()
        // The next command finishes what was begun, or finds nothing.
        let now = try await stage.json("list", "ls").items.count
        #expect(now == lists || now == lists - 1, "after \(delay) ms")
      }
      try await stage.json("admin", "restore", file, "--confirm=\(name)")
      let now = try await dump(stage)
      #expect(now["reading_list"] == new["reading_list"])
      #expect(now["reading_list"] != old["reading_list"])
    }
  }

  @Test func `An operator's backup and its databases of both kinds hold the same`() async throws {
    try await PostgresCluster.shared().withDatabase { address in
      try await Stage.play { stage in
        let title = try await stage.furnish()
        let loans = try await stage.json("loans").items
        let target = try write(address + "\n", "address", stage)
        let open = try await stage.json(
          "admin", "migrate-store", "--to", "postgresql://carrel:secret@db/x", exit: 2)
        #expect(open.failure["code"] == "bad_address")
        let carried = try await stage.json("admin", "migrate-store", "--to-file", target)
        let rows = carried.item["rows"]
        let again = try await stage.json("admin", "migrate-store", "--to-file", target, exit: 2)
        #expect(again.failure["code"] == "confirmation_needed")
        let back = stage.home + "/data/back.sqlite"
        try stage.addSettings("database:\n  url: \(address)\n")
        #expect(try await stage.json("loans").items.count == loans.count)
        #expect(try await !stage.json("search", title).items.isEmpty)
        try await stage.json("account", "check", "city")
        let returned = try await stage.json("admin", "migrate-store", "--to", back)
        #expect(returned.item["rows"]?.integer ?? 0 >= rows?.integer ?? 1)
        try stage.writeSettings()
        try stage.addSettings("database:\n  url: sqlite:\(back)\n")
        #expect(try await stage.json("loans").items.count == loans.count)
        try await stage.json("account", "check", "city")
        #expect(try await !stage.json("search", title).items.isEmpty)
        try await stage.json("return", title)
      }
    }
  }

  @Test func `a database migrated by a newer program is refused with the command to restore it`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.furnish()
      let database = stage.home + "/data/carrel.sqlite"
      // As a newer program leaves it: a copy beside, and a migration that nobody here knows.
      try FileManager.default.copyItem(
        atPath: database, toPath: database + ".before-catalog-later")
      _ = try await stage.rows(
        """
        INSERT INTO carrel_migration (service, position, name, checksum, applied_at)
        VALUES ('later', 0, 'first', '00', 0)
        """)
      let refused = try await stage.json("books", exit: 6)
      #expect(refused.failure["code"] == "newer_database")
      let attempt = try #require(refused.failure["try"]?.string)
      #expect(
        attempt
          == "carrel admin restore \(database).before-catalog-later --confirm=carrel.sqlite")
      let words = attempt.split(separator: " ").dropFirst().map(String.init)
      #expect(try await stage.carrel(words).code == 0)
      #expect(try await stage.json("books").items.count == 1)
    }
  }

  @Test func `An operator's backup is planned for, in rows, requests and questions`() async throws {
    try await Stage.play { stage in
      let plan = try await stage.json(
        "admin", "plan", "--libraries", "1000", "--patrons", "100000")
      #expect(plan.item["patrons"] == 100_000_000)
      #expect(plan.item["gateways"]?.integer ?? 0 > 2)
      #expect(plan.item["tables"]?.array?.count ?? 0 > 8)
      let town = try await stage.carrel("admin", "plan", "--patrons", "1000")
      #expect(town.code == 0 && town.output.contains("2 gateways"))
    }
  }
}
