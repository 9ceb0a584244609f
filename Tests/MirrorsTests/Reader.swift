import Circulation
import Database
import ReadingLists
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Mirrors

/// One reader with one account there.
struct Reader {
  let store: Store
  let lists: ReadingLists
  let mirrors: Mirrors
  let room: Bookroom
  let clock: Mutable
  let patron = PatronID("ada")
  let account = AccountID("a1")

  final class Mutable: Sendable {
    let time = Mutex<Int64>(1_000)
    var now: Int64 { time.withLock(\.self) }
    func pass(_ span: Int64) { time.withLock { $0 += span } }
  }

  static func play<T>(
    _ engine: Engine, _ terms: ListTerms = .strict,
    _ body: (Reader) async throws -> T
  ) async throws -> T {
    try await withStore(engine, tables: [ReadingLists.migrations, Mirrors.migrations]) { store in
      let clock = Mutable()
      let lists = ReadingLists(store: store, now: { clock.now })
      return try await body(
        Reader(
          store: store, lists: lists,
          mirrors: Mirrors(store: store, now: { clock.now }),
          room: Bookroom(terms), clock: clock))
    }
  }

  private func order(
    whole: Bool, rehearsal: Bool = false, carried: [CarriedBook] = []
  ) throws -> MirrorOrder {
    let call: @Sendable () -> Call = {
      Call(patron: nil, deadline: .now + .seconds(30), requestID: "r1")
    }
    let correspondent = try #require(Correspondent(room, call: call))
    return MirrorOrder(
      account, named: "room", of: patron, with: correspondent, carried: carried, isWhole: whole,
      isRehearsal: rehearsal)
  }

  @discardableResult
  func sync(
    whole: Bool = true, rehearsal: Bool = false, carried: [CarriedBook] = []
  ) async throws -> MirrorOutcome {
    try await mirrors.sync(try order(whole: whole, rehearsal: rehearsal, carried: carried))
  }

  func visitFriends() async throws -> Int? {
    try await mirrors.visitFriends(of: try order(whole: false))
  }

  func unlink() async throws {
    let account = account
    try await store.write { tx throws(DatabaseError) in try Mirrors.forget(account, in: tx) }
  }

  func list(_ name: String) async throws -> CustomList {
    try await lists.list(called: "room/\(name)", of: patron)
  }

  func titles(on name: String) async throws -> [String] {
    try await lists.members(of: try await list(name).id, of: patron).map(\.book.title).sorted()
  }

  func member(_ title: String, on name: String) async throws -> ListMember? {
    try await lists.members(of: try await list(name).id, of: patron)
      .first { $0.book.title == title }
  }

  func add(_ title: String, to name: String, isbn: String? = nil) async throws {
    let isbns = isbn.flatMap { ISBN($0) }.map { [$0] } ?? []
    _ = try await lists.add(
      ListedBook(work: nil, title: title, authors: ["Ann Author"], isbns: isbns),
      to: try await list(name).id, of: patron)
  }

  func remove(_ title: String, from name: String) async throws {
    let member = try #require(try await member(title, on: name))
    try await lists.remove(member.id, of: member.list, of: patron)
  }
}
