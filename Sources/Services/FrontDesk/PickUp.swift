package import Circulation
import Desk
package import HTTPServer
import Registry

/// Where paper can be picked up.
extension LendingStock {
  /// All libraries are asked side by side, each once; one that does not tell it at once tells it
  /// another time.
  package func branches(
    of ways: [Way], for request: Request
  ) async -> [AccountID: [Branch]] {
    await asked(ways, request, within: .seconds(3)) { account, call in
      (try? await desk.branches(on: account, in: call)) ?? []
    }
  }

  /// Whose libraries put paper aside at all. No library is asked for that.
  package func accountsWithPaper(among ways: [Way], for request: Request) async -> Set<AccountID> {
    let answers = await asked(ways, request, within: .seconds(1)) { account, call in
      (try? await desk.hasBranches(account, in: call)) ?? false
    }
    return Set(answers.filter(\.value).keys)
  }

  private func asked<Answer: Sendable>(
    _ ways: [Way], _ request: Request, within limit: Duration,
    _ ask: @escaping @Sendable (AccountID, Call) async -> Answer
  ) async -> [AccountID: Answer] {
    let accounts = ways.filter { $0.loan == nil && $0.hold == nil }.compactMap(\.account)
    return await withTaskGroup(of: (AccountID, Answer).self) { group in
      for account in accounts.distinct {
        let whole = call(account.patron, request)
        let call = whole.until(min(whole.deadline, .now + limit))
        group.addTask { (account.id, await ask(account.id, call)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }
}
