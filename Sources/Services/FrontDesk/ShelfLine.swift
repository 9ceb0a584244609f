package import Catalog
package import Circulation
import Database
import Desk
package import FoundationEssentials
package import HTTP
package import Registry

/// One thing that a reader has or waits for: loans, those that end first, then holds.
package struct ShelfLine: Sendable {
  package enum Part: String, Sendable, CaseIterable {
    case loans, holds, ready
  }

  package let account: Account
  package let item: ItemID
  package let part: Part
  package let title: String?
  package let authors: [String]
  package let since: Date?
  /// The end of the loan, or of the time to take what is ready.
  package let until: Date?

  package static func all(of shelf: ReaderShelf) -> [ShelfLine] {
    let accounts = Dictionary(
      shelf.accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let loans = shelf.loans.sorted {
      ($0.loan.until ?? .distantFuture, $0.loan.item) < (
        $1.loan.until ?? .distantFuture, $1.loan.item
      )
    }
    return loans.compactMap { kept in
      accounts[kept.account].map {
        ShelfLine(
          account: $0, item: kept.loan.item, part: .loans, title: kept.loan.title,
          authors: kept.loan.authors, since: kept.loan.since,
          until: kept.loan.until)
      }
    }
      + shelf.holds.compactMap { kept in
        accounts[kept.account].map {
          ShelfLine(
            account: $0, item: kept.hold.item, part: kept.hold.isReady ? .ready : .holds,
            title: kept.hold.title, authors: kept.hold.authors, since: kept.hold.since,
            until: kept.hold.end)
        }
      }
  }

  /// What no harvest ever met, by what the shelf itself tells.
  package var unlisted: CatalogEntry {
    var edition = Edition(item: item, title: title ?? item.rawValue)
    edition.contributors = authors.map { Contributor(name: $0, role: .author) }
    return CatalogEntry(
      work: WorkID("\(account.library.rawValue):\(item.rawValue)"),
      editions: [
        ListedEdition(
          library: account.library, provider: account.provider, edition: edition,
          availability: nil)
      ])
  }

  /// A line of the shelf that no harvest met, by the name that its entry has.
  package static func entry(named work: WorkID, in shelf: ReaderShelf) -> CatalogEntry? {
    all(of: shelf).lazy.map(\.unlisted).first { $0.work == work }
  }
}

extension Stock {
  /// The whole work that each line is of. A loan may outlive what its library lists: where the work
  /// does not have the line's own edition any more, the last record of it comes along.
  package func entries(
    for lines: [ShelfLine], _ reach: Reach
  ) async throws(Problem) -> [CatalogEntry?] {
    try await read { () throws(DatabaseError) in
      let works = try await catalog.works(for: lines.map { ($0.account.library, $0.item) })
      let found = try await catalog.entries(
        of: works.compactMap(\.self).distinct, at: reach.libraries)
      var whole = Dictionary(found.map { ($0.work, $0) }, uniquingKeysWith: { first, _ in first })
      let gone = zip(lines, works).filter { line, work in
        work.map { whole[$0]?.lists(line.item, at: line.account.library) != true } ?? false
      }.map { ($0.0.account.library, $0.0.item) }
      for case let last? in try await catalog.entries(for: gone) {
        let known = whole[last.work]?.editions ?? []
        whole[last.work] = CatalogEntry(work: last.work, editions: known + last.editions)
      }
      return works.map { work in work.flatMap { whole[$0] } }
    }
  }
}

extension Hold {
  fileprivate var end: Date? { if case .ready(let until) = status { until } else { nil } }
}
