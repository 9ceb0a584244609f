import Circulation
import HTTP
import HTTPClient
import OPDS
import ProviderKit

// What the reader has, and the three deeds: to borrow, to wait, to let go (§3.1).

extension OPDSLibraryProvider {
  /// All that the reader has, page after page.
  func shelved(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [Publication]
  {
    _ = try reader(during: operation)
    let start = try await start(operation, in: call)
    if start.isDistributor { return try await lent(operation, in: call) }
    guard let first = start.shelf else {
      // A private catalogue that lends nothing has no shelf; an open one with a card should.
      if start.isPrivate { return [] }
      throw failure(
        .malformedResponse(expected: "a link to the shelf"), operation)
    }
    var titles: [Publication] = []
    var seen: Set<Address> = []
    var next: Address? = first
    while let address = next, seen.insert(address).inserted {
      guard seen.count <= 50 else { throw Documents.malformed("an end to the shelf", operation) }
      let reply = try await get(address, .reader(start), operation, in: call)
      let feed = try Documents.feed(reply, .strict, operation)
      titles += try Documents.shelf(feed, operation)
      next = feed.next?.address
    }
    return titles
  }

  /// Nil when the reader neither has the title nor waits for it.
  func mine(_ item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Publication?
  {
    if settings.reader != nil, try await start(operation, in: call).isDistributor {
      let title = try await standing(
        of: try await publication(item, operation, in: call), operation, in: call)
      return title.loan(in: settings) == nil ? nil : title
    }
    return try await shelved(operation, in: call).first { settings.item(of: $0) == item }
  }

  /// The title as a stranger sees it, with all that is told of it.
  func publication(_ item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Publication
  {
    guard let address = settings.address(of: item) else {
      return try await found(item, operation, in: call)
    }
    let start = try await start(operation, in: call)
    let reply = try await get(address, eyes(start), operation, in: call)
    return try Documents.publication(reply, operation)
  }

  // MARK: - Deeds

  /// `present` is the loan that is to be prolonged.
  func borrow(
    _ item: ItemID, by link: Address, beyond present: Loan? = nil,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> BorrowOutcome {
    let result = try await follow(link, to: item, beyond: present, operation, in: call)
    if let loan = result.loan(in: settings) { return .borrowed(loan.named(item)) }
    guard let hold = result.hold(in: settings) else {
      throw Documents.malformed("a loan", operation)
    }
    // The copy went to somebody else in between, and we were put in line though nobody asked for it.
    guard let deed = result.revocation else { return .waiting(hold.named(item)) }
    do throws(CirculationError) { try await revoke(deed, operation, in: call) } catch {
      return .waiting(hold.named(item))
    }
    throw failure(.noCopiesAvailable, operation)
  }

  func wait(for item: ItemID, by link: Address, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let result = try await follow(link, to: item, .placeHold, in: call)
    if let hold = result.hold(in: settings) { return hold.named(item) }
    guard result.loan(in: settings) != nil else { throw Documents.malformed("a hold", .placeHold) }
    // A copy came back in between, and we were given it though nobody asked for it.
    if let deed = result.revocation { try await revoke(deed, .placeHold, in: call) }
    throw failure(.currentlyAvailable, .placeHold)
  }

  /// The title in its new state: as the answer tells it, or else the shelf.
  private func follow(
    _ link: Address, to item: ItemID, beyond present: Loan? = nil,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Publication {
    let reply = try await command(link, .put, operation, in: call)
    let doubt: CirculationError
    do throws(CirculationError) {
      let told = try Documents.publication(reply, operation)
      if told.loan(in: settings) != nil || told.hold(in: settings) != nil { return told }
      doubt = Documents.malformed("the title in its new state", operation)
    } catch {
      // A licence, a redirect to it, or "you have it already" are answers that the shelf explains.
      let isDone = reply.status.isSuccess || reply.status.isRedirect
      guard isDone || error.reason == .alreadyBorrowed else { throw error }
      doubt = error
    }
    guard let mine = try await mine(item, operation, in: call) else { throw doubt }
    // A shelf that is as it was explains nothing.
    if let present, mine.loan(in: settings)?.isLonger(than: present) != true { throw doubt }
    return mine
  }

  func revoke(
    _ deed: (address: Address, method: HTTP.Method), _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) {
    let reply = try await command(deed.address, deed.method, operation, in: call)
    // A nod is enough; a page of somebody else's is none.
    if reply.status.isSuccess, reply.body.isEmpty { return }
    _ = try Documents.document(reply, .strict, operation)
  }
}

extension Loan {
  /// An answer may leave out what names the title everywhere else.
  fileprivate func named(_ item: ItemID) -> Loan {
    var loan = Loan(item: item, until: until)
    (loan.since, loan.lockedFormat, loan.formats) = (since, lockedFormat, formats)
    (loan.isRenewable, loan.isReturnable) = (isRenewable, isReturnable)
    (loan.title, loan.authors, loan.keys) = (title, authors, keys)
    return loan
  }
}

extension Hold {
  fileprivate func named(_ item: ItemID) -> Hold {
    var hold = Hold(item: item, status: status)
    (hold.since, hold.title, hold.authors) = (since, title, authors)
    return hold
  }
}
