package import Books
import Catalog
package import Circulation
import Database
package import Desk
package import Downloads
package import Profiles
package import Registry

/// What the house keeps of its readers, as the ways in show it.
package struct ShelfStock: Sendable {
  let registry: Registry
  let desk: Desk
  let books: MyBooks
  let queue: DownloadQueue
  /// Nil where nobody says what they like.
  let profiles: Profiles?
  let paper: PaperRule
  /// What Adobe's programs of a reader sign in with, for loans whose library brings nothing itself.
  let licensor: Licensing

  package typealias Licensing =
    @Sendable (PatronID, LibraryID) async -> LoanKeys.Licensor?

  package init(
    registry: Registry, desk: Desk, books: MyBooks, queue: DownloadQueue,
    profiles: Profiles? = nil, paper: PaperRule = .otherwise,
    licensor: @escaping Licensing = { _, _ in nil }
  ) {
    (self.registry, self.desk, self.books, self.queue) = (registry, desk, books, queue)
    (self.profiles, self.paper, self.licensor) = (profiles, paper, licensor)
  }

  /// From what is kept here: no library is asked.
  package func shelf(of patron: PatronID) async throws(StockError) -> ReaderShelf {
    let accounts: [Account]
    do throws(RegistryError) { accounts = try await registry.accounts(of: patron) } catch {
      throw StockError("the reader's cards cannot be read")
    }
    let ids = accounts.map(\.id)
    let marked: [KeptBook]
    let tickets: [Ticket]
    let liked: [String]
    do throws(DatabaseError) {
      liked = try await profiles?.genres(of: patron) ?? []
      marked = try await books.marked(by: patron)
      tickets = try await queue.tickets(of: patron)
    } catch {
      throw StockError("the reader's books cannot be read")
    }
    do throws(DeskError) {
      let stale = try await desk.freshness(of: ids).filter { $0.trouble != nil }.map(\.account)
      let loans = await desk.withKeys(try await desk.loans(of: ids))
      return ReaderShelf(
        accounts: accounts, loans: await licensed(loans, accounts, patron),
        holds: try await desk.holds(of: ids), stale: Set(stale),
        hidden: marked.filter(\.isIgnored).map(\.listed),
        saved: marked.filter { $0.state == .saved }.map(\.listed),
        downloads: Dictionary(
          tickets.map { (CatalogItem(library: $0.wish.library, item: $0.wish.item), $0.words) },
          uniquingKeysWith: { first, _ in first }), liked: liked, paper: paper)
    } catch {
      throw StockError("the reader's shelf cannot be read")
    }
  }

  private func licensed(
    _ loans: [KeptLoan], _ accounts: [Account], _ patron: PatronID
  ) async -> [KeptLoan] {
    var known: [LibraryID: LoanKeys.Licensor?] = [:]
    var licensed = loans
    for (place, one) in loans.enumerated() {
      guard one.loan.keys?.licensor == nil, one.loan.mayBeAdobes,
        let library = accounts.first(where: { $0.id == one.account })?.library
      else { continue }
      if known[library] == nil { known[library] = .some(await licensor(patron, library)) }
      guard case .some(.some(let found)) = known[library] else { continue }
      var loan = one.loan
      loan.keys = LoanKeys(passphrase: loan.keys?.passphrase, licensor: found)
      licensed[place] = KeptLoan(account: one.account, loan: loan, asOf: one.asOf)
    }
    return licensed
  }

  /// Libraries whose last word to anybody was none.
  package func silent() async throws(StockError) -> Set<LibraryID> {
    let tries: [Freshness]
    do throws(DeskError) { tries = try await desk.lastSilence() } catch {
      throw StockError("the desk's notes cannot be read")
    }
    let libraries: [AccountID: LibraryID]
    do throws(RegistryError) {
      libraries = try await registry.libraries(of: tries.map(\.account).distinct)
    } catch {
      throw StockError("the readers' cards cannot be read")
    }
    var last: [LibraryID: Freshness] = [:]
    for one in tries {
      // A card that was given up meanwhile says nothing.
      guard let library = libraries[one.account] else { continue }
      if last[library].map({ $0.triedAt < one.triedAt }) ?? true { last[library] = one }
    }
    return Set(last.filter { $0.value.trouble != nil }.keys)
  }
}

extension Loan {
  /// As far as the loan itself tells.
  fileprivate var mayBeAdobes: Bool {
    let all = lockedFormat.map { [$0] } ?? formats
    return all.isEmpty || all.contains { $0.protection == .adobe }
  }
}

extension KeptBook {
  fileprivate var listed: CatalogItem { CatalogItem(library: key.library, item: key.item) }
}

extension Ticket {
  /// For a feed, which has no bar to fill.
  fileprivate var words: String {
    switch state {
    case .queued: return "Waits to be downloaded."
    case .running:
      guard let total, total > 0 else { return "It is being downloaded." }
      return "It is being downloaded: \(min(100, received * 100 / total)) %."
    case .paused: return "The download rests."
    case .failed: return "The download failed."
    case .done: return "It is downloaded."
    }
  }
}
