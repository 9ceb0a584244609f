import Circulation
import Crypto
import Database
import Foundation
import ProviderKit
import Secrets
import TestSupport
import Testing
import Vault

@testable import Registry

@Suite struct `The secrets of an account` {
  @Test(arguments: Engine.allCases)
  func `The secrets of an account are replaced as a whole`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let account = try await registry.link(ada, "21234000000018")
      try await registry.record(status: .rejected, of: account)
      let replaced = try await registry.replaceCredentials(
        of: account.id,
        with: Credentials(["card": Secret("21234000000026"), "token": Secret("t")]), request: "r")
      #expect(replaced.cardEnding == "0026" && replaced.status == .linked)
      // What the library says late of the old ones is no word about these.
      #expect(try await !registry.record(status: .rejected, of: account))
      #expect(try await registry.account(account.id).status == .linked)
      #expect(try await registry.record(status: .expired, of: replaced))
      #expect(try await registry.record(status: .linked, of: replaced))
      #expect(
        try await registry.texts(of: account.id) == ["card": "21234000000026", "token": "t"])
      // The old card may be linked again, the new one may not.
      #expect(
        await error { try await registry.link(ada, "21234000000026") } == .alreadyLinked(replaced))
      let again = try await registry.link(ada, "21234000000018")
      let taken = await error {
        try await registry.replaceCredentials(
          of: account.id, with: card("21234000000018"), request: "r")
      }
      #expect(taken == .alreadyLinked(again))
      try await registry.replaceCredentials(of: again.id, with: Credentials([:]), request: "r")
      #expect(try await registry.texts(of: again.id) == [:])
    }
  }

  @Test(arguments: Engine.allCases)
  func `The secrets of an account do not open when an old row is put back`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      let old = try await blob(house, id, "pin")
      try await registry.replaceCredentials(
        of: id, with: card("21234000000018", pin: "9999"), request: "r")
      try await house.run(
        "UPDATE account_secret SET sealed = \(old) WHERE account = \(id.rawValue) AND field = 'pin'"
      )
      #expect(
        await error { try await registry.credentials(of: id, request: "r") }
          == .vault(.damaged(.record)))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The secrets of an account count on where a field was removed and came back`(engine: Engine)
    async throws
  {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      let old = try await blob(house, id, "pin")
      let cardOnly = Credentials(["card": Secret("21234000000018")])
      try await registry.replaceCredentials(of: id, with: cardOnly, request: "r")
      try await registry.replaceCredentials(of: id, with: card("21234000000018"), request: "r")
      try await house.run("UPDATE account_secret SET sealed = \(old) WHERE field = 'pin'")
      #expect(
        await error { try await registry.credentials(of: id, request: "r") }
          == .vault(.damaged(.record)))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The secrets of an account do not open in another row`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let (ada, bob) = (
        try await registry.patron(named: "Ada"), try await registry.patron(named: "Bob")
      )
      let mine = try await registry.link(ada, "21234000000018").id
      let second = try await registry.link(ada, "21234000000026").id
      let theirs = try await registry.link(bob, "21234000000034").id
      let stolen = try await blob(house, theirs, "pin")
      let swapped = try await blob(house, second, "pin")
      for other in [stolen, swapped, try await blob(house, mine, "card")] {
        try await house.run(
          """
          UPDATE account_secret SET sealed = \(other)
          WHERE account = \(mine.rawValue) AND field = 'pin'
          """)
        #expect(
          await error { try await registry.credentials(of: mine, request: "r") }
            == .vault(.damaged(.record)))
      }
      // Nor may an account be given to somebody else.
      try await house.run(
        """
        UPDATE account SET patron = \(ada.id.rawValue), folded_name = 'stolen'
        WHERE id = \(theirs.rawValue)
        """)
      #expect(
        await error { try await registry.credentials(of: theirs, request: "r") }
          == .vault(.damaged(.record)))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The secrets of an account are gone when it is unlinked`(engine: Engine) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      let id = try await registry.link(ada, "21234000000018").id
      let kept = try await registry.link(ada, "21234000000026").id
      try await registry.unlink(id, request: "r")
      #expect(try await registry.accounts(of: ada.id).map(\.id) == [kept])
      let rows = try await house.store.read { snapshot throws(DatabaseError) in
        try snapshot.rows("SELECT DISTINCT account FROM account_secret") {
          row throws(DatabaseError) -> String in try row[0]
        }
      }
      #expect(rows == [kept.rawValue])
      let again = try await registry.link(ada, "21234000000018")
      #expect(again.id != id)
    }
  }

  @Test(arguments: Engine.allCases)
  func `the secrets of an account are refused while the vault is sealed, and nothing else is`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let ada = try await house.registry().patron(named: "Ada")
      let id = try await house.registry().link(ada, "21234000000018").id
      let registry = Registry(
        store: house.store, vault: { () async throws(VaultError) in throw .sealed }, now: { 0 },
        ended: { _, _ in })
      #expect(
        await error { try await registry.credentials(of: id, request: "r") } == .vault(.sealed))
      #expect(
        await error { try await registry.link(ada, "21234000000026") } == .vault(.sealed))
      #expect(try await registry.accounts(of: ada.id).map(\.id) == [id])
      try await registry.record(goodSync: 1, of: id)
      try await registry.unlink(id, request: "r")
      #expect(try await registry.accounts(of: ada.id) == [])
    }
  }

  @Test func `The secrets of an account stand nowhere in the database's files`() async throws {
    let (pin, number) = ("ZZPIN4711ZZ", "ZZCARD8150ZZ")
    try await withTemporaryFolder { folder in
      try await withHouse(at: folder.path("test.sqlite3"), folder) { house in
        let registry = house.registry()
        let ada = try await registry.patron(named: "Ada")
        let account = try await registry.link(
          patron: ada.id, name: .like("city"), provider: someProvider, library: someLibrary,
          credentials: card(number, pin: pin), request: "r")
        _ = try await registry.credentials(of: account.id, request: "r")
        try await registry.replaceCredentials(
          of: account.id, with: card(number, pin: pin + "2"), request: "r")
        #expect(try leaks(of: [pin, number], in: folder) == [])
        try await house.vault().addKey(at: 0)
        _ = try await registry.reseal(request: "r")
        let other = try await registry.link(
          patron: ada.id, name: .like("city"), provider: someProvider, library: someLibrary,
          credentials: card(number + "2", pin: pin), request: "r")
        try await registry.unlink(other.id, request: "r")
        #expect(try leaks(of: [pin, number], in: folder) == [])
        // What would be found, is.
        #expect(try leaks(of: ["overdrive"], in: folder) != [])
      }
      #expect(try leaks(of: [pin, number], in: folder) == [])
    }
  }

  @Test func `The secrets of an account leave no sealed bytes behind in the file when unlinked`()
    async throws
  {
    try await withTemporaryFolder { folder in
      var sealed: [UInt8] = []
      try await withHouse(at: folder.path("test.sqlite3"), folder) { house in
        let registry = house.registry()
        let ada = try await registry.patron(named: "Ada")
        // Some builds of the library wipe what is deleted, and others do not.
        try await house.run("PRAGMA secure_delete = OFF")
        let id = try await registry.link(ada, "21234000000018").id
        // A neighbor keeps the page in use.
        _ = try await registry.link(ada, "21234000000026")
        sealed = try await blob(house, id, "pin")
        try await registry.unlink(id, request: "r")
      }
      // The journal was folded into the file when that was closed.
      let file = Data(try folder.read("test.sqlite3"))
      #expect(file.range(of: Data(sealed)) == nil)
    }
  }

  @Test func `The secrets of an account stand in no row of the server`() async throws {
    try await PostgresCluster.shared().withDatabase { address in
      try await withTemporaryFolder { folder in
        try await withHouse(at: address, folder) { house in
          let registry = house.registry()
          let ada = try await registry.patron(named: "Ada")
          _ = try await registry.link(
            patron: ada.id, name: .like("city"), provider: someProvider, library: someLibrary,
            credentials: card("ZZCARD8150ZZ", pin: "ZZPIN4711ZZ"), request: "r")
          let cluster = try await PostgresCluster.shared()
          var dump = ""
          for table in ["patron", "account", "account_secret", "registry_audit", "vault_key_table"]
          {
            dump += try await cluster.query("SELECT t::text FROM \(table) t", in: address)
          }
          #expect(dump.contains("overdrive"))
          for text in ["ZZCARD8150ZZ", "ZZPIN4711ZZ"] {
            #expect(spellings(of: text).allSatisfy { !dump.contains($0) })
          }
        }
      }
    }
  }

  /// Which texts stand in which file, plain or in one of the usual disguises.
  private func leaks(
    of texts: [String], in folder: TestSupport.TemporaryFolder
  ) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).flatMap { file in
      let bytes = Data(try folder.read(file))
      return texts.flatMap(spellings).filter { bytes.range(of: Data($0.utf8)) != nil }
        .map { "\(file): \($0)" }
    }
  }

  /// In base64 a text looks different at each of three offsets; the ends depend on the neighbors.
  private func spellings(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    let shifted = (0..<3).flatMap { offset in
      [Base64.standard, .urlSafe].map { alphabet in
        let whole = alphabet.encode([UInt8](repeating: 0, count: offset) + bytes, padded: false)
        return String(whole.dropFirst(offset == 0 ? 0 : 4).dropLast(1))
      }
    }
    let hex = Hex.encode(bytes)
    return [text, text.lowercased(), hex, hex.uppercased()] + shifted
  }
}

func blob(_ house: House, _ account: AccountID, _ field: String) async throws -> [UInt8] {
  try await house.store.read { snapshot throws(DatabaseError) in
    try snapshot.value(
      """
      SELECT sealed FROM account_secret
      WHERE account = \(account.rawValue) AND field = \(field)
      """)
  }
}
