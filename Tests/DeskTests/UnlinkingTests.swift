import Circulation
import Database
import Desk
import TestSupport
import Testing

/// A card that is unlinked while something is asked with it. What the library did stays done there; here
/// nothing may be left that nobody would ever take away.
@Suite struct `A card that is unlinked` {
  /// How many rows stand in the tables of the desk.
  private func left(_ gateway: Gateway) async throws -> Int {
    try await gateway.store.read { tx throws(DatabaseError) in
      var left = 0
      for table: SQLName in [
        "desk_loan", "desk_hold", "desk_account", "desk_intent", "desk_turn", "desk_not_before",
        "desk_rest",
      ] {
        left += try tx.value("SELECT count(*) FROM \(name: table)", as: Int.self)
      }
      return left
    }
  }

  private func unlink(_ house: House, _ gateway: Gateway) async {
    house.town.unlink("ada")
    do { try await gateway.forget("ada") } catch { Issue.record(error) }
  }

  /// A title that Ada has, one that is in, and one that she waits for.
  private func withShelf(
    _ engine: Engine, _ body: (House, Gateway, Reader) async throws -> Void
  ) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      for item: ItemID in ["emma", "dune"] { house.town.stock(item) }
      house.town.stock("persuasion", copies: 0)
      #expect(await ada.perform(.borrow, "emma") == "lent")
      #expect(await ada.perform(.placeHold, "persuasion") == "done")
      try await body(house, gateway, ada)
    }
  }

  private static let commands: [(Verb, ItemID, Circulation.Operation)] = [
    (.borrow, "dune", .checkOut), (.giveBack, "emma", .checkIn), (.renew, "emma", .renew),
    (.placeHold, "dune", .placeHold), (.cancelHold, "persuasion", .cancelHold),
    (.suspendHold, "persuasion", .suspendHold), (.resumeHold, "persuasion", .resumeHold),
  ]

  @Test(arguments: Engine.allCases, commands)
  func `A card that is unlinked is told what the library did, and leaves nothing behind`(
    engine: Engine, command: (Verb, ItemID, Circulation.Operation)
  ) async throws {
    let (verb, item, operation) = command
    try await withShelf(engine) { house, gateway, ada async throws in
      if verb == .placeHold { house.town.stock("dune", copies: 0) }
      house.town.plan(operation, .then { await unlink(house, gateway) })
      #expect(await ada.perform(verb, item, "a") == (verb == .borrow ? "lent" : "done"))
      #expect(try await left(gateway) == 0)
      #expect(house.town.effects(of: "a") == 1)
      // Said once more, it is no command any more, and no doubt either.
      #expect(await ada.perform(verb, item, "a") == "unlinked")
      #expect(house.town.effects(of: "a") == 1)
      #expect(try await left(gateway) == 0)
    }
  }

  @Test(arguments: Engine.allCases, commands)
  func `A card that is unlinked is promised no later look where the answer was lost`(
    engine: Engine, command: (Verb, ItemID, Circulation.Operation)
  ) async throws {
    let (verb, item, operation) = command
    try await withShelf(engine) { house, gateway, ada async throws in
      if verb == .placeHold { house.town.stock("dune", copies: 0) }
      house.town.plan(operation, .thenLost { await unlink(house, gateway) })
      #expect(await ada.perform(verb, item, "a") == "unlinked")
      #expect(house.town.effects(of: "a") == 1)
      #expect(try await left(gateway) == 0)
      #expect(try await gateway.desk.accountsInDoubt().isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a command whose card is unlinked during the second check leaves nothing behind`(
    engine: Engine
  ) async throws {
    try await withShelf(engine) { house, gateway, ada async throws in
      house.town.plan(.checkOut, .lose(.networkFailure))
      house.town.plan(.shelf, .thenLost { await unlink(house, gateway) })
      #expect(await ada.perform(.borrow, "dune") == "unlinked")
      #expect(try await left(gateway) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A card that is unlinked hears a clear no as a no`(engine: Engine) async throws {
    try await withShelf(engine) { house, gateway, ada async throws in
      house.town.plan(
        .checkOut,
        .first {
          await unlink(house, gateway)
          house.town.change("bob") { $0.loans.append(Loan(item: "dune", until: nil)) }
        })
      #expect(await ada.perform(.borrow, "dune") == "no_copies_available")
      #expect(try await left(gateway) == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A card that is unlinked sends nothing any more once it is gone`(engine: Engine) async throws
  {
    try await withShelf(engine) { house, gateway, ada async throws in
      // Opened already, and asked how many copies there are.
      house.town.plan(.availability, .first { await unlink(house, gateway) })
      #expect(await ada.perform(.borrow, "dune", "a") == "unlinked")
      #expect(house.town.effects(of: "a") == 0)
      for (verb, item, _) in Self.commands {
        #expect(await ada.perform(verb, item, "b") == "unlinked")
      }
      #expect(house.town.effects(of: "b") == 0)
      #expect(await ada.sync().word == "unlinked")
      let emma = HeldItem("ada", "emma")
      await #expect(throws: DeskError.self) {
        try await gateway.desk.keep(notBefore: 20_000, for: emma)
      }
      await #expect(throws: DeskError.self) {
        try await gateway.desk.note(rest: emma, isOurs: true)
      }
      #expect(try await left(gateway) == 0)
    }
  }
}
