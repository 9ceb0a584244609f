import Circulation
import Desk
package import Items
import Machine
import Membership
import Registry
package import Setup

extension LinkedEngine {
  package func check(_ account: String?, at seat: Seat) async throws(ErrorItem) -> [CheckItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      var accounts = try await visit.accounts()
      if let account { accounts = [try await visit.account(account)] }
      return await concurrently(accounts) { account in await visit.checked(account) }
    }
  }
}

extension Visit {
  fileprivate func checked(_ account: Account) async -> CheckItem {
    var trouble: ErrorItem?
    var current = account
    do throws(ErrorItem) {
      do throws(EnrollmentError) {
        _ = try await house.enrollment.check(account, in: call())
      } catch {
        trouble = ErrorItem(error).about(account, in: house)
      }
      current = try await self.account(account.name)
    } catch {
      trouble = error.about(account, in: house)
    }
    let items = try? await items(of: [current])
    let item =
      items?.first
      ?? AccountItem(
        name: account.name, provider: account.provider.rawValue,
        library: account.library.rawValue, libraryName: house.counter.name(of: account.library),
        state: account.status.rawValue)
    return CheckItem(item, trouble: trouble)
  }

  func note(_ status: Account.Status, _ account: Account) async throws(ErrorItem) {
    try await toldOfEnrollment { () throws(EnrollmentError) in
      try await house.enrollment.note(status, of: account)
    }
  }

  func provider(of account: Account, _ call: Call) async throws(ErrorItem)
    -> any CirculationProvider
  {
    do throws(HouseError) {
      return try await house.counter.provider(
        of: account.id, house.registry, request: call.requestID)
    } catch {
      throw ErrorItem(error).about(account, in: house)
    }
  }
}
