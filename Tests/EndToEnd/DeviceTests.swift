import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A device of a reader` {
  @Test(arguments: Engine.allCases)
  func `A device of a reader is given a password, listed and shut out`(_ engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      let added = try await stage.json(
        "admin", "device", "add", "kobo", "--scope", "read", "--scope", "lend"
      ).item
      #expect(added["scopes"] == ["read", "lend"] && added["reader"] == "reader")
      let password = try #require(added["password"]?.string)
      _ = try await stage.json("admin", "device", "add", "phone", "--as", "ada")

      let listed = try await stage.json("admin", "device", "ls").items
      #expect(listed.count == 1 && listed[0]["name"] == "kobo" && listed[0]["last_used"] == .null)
      #expect(
        try await stage.json("admin", "device", "ls", "--as", "ada").items.map { $0["name"] }
          == ["phone"])

      let again = try await stage.json("admin", "device", "add", "KOBO", exit: 6)
      #expect(again.error.contains(#""code":"device_exists""#))
      let other = try await stage.json("admin", "device", "revoke", "phone", "--yes", exit: 5)
      #expect(other.error.contains(#""code":"unknown_device""#))
      #expect(
        try await stage.json("admin", "device", "revoke", "kobo", "--yes").item["name"] == "kobo")
      #expect(try await stage.json("admin", "device", "ls").items.isEmpty)

      // In no table and in no file, and in no other answer than its own.
      for table in try await stage.tables() {
        let rows = try await stage.rows("SELECT * FROM \(table)").joined().joined(separator: "\n")
        #expect(!rows.contains(password), "\(table)")
      }
      let told = stage.endings.filter { ($0.output + $0.error).contains(password) }
      #expect(told.count == 1)
    }
  }

  @Test func `A device of a reader is shown with its password to people, once`() async throws {
    try await Stage.play { stage in
      let ending = try await stage.carrel("admin", "device", "add", "kobo")
      let lines = ending.output.split(separator: "\n")
      #expect(ending.code == 0 && lines.first == "Name      reader")
      #expect(lines.dropFirst().first?.hasPrefix("Password  ") == true)
      #expect(try await stage.carrel("admin", "device", "ls").output.hasPrefix("kobo"))
      let asked = try await stage.carrel("admin", "device", "revoke", "kobo", "--no-input")
      #expect(asked.code != 0)
      #expect(try await stage.carrel("admin", "device", "ls").output.hasPrefix("kobo"))
    }
  }
}
