import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// Finding 11: every sync wrote a row for each secret that it opened into a log of which nothing could be deleted. And
/// an operator who has the database at hand wants a line of the audit log gone.
@Suite struct OperatorAuditTests {
  @Test func `syncs write no row into the audit log but count up one, month by month`() async throws
  {
    try await Stage.playOnEach { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let written = "SELECT count(*) FROM registry_audit"
      let before = try await stage.rows(written)
      for _ in 0..<4 { try await stage.json("sync") }
      let after = try await stage.rows(written)
      #expect(after == before)
      let counted = try await stage.rows(
        "SELECT reason, action, fields, times FROM registry_audit_month")
      #expect(counted.count == 1)
      let row = try #require(counted.first)
      #expect(row.prefix(3) == ["library", "read", "card, pin"])
      #expect(Int(row[3]).map { $0 >= 4 } == true)
    }
  }

  @Test func `a database client deletes, changes and replaces no line of the audit log`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("sync")
      let lines = "SELECT * FROM registry_audit ORDER BY number"
      let before = try await stage.rows(lines)
      #expect(!before.isEmpty)
      var attacks = [
        "DELETE FROM registry_audit", "DELETE FROM registry_audit WHERE number = 1",
        "UPDATE registry_audit SET who = 'x'", "DELETE FROM registry_audit_month",
        "UPDATE registry_audit_month SET times = 1", "DELETE FROM registry_audit_kept",
        "UPDATE registry_audit_kept SET ended = 4102444800000",
        "UPDATE registry_audit_kept SET months = 1, ended = 4102444800000",
      ]
      switch stage.engine {
      case .sqlite:
        attacks += [
          "REPLACE INTO registry_audit SELECT number, at, 'x', account, field, action, request "
            + "FROM registry_audit",
          "PRAGMA recursive_triggers = OFF; REPLACE INTO registry_audit_kept VALUES (1, 1, 0)",
        ]
      case .postgres:
        attacks += [
          "TRUNCATE registry_audit", "TRUNCATE registry_audit_month, registry_audit_kept",
        ]
      }
      for attack in attacks {
        await #expect(throws: (any Error).self, "\(attack)") { try await stage.rows(attack) }
      }
      let after = try await stage.rows(lines)
      #expect(after == before)
    }
  }

  @Test func `months of the audit log end when the operator said so, and the log says so`()
    async throws
  {
    try await Stage.playOnEach { stage in
      try stage.addSettings("audit:\n  months: 1\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.rows(
        """
        INSERT INTO registry_audit (at, who, account, field, action, request)
        VALUES (1000, 'old', 'old', 'pin', 'read', 'old')
        """)
      let young = try await stage.rows("SELECT number FROM registry_audit WHERE who <> 'old'")
      try await RunningGateway.serve(stage) { _ in
        let swept = "SELECT outcome FROM schedule_job WHERE kind = 'sweep' AND ended_at IS NOT NULL"
        try await eventually { try await stage.rows(swept) == [["done"]] }
      }
      let left = try await stage.rows("SELECT number FROM registry_audit WHERE who <> 'settings'")
      #expect(left == young)
      let deeds = try await stage.rows(
        "SELECT account, action FROM registry_audit WHERE who = 'settings' ORDER BY action")
      #expect(deeds == [["office/audit", "delete"], ["office/audit", "write"]])
      await #expect(throws: (any Error).self) {
        try await stage.rows("DELETE FROM registry_audit")
      }
    }
  }

  @Test func `the plan counts the audit log and the months of openings for every reader`()
    async throws
  {
    try await Stage.play { stage in
      let plan = try await stage.json("admin", "plan", "--libraries", "1", "--patrons", "1000")
      let tables = plan.item["tables"]?.array ?? []
      func rows(_ table: String) -> Int {
        tables.first { line in
          line["of"]?.array?.contains { $0.string == table } == true
        }?["rows"]?.integer ?? 0
      }
      #expect(rows("registry_audit") == 80_000)
      #expect((46_000...46_080).contains(rows("registry_audit_month")))
    }
  }
}
