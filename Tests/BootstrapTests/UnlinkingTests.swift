import BackOffice
import Circulation
import Database
import Desk
import Downloads
import FoundationEssentials
import HTTP
import Machine
import Membership
import MockKit
import Registry
import StoreSupport
import TestSupport
import Testing

@testable import Bootstrap

@Suite(.timeLimit(.minutes(3))) struct `Unlinking a card` {
  private struct Linked {
    let account: Account
    let title: String
  }

  /// A card with a loan, a download of it, a date for a hold, and all that follows from those.
  private func borrowed(_ stage: WishStage) async throws -> Linked {
    let title = try #require(stage.titles.first)
    stage.stock(title, copies: 1)
    let patron = try await stage.patron()
    let account = try #require(try await stage.house.registry.accounts(of: patron).first)
    let item = ItemID(title.id)
    _ = try await stage.house.desk.borrow(
      item, on: account.id, attempt: "a", in: stage.house.call(patron))
    _ = try await stage.house.followed([account], of: patron)
    _ = try await stage.house.storeroom.queue.ask(
      Downloads.Wish(
        item, on: account.id, of: account.library, for: patron, title: title.name))
    try await stage.house.desk.keep(notBefore: 99_999, for: HeldItem(account.id, item))
    return Linked(account: account, title: title.id)
  }

  private static let tables: SQL = .either(
    sqlite: """
      SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND c.name = 'account'
      """,
    postgres: """
      SELECT DISTINCT table_name::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND column_name = 'account'
      """)

  /// All that say of a row whose card it is about. Whoever adds one is reminded here.
  private static let names: [SQLName] = [
    "account_secret", "book", "book_holder", "desk_account", "desk_hold", "desk_intent",
    "desk_loan", "desk_not_before", "desk_rest", "desk_turn", "download", "mirror_account",
    "mirror_book", "mirror_carried", "mirror_friend", "mirror_list", "mirror_place",
    "mirror_write", "sign_in_pin", "sign_in_place",
    "sign_in_way",
  ]

  private struct Left: Error { let tables: Set<String> }

  /// Tables that tell of the account. The audit does, by a number that leads to nobody then; and a
  /// browser's pass, which opens nothing any more and goes with its time.
  private func left(of account: AccountID, _ store: Store) async throws -> Set<String> {
    let removals = Self.names.map {
      Removal("rows", from: $0, where: "account = \(account.rawValue)")
    }
    let result: Result<Void, Left> = try await store.decide { tx throws(DatabaseError) in
      let known: Set<String> = Set(
        try tx.rows(Self.tables) { row throws(DatabaseError) in try row[0] })
      #expect(
        known.subtracting(removals.map(\.table))
          == ["registry_audit", "registry_audit_month", "registry_pass"])
      var left: Set<String> = []
      for removal in removals where try tx.remove(removal) > 0 { left.insert(removal.table) }
      // Undone: it was only looked at.
      return .failure(Left(tables: left))
    }
    guard case .failure(let left) = result else { return [] }
    return left.tables
  }

  @Test(arguments: Engine.allCases)
  func `Unlinking a card leaves nothing of it in any table`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 2) { stage in
      let linked = try await borrowed(stage)
      let (id, house) = (linked.account.id, stage.house)
      #expect(
        try await left(of: id, house.store).isSuperset(
          of: ["desk_loan", "desk_intent", "desk_turn", "desk_not_before", "book", "download"]))
      try await house.enrollment.unlink(linked.account, in: house.call(nil))
      #expect(try await left(of: id, house.store).isEmpty)
      #expect(stage.loans() == [linked.title])
      #expect(try await house.desk.accountsInDoubt().isEmpty)
    }
  }

  @Test(arguments: Engine.allCases, [true, false])
  func `Unlinking a card ends what comes too late, and keeps nothing of it`(
    engine: Engine, isErased: Bool
  ) async throws {
    try await WishStage.play(engine, titles: 2) { stage in
      let linked = try await borrowed(stage)
      let (id, house) = (linked.account.id, stage.house)
      if isErased {
        let now = stage.calendar.now.millisecondsSinceEpoch
        _ = try await Purge(store: house.store, now: { now })
          .purge(linked.account.patron, by: "test", request: "r")
      } else {
        try await house.enrollment.unlink(linked.account, in: house.call(nil))
      }
      let call = house.call(nil)
      do throws(DeskError) {
        _ = try await house.desk.giveBack(
          ItemID(linked.title), on: id, attempt: "b", in: call)
        Issue.record("given back without a card")
      } catch {
        guard case .unlinked = error else {
          Issue.record(error)
          return
        }
      }
      // A door that was open before, and is used after.
      await #expect(throws: DeskError.self) {
        try await house.desk.keep(notBefore: 1, for: HeldItem(id, ItemID(linked.title)))
      }
      #expect(try await left(of: id, house.store).isEmpty)
      #expect(stage.loans() == [linked.title])
    }
  }

  @Test(arguments: Engine.allCases)
  func `Unlinking a card leaves nothing at whatever moment it comes`(engine: Engine) async throws {
    try await WishStage.play(engine, titles: 2) { stage in
      let linked = try await borrowed(stage)
      let (id, house, item) = (linked.account.id, stage.house, ItemID(linked.title))
      let call = house.call(nil)
      let (rounds, ended) = AsyncStream<Void>.makeStream()
      await withTaskGroup(of: Void.self) { group in
        for turn in 0..<12 {
          group.addTask {
            for round in 0..<4 {
              _ = try? await house.desk.renew(item, on: id, attempt: "\(turn)/\(round)", in: call)
              try? await house.desk.keep(notBefore: turn, for: HeldItem(id, item))
              ended.yield()
            }
          }
        }
        group.addTask {
          // In the midst of them.
          var seen = 0
          for await _ in rounds {
            seen += 1
            if seen == 12 { break }
          }
          do { try await house.enrollment.unlink(linked.account, in: call) } catch {
            Issue.record(error)
          }
        }
      }
      #expect(try await left(of: id, house.store).isEmpty)
    }
  }
}
