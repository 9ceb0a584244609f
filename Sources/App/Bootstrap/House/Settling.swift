import Circulation
import Desk
import Log
import Machine
import Synchronization

extension House {
  /// Settles what a killed program or a silent library left unconfirmed: looks every second whether a
  /// library is to be asked, all at once, so that one that does not respond delays no other.
  func settleUnconfirmed(_ logger: Logger) async {
    let asked = AskedAccounts()
    await withDiscardingTaskGroup { group in
      while !Task.isCancelled {
        // A database that is away is said elsewhere, and looked at again in a second.
        let due = (try? await desk.accountsToSettle()) ?? []
        for account in due where asked.begin(account) {
          group.addTask {
            let syncs = await self.desk.sync([account], in: self.call(nil))
            let count = syncs.reduce(0) { $0 + $1.settled.count }
            if count > 0 { logger.info("open commands settled", [.pair("count", count)]) }
            asked.end(account)
          }
        }
        do throws(CancellationError) { try await time.sleep(for: .seconds(1)) } catch { return }
      }
    }
  }
}

/// Accounts whose library is being asked at this moment.
private final class AskedAccounts: Sendable {
  private let accounts = Mutex<Set<AccountID>>([])

  /// False where it is being asked already.
  func begin(_ account: AccountID) -> Bool {
    accounts.withLock { $0.insert(account).inserted }
  }

  func end(_ account: AccountID) { accounts.withLock { _ = $0.remove(account) } }
}
