import Books
import Catalog
import Circulation
import Database
import Desk
import Downloads
import FoundationEssentials
package import Items
import Machine
import Registry
package import Setup
import Synchronization

extension LinkedEngine {
  package func download(
    _ order: DownloadOrder, at seat: Seat,
    progress: @escaping @Sendable ([DownloadItem]) -> Void
  ) async throws(ErrorItem) -> [DownloadItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      var wanted: [Int64] = []
      for title in order.titles {
        let ticket = try await visit.asked(for: title, order.format, offers)
        if !wanted.contains(ticket.id) { wanted.append(ticket.id) }
      }
      if order.titles.isEmpty {
        wanted = try await visit.tickets().filter { $0.state != .done }.map(\.id)
      }
      let fetching = Fetching(visit: visit, accounts: offers.accounts, progress: progress)
      return try await fetching.items(of: wanted)
    }
  }

  package func downloads(at seat: Seat) async throws(ErrorItem) -> [DownloadItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.accounts()
      var items: [DownloadItem] = []
      for ticket in try await visit.tickets() where ticket.state != .done {
        items += [try await visit.item(ticket, accounts)].compactMap(\.self)
      }
      return items
    }
  }

  package func change(_ order: QueueOrder, at seat: Seat) async throws(ErrorItem) -> [DownloadItem]
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.accounts()
      let (queue, patron) = (visit.house.storeroom.queue, visit.patron.id)
      let word =
        switch order {
        case .pause(let word), .resume(let word), .cancel(let word): word
        }
      let one = try await visit.ticket(named: word, accounts)
      let changed = try await toldOfDatabase { () throws(DatabaseError) in
        switch order {
        case .pause: return try await queue.pause(one?.id, of: patron)
        case .resume:
          return try await queue.resume(one?.id, of: patron)
            + queue.retry(one?.id, of: patron)
        case .cancel: return try await queue.cancel(one?.id, of: patron)
        }
      }
      var items: [DownloadItem] = []
      for ticket in changed {
        items += [try await visit.item(ticket, accounts)].compactMap(\.self)
      }
      return items
    }
  }
}

/// A run through the line, until the tickets that somebody waits for are settled.
struct Fetching {
  let visit: Visit
  let accounts: [Account]
  let progress: @Sendable ([DownloadItem]) -> Void

  func items(of wanted: [Int64]) async throws(ErrorItem) -> [DownloadItem] {
    let pages = Mutex<[Int64: String]>([:])
    let shown = Mutex<[Int64: DownloadItem]>([:])
    let (accounts, progress) = (accounts, progress)
    let porter = visit.house.porter { news in
      switch news {
      case .page(let ticket, let address): pages.withLock { $0[ticket.id] = address }
      case .progress(let ticket, let received, let total):
        guard var item = DownloadItem(ticket, accounts) else { return }
        (item.state, item.received, item.total) = ("running", received, total)
        let reached = item
        progress(
          shown.withLock { shown in
            shown[ticket.id] = reached
            return shown.sorted { $0.key < $1.key }.map(\.value)
          })
      case .ended(let ticket), .gone(let ticket): shown.withLock { $0[ticket.id] = nil }
      case .started, .stuck: break
      }
    }
    await porter.workOff()
    // What another program of the house has in its hands is waited for.
    while !Task.isCancelled, try await isBusy(wanted) {
      do throws(CancellationError) {
        try await visit.house.time.sleep(for: .milliseconds(200))
      } catch { break }
      await porter.workOff()
    }
    var items: [DownloadItem] = []
    for id in wanted {
      guard let ticket = try await visit.current(id) else { continue }
      guard var item = try await visit.item(ticket, accounts) else { continue }
      item.page = pages.withLock { $0[id] }
      items.append(item)
    }
    return items
  }

  private func isBusy(_ wanted: [Int64]) async throws(ErrorItem) -> Bool {
    for id in wanted {
      if let ticket = try await visit.current(id), ticket.state == .running { return true }
    }
    return false
  }
}

extension Visit {
  func tickets() async throws(ErrorItem) -> [Ticket] {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.storeroom.queue.tickets(of: patron.id)
    }
  }

  fileprivate func current(_ id: Int64) async throws(ErrorItem) -> Ticket? {
    try await toldOfDatabase { () throws(DatabaseError) in
      try await house.storeroom.queue.ticket(id)
    }
  }

  /// Puts a title that is on loan into the line.
  func asked(
    for title: String, _ format: String?, _ offers: Offers
  ) async throws(ErrorItem) -> Ticket {
    let (loan, account, entry) = try await loan(named: title, offers)
    let edition = entry?.editions.first?.edition
    let wanted = format.flatMap { word in
      loan.formats(edition).first { $0.content.rawValue == word || $0.id == word }
    }
    let wish = Wish(
      loan, on: account.id, of: account.library, for: patron.id, edition: edition,
      isOpenAccess: entry?.editions.first?.availability?.status == .openAccess, as: wanted)
    if format != nil, wanted == nil {
      var error = ErrorItem("format_unavailable")
      error.title = wish.title
      throw error.about(account, in: house)
    }
    return try await toldOfDatabase { () throws(DatabaseError) in
      let (queue, files) = (house.storeroom.queue, house.storeroom.files)
      let known = try await queue.tickets(of: patron.id).first {
        $0.wish.account == wish.account && $0.wish.item == wish.item
      }
      // What is over by now opens nothing any more.
      let isOver = known.flatMap { files.adobeToken(of: $0) }?.isOver(
        at: house.time.now().millisecondsSinceEpoch)
      return try await queue.ask(wish, anew: isOver == true).ticket
    }
  }

  private func loan(
    named title: String, _ offers: Offers
  ) async throws(ErrorItem) -> (Loan, Account, CatalogEntry?) {
    let loans = offers.loans
    let found = try await Finding(self, offers).onShelf(
      title, loans.map { ($0.account, $0.loan.item, $0.loan.title) })
    if let found, let account = found.account {
      let item = found.entry.editions[0].edition.item
      if let kept = loans.first(where: { $0.account == account.id && $0.loan.item == item }) {
        return (kept.loan, account, found.entry)
      }
    }
    let work = try await Finding(self, offers).one(title)
    let ways = offers.ways(to: work.entry).filter {
      work.account == nil || $0.account.id == work.account?.id
    }
    for way in ways {
      if let kept = offers.loan(way) { return (kept.loan, way.account, work.entry) }
    }
    var error = ErrorItem("not_on_loan")
    error.title = work.entry.lead.edition.title
    throw error
  }

  /// One of the line, by the name of its title; nil where none was named.
  fileprivate func ticket(
    named word: String?, _ accounts: [Account]
  ) async throws(ErrorItem) -> Ticket? {
    guard let word else { return nil }
    let tickets = try await tickets()
    let folded = word.lowercased()
    let exact = tickets.filter { ticket in
      accounts.contains {
        $0.id == ticket.wish.account
          && "\($0.name):\(ticket.wish.item.rawValue)".lowercased() == folded
      }
    }
    let found =
      exact.isEmpty ? tickets.filter { $0.wish.title.lowercased().contains(folded) } : exact
    if found.count == 1 { return found[0] }
    var error = ErrorItem(found.isEmpty ? "not_in_queue" : "several_matches")
    error.detail = word
    error.choices = found.prefix(10).compactMap { DownloadItem($0, accounts) }.map {
      "\($0.account):\($0.item)  \($0.title)"
    }
    throw error
  }

  func item(
    _ ticket: Ticket, _ accounts: [Account]
  ) async throws(ErrorItem) -> DownloadItem? {
    guard var item = DownloadItem(ticket, accounts) else { return nil }
    let storeroom = house.storeroom
    switch ticket.state {
    case .done:
      let book = try await toldOfDatabase { () throws(DatabaseError) in
        try await storeroom.files.book(
          of: patron.id, ticket.wish.item, on: ticket.wish.account)
      }
      if let book {
        item.path = storeroom.files.path(of: book)
        item.fileName = book.fileName.text
        item.mediaType = book.kind.mediaType
        item.opensWith = book.kind.reader
      }
    case .queued:
      item.ahead = try await toldOfDatabase { () throws(DatabaseError) in
        try await storeroom.queue.ahead(of: ticket)
      }
    case .running, .paused, .failed: break
    }
    return item
  }
}

extension DownloadItem {
  /// Nil for a card that is no longer the reader's.
  init?(_ ticket: Ticket, _ accounts: [Account]) {
    guard let account = accounts.first(where: { $0.id == ticket.wish.account }) else { return nil }
    self.init(
      title: ticket.wish.title, account: account.name, item: ticket.wish.item.rawValue,
      state: ticket.state.rawValue)
    authors = ticket.wish.authors
    (reason, tries) = (ticket.reason, ticket.tries)
    retriesAt = ticket.nextAt.map { Date(milliseconds: $0).rfc3339 }
    (received, total) = (ticket.received, ticket.total)
  }
}
