package import Books
import Catalog
package import Circulation
import Desk
package import HTTPServer
import Machine
import Phrasebook
import Registry

/// Where paper can be picked up.
extension LendingStock {
  /// By the title: its copies, and where one may be put aside. All libraries are asked side by side; one
  /// that does not tell it at once tells it another time.
  package func pickups(
    of ways: [Way], for request: Request
  ) async -> [BookKey: CopyList] {
    let open = ways.filter { $0.loan == nil && $0.hold == nil }
    let onPaper = open.filter(\.isPaper)
    // What is listed as a file may be there on paper too: its library tells branches, and no copies.
    let others = open.filter { !$0.isPaper }
    async let copies = copies(of: onPaper, request)
    let branches = await asked(others, request, within: .seconds(3)) { account, call in
      (try? await desk.branches(on: account, in: call)) ?? []
    }
    var pickups = await copies
    for way in others {
      guard let account = way.account, let places = branches[account.id] else { continue }
      pickups[way.key] = CopyList(pickups: places)
    }
    return pickups
  }

  /// Whose libraries put paper aside at all. No library is asked for that.
  package func accountsWithPaper(among ways: [Way], for request: Request) async -> Set<AccountID> {
    let answers = await asked(ways, request, within: .seconds(1)) { account, call in
      (try? await desk.hasBranches(account, in: call)) ?? false
    }
    return Set(answers.filter(\.value).keys)
  }

  private func copies(of ways: [Way], _ request: Request) async -> [BookKey: CopyList] {
    let ways = ways.filter { $0.account != nil }
    let copies = await concurrently(ways) { way in
      guard let account = way.account else { return CopyList() }
      let call = call(for: account, request, within: .seconds(3))
      let item = way.listed.edition.item
      return (try? await desk.copies(of: item, on: account.id, in: call)) ?? CopyList()
    }
    return Dictionary(zip(ways.map(\.key), copies)) { _, last in last }
  }

  private func asked<Answer: Sendable>(
    _ ways: [Way], _ request: Request, within limit: Duration,
    _ ask: @escaping @Sendable (AccountID, Call) async -> Answer
  ) async -> [AccountID: Answer] {
    let accounts = ways.filter { $0.loan == nil && $0.hold == nil }.compactMap(\.account)
    let distinct = accounts.distinct
    let answers = await concurrently(distinct) { account in
      await ask(account.id, call(for: account, request, within: limit))
    }
    return Dictionary(zip(distinct.map(\.id), answers)) { _, last in last }
  }

  private func call(
    for account: Account, _ request: Request, within limit: Duration
  ) -> Call {
    let whole = call(account.patron, request)
    return whole.until(min(whole.deadline, .now + limit))
  }
}

extension Way {
  package var key: BookKey { BookKey(listed.library, listed.edition.item) }
}

extension CopyList {
  /// `Mott Haven, 2 on the shelf`
  package func words(at branch: Branch) -> String {
    let count = onShelf(at: branch.id)
    return count == 0 ? branch.name : said("\(branch.name), \(count) on the shelf")
  }
}
