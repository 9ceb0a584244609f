import Books
import Catalog
import Circulation
import Database
import Desk
import FoundationEssentials
package import Items
import Machine
import Mirrors
import ReadingLists
import Registry
package import Setup

extension LinkedEngine {
  package func syncLists(
    _ order: ListSyncOrder, at seat: Seat,
    progress: @escaping @Sendable (ListSyncProgress) -> Void
  ) async throws(ErrorItem) -> [ListSyncItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.listAccounts(named: order.name)
      if accounts.isEmpty { throw ErrorItem("no_lists_linked") }
      var items: [ListSyncItem] = []
      for account in accounts {
        items.append(
          await visit.inStep(account, isWhole: order.isWhole, isRehearsal: order.isRehearsal) {
            progress(ListSyncProgress($0, of: account.name))
          })
      }
      return items
    }
  }

  package func listWrites(at seat: Seat) async throws(ErrorItem) -> [ListWriteItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.listAccounts(named: nil)
      let names = try await visit.listNames(of: accounts)
      return try await mirrored { () throws(MirrorError) in
        try await visit.house.mirrors.writes(of: accounts.map(\.id), atMost: 500)
      }.map { write in ListWriteItem(write, accounts, names) }
    }
  }

  package func undoListWrite(_ id: Int, at seat: Seat) async throws(ErrorItem) -> ListWriteItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.listAccounts(named: nil)
      let names = try await visit.listNames(of: accounts)
      let write: MirrorWrite
      do throws(MirrorError) {
        write = try await visit.house.mirrors.undo(Int64(id), of: accounts.map(\.id))
      } catch .noSuchWrite {
        var error = ErrorItem("unknown_write")
        error.detail = "\(id)"
        throw error
      } catch {
        throw ErrorItem(error)
      }
      return ListWriteItem(write, accounts, names)
    }
  }

  package func carried(
    _ order: ListCarryOrder?, at seat: Seat
  ) async throws(ErrorItem) -> [ListCarryItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.listAccounts(named: nil)
      if let order {
        let account = try await visit.account(order.account)
        guard visit.can(.listWriting, account) else {
          throw ErrorItem("list_read_only", detail: account.name)
        }
        let parts = Set(order.carried.compactMap { CarriedPart(rawValue: $0) })
        try await toldOfDatabase { () throws(DatabaseError) in
          try await visit.house.mirrors.carry(parts, to: account.id, of: visit.patron.id)
        }
      }
      var items: [ListCarryItem] = []
      for account in accounts {
        let standing = try await toldOfDatabase { () throws(DatabaseError) in
          try await visit.house.mirrors.standing(of: account.id)
        }
        items.append(
          ListCarryItem(
            account: account.name, carried: standing.carries.map(\.rawValue).sorted(),
            waiting: standing.waiting, canWrite: visit.can(.listWriting, account)))
      }
      return items
    }
  }
}

extension Visit {
  private func mirror(of list: CustomList) async throws(ErrorItem) -> MirroredList? {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.mirrors.mirrored(list.id)
    }
  }

  /// A list of a service goes by the service's name for it, and goes with the account.
  func refuseMirrored(_ list: CustomList) async throws(ErrorItem) {
    if try await mirror(of: list) != nil { throw ErrorItem("list_mirrored", detail: list.name) }
  }

  /// What is put on a list that a service alone may change would be there for nothing.
  func refuseReadOnly(_ list: CustomList) async throws(ErrorItem) {
    guard let mirror = try await mirror(of: list) else { return }
    let account = try await accounts().first { $0.id == mirror.account }
    guard let account, can(.listWriting, account), mirror.remote.isOpen else {
      throw ErrorItem("list_read_only", detail: list.name)
    }
  }

  /// Those where lists are kept; of a name, which may be that of a list, the one it means.
  func listAccounts(named name: String?) async throws(ErrorItem) -> [Account] {
    let accounts = try await accounts().filter { can(.lists, $0) }
    guard let name else { return accounts }
    if let account = accounts.first(where: { $0.name == name }) { return [account] }
    let list = try await list(name)
    guard let mirror = try await mirror(of: list),
      let account = accounts.first(where: { $0.id == mirror.account })
    else {
      throw ErrorItem("list_not_mirrored", detail: list.name)
    }
    return [account]
  }

  fileprivate func listNames(of accounts: [Account]) async throws(ErrorItem) -> ListNames {
    let lists = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.mirrors.mirrored(of: accounts.map(\.id))
    }
    return ListNames(
      lists.map { ($0.account, $0.remote.id, $0.remote.name) })
  }

  func inStep(
    _ account: Account, isWhole: Bool = false, isRehearsal: Bool = false,
    progress: @escaping @Sendable (MirrorProgress) -> Void = { _ in }
  ) async -> ListSyncItem {
    do throws(ErrorItem) {
      let provider = try await provider(of: account, call())
      let (house, patron) = (house, patron.id)
      guard let correspondent = Correspondent(provider, call: { house.call(patron) }) else {
        throw ErrorItem("list_not_mirrored", detail: account.name)
      }
      let order = MirrorOrder(
        account.id, named: account.name, of: patron, with: correspondent,
        carried: try await carriedBooks(), isWhole: isWhole, isRehearsal: isRehearsal)
      var friends: ErrorItem?
      let outcome: MirrorOutcome
      do throws(MirrorError) {
        outcome = try await house.mirrors.sync(order, progress: progress)
      } catch {
        if case .service(let reason) = error, let status = Account.Status(reason.reason) {
          try await note(status, account)
        }
        throw ErrorItem(error).about(account, in: house)
      }
      try await note(.linked, account)
      if !isRehearsal {
        do throws(MirrorError) { _ = try await house.mirrors.visitFriends(of: order) } catch {
          friends = ErrorItem(error).about(account, in: house)
        }
      }
      if !isRehearsal { try await recognize(atMost: 5_000) }
      let names = try await listNames(of: [account])
      var item = ListSyncItem(outcome, account, names)
      item.trouble = outcome.trouble.map { ErrorItem($0).about(account, in: house) } ?? friends
      return item
    } catch {
      var item = ListSyncItem(account: account.name, state: "stale")
      item.trouble = error
      return item
    }
  }

  /// What the reader said of books here, with the numbers that other services know them by.
  private func carriedBooks() async throws(ErrorItem) -> [CarriedBook] {
    let (verdicts, books) = try await toldOfDatabase { () throws(DatabaseError) in
      (
        try await house.books.verdicts(of: patron.id),
        try await house.books.saved(by: patron.id)
      )
    }
    var carried: [BookKey: CarriedBook] = [:]
    for verdict in verdicts {
      var book = CarriedBook(verdict.key, verdict.face, at: verdict.saidAt)
      book.rating = verdict.rating.map { Double($0) }
      book.finished = verdict.finished.flatMap { PartialDate($0) }
      carried[verdict.key] = book
    }
    for book in books {
      carried[
        book.key, default: CarriedBook(book.key, book.face, at: book.since)
      ].isSaved = true
    }
    let keys = carried.keys.sorted { ($0.library, $0.item) < ($1.library, $1.item) }
    let entries = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.entries(for: keys.map { ($0.library, $0.item) })
    }
    return zip(keys, entries).compactMap { key, entry in
      guard var book = carried[key] else { return nil }
      let editions = entry?.editions.map(\.edition) ?? []
      // Any edition of the work will do: what was read is the work.
      book.numbers = BookNumbers(
        isbns: editions.flatMap(\.isbns).distinct,
        identifiers: editions.flatMap(\.identifiers).distinct)
      return book
    }
  }
}

extension CarriedBook {
  fileprivate init(_ key: BookKey, _ face: BookFace, at moment: Int64) {
    self.init(
      library: key.library, item: key.item, title: face.title, authors: face.authors,
      saidAt: moment)
  }
}

extension ErrorItem {
  init(_ error: MirrorError) {
    switch error {
    case .database(let error): self = ErrorItem(error)
    case .service(let error): self = ErrorItem(error)
    case .busy: self = ErrorItem("lists_busy")
    case .noSuchWrite: self = ErrorItem("unknown_write")
    }
  }
}

private func mirrored<T: Sendable>(
  _ body: () async throws(MirrorError) -> T
) async throws(ErrorItem) -> T {
  do throws(MirrorError) { return try await body() } catch { throw ErrorItem(error) }
}
