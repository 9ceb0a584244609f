package import Books
import Catalog
package import Circulation
package import Database
package import Desk
package import Downloads
package import Profiles
package import Registry

/// What the house keeps of its readers, as the ways in show it.
package struct ShelfStock: Sendable {
  let store: Store
  let registry: Registry
  let desk: Desk
  /// Nil where nobody says what they like.
  let profiles: Profiles?
  let paper: PaperRule
  /// What Adobe's programs of a reader sign in with, for loans whose library brings nothing itself.
  let licensor: Licensing

  package typealias Licensing =
    @Sendable (PatronID, LibraryID) async -> LoanKeys.Licensor?

  package init(
    store: Store, registry: Registry, desk: Desk, profiles: Profiles? = nil,
    paper: PaperRule = .otherwise,
    licensor: @escaping Licensing = { _, _ in nil }
  ) {
    (self.store, self.registry, self.desk) = (store, registry, desk)
    (self.profiles, self.paper, self.licensor) = (profiles, paper, licensor)
  }

  /// From what is kept here, at one moment: no library is asked.
  package func shelf(of patron: PatronID) async throws(StockError) -> ReaderShelf {
    let kept: Kept
    do throws(DatabaseError) {
      kept = try await store.read { [saysLiked = profiles != nil] snapshot throws(DatabaseError) in
        let accounts = try snapshot.accounts(of: patron)
        let ids = accounts.map(\.id)
        return Kept(
          accounts: accounts, liked: saysLiked ? try snapshot.genres(of: patron) : [],
          marked: try snapshot.marked(by: patron), tickets: try snapshot.tickets(of: patron),
          freshness: try snapshot.freshness(of: ids), loans: try snapshot.loans(of: ids),
          holds: try snapshot.holds(of: ids), turns: try snapshot.turns(of: ids))
      }
    } catch {
      throw StockError("the reader's shelf cannot be read")
    }
    let loans = await desk.withKeys(kept.loans)
    return ReaderShelf(
      accounts: kept.accounts, loans: await licensed(loans, kept.accounts, patron),
      holds: kept.holds,
      stale: Set(kept.freshness.filter { $0.trouble != nil }.map(\.account)),
      hidden: kept.marked.filter(\.isIgnored).map(\.listed),
      saved: kept.marked.filter { $0.state == .saved }.map(\.listed),
      downloads: Dictionary(
        kept.tickets.map { (CatalogItem(library: $0.wish.library, item: $0.wish.item), $0.words) },
        uniquingKeysWith: { first, _ in first }), liked: kept.liked, paper: paper,
      turns: kept.turns)
  }

  private struct Kept: Sendable {
    let accounts: [Account]
    let liked: [String]
    let marked: [KeptBook]
    let tickets: [Ticket]
    let freshness: [Freshness]
    let loans: [KeptLoan]
    let holds: [KeptHold]
    let turns: [AccountID: Int64]
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
