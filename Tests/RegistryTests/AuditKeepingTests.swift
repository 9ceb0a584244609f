import Circulation
import Database
import Glibc
import StoreSupport
import TestSupport
import Testing

@testable import Registry

@Suite struct `The audit log` {
  @Test(arguments: Engine.allCases)
  func `The audit log counts what programs open by the month, in one row for each card`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      for _ in 0..<100 {
        house.clock.advance(by: 1)
        _ = try await registry.credentials(of: id, for: .library)
      }
      let lines = { try await registry.audit(of: id).filter { $0.action == .read } }
      let first = try await lines()
      #expect(first.map(\.count) == [100] && first.map(\.at) == [1_100])
      #expect(first.map(\.field) == ["card, pin"] && first.map(\.request) == ["library"])
      #expect(first.map(\.who) == [ada.id.rawValue])
      // Apart by reason, and from February on.
      _ = try await registry.credentials(of: id, for: .signIn)
      house.clock.advance(by: 31 * 86_400_000)
      _ = try await registry.credentials(of: id, for: .library)
      #expect(
        try await lines().map { "\($0.request) \($0.count)" } == [
          "library 100", "sign-in 1", "library 1",
        ])
      #expect(try await house.count("registry_audit") == 2)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit log counts a program's secrets that would not open, too`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      try await house.run("UPDATE account_secret SET version = 7 WHERE field = 'pin'")
      for _ in 0..<3 { _ = await error { try await registry.credentials(of: id, for: .library) } }
      let last = try await registry.audit(of: id).last
      #expect(last?.action == .fail && last?.count == 3)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit log loses nothing while all of it is kept`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      _ = try await registry.credentials(of: id, for: .library)
      var attacks: [SQL] = [
        "DELETE FROM registry_audit", "DELETE FROM registry_audit_month",
        "DELETE FROM registry_audit WHERE number = 1", "DELETE FROM registry_audit_kept",
        "UPDATE registry_audit SET who = 'x'", "UPDATE registry_audit_month SET times = 0",
        "UPDATE registry_audit_month SET times = times + 1, who = 'x'",
        "UPDATE registry_audit_kept SET ended = 2678400000",
        "INSERT INTO registry_audit_kept (id, months, ended) VALUES (1, 1, 0)",
      ]
      switch engine {
      case .sqlite:
        attacks += [
          """
          INSERT OR REPLACE INTO registry_audit
          SELECT number, 0, 'x', 'x', 'x', 'x', 'x' FROM registry_audit
          """,
          "INSERT OR REPLACE INTO registry_audit_kept VALUES (1, 1, 2678400000)",
          """
          INSERT OR REPLACE INTO registry_audit_month
          SELECT account, month, who, action, reason, fields, 1, 0, 0 FROM registry_audit_month
          """,
        ]
      case .postgres:
        attacks += [
          "TRUNCATE registry_audit", "TRUNCATE registry_audit_month",
          "TRUNCATE registry_audit_kept",
        ]
      }
      let before = try await registry.audit(of: id)
      for attack in attacks {
        await #expect(throws: DatabaseError.self, "\(attack)") { try await house.run(attack) }
      }
      #expect(try await registry.audit(of: id) == before)
      #expect(try await house.count("registry_audit_kept") == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `The audit log ends whole months that need not be kept, and says so`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      // In 1970, by the clock of the test; the database has its own.
      let id = try await registry.link(ada, "21234000000018").id
      _ = try await registry.credentials(of: id, for: .library)
      house.clock.advance(by: Self.now)
      let young = try await registry.link(ada, "21234000000026", name: .like("two")).id
      _ = try await registry.credentials(of: young, for: .library)

      // To say that it may be shorter deletes nothing yet.
      try await house.run("UPDATE registry_audit_kept SET months = 3")
      await #expect(throws: DatabaseError.self) {
        try await house.run("DELETE FROM registry_audit WHERE at < 100000")
      }
      try await registry.keepAudit(months: 3)
      #expect(try await registry.audit(of: id).isEmpty)
      #expect(try await registry.audit(of: young).count == 3)
      #expect(try await registry.auditMonths() == 3)
      for attack: SQL in [
        "DELETE FROM registry_audit", "DELETE FROM registry_audit_month",
        "UPDATE registry_audit_kept SET ended = 0",
        "UPDATE registry_audit_kept SET ended = ended + 1",
        "UPDATE registry_audit_kept SET ended = ended + 86400000",
        "UPDATE registry_audit_kept SET months = 0", "UPDATE registry_audit_kept SET months = -5",
      ] {
        await #expect(throws: DatabaseError.self, "\(attack)") { try await house.run(attack) }
      }
      // A shorter time is in the log before anything goes, and the log of this month stays.
      try await registry.keepAudit(months: 1)
      try await registry.keepAudit(months: 1)
      try await registry.keepAudit(months: nil)
      #expect(try await registry.audit(of: young).count == 3)
      let deeds = try await registry.officeDeeds(atMost: 9).map(\.deed).filter {
        $0.kind == "audit"
      }
      #expect(deeds.filter { $0.action == .write }.map(\.subject) == ["all", "1", "3"])
      #expect(deeds.count { $0.action == .delete } == 2)
      #expect(deeds.allSatisfy { $0.who == "settings" })
    }
  }

  /// The databases of these tests have their own clocks, which are right.
  private static var now: Int64 { Int64(time(nil)) * 1000 }
}

extension House {
  fileprivate func count(_ table: SQLName) async throws -> Int {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.value("SELECT count(*) FROM \(name: table)", as: Int.self)
    }
  }
}
