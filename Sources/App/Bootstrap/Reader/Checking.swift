import Circulation
import Desk
package import Items
import Registry
package import Setup

extension LinkedEngine {
  package func check(_ account: String?, at seat: Seat) async throws(ErrorItem) -> [CheckItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      var accounts = try await visit.accounts()
      if let account { accounts = [try await visit.account(account)] }
      return await withTaskGroup(of: (Int, CheckItem).self) { group in
        for (index, one) in accounts.enumerated() {
          group.addTask { (index, await visit.checked(one)) }
        }
        var found: [(Int, CheckItem)] = []
        for await one in group { found.append(one) }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
      }
    }
  }
}

extension Visit {
  fileprivate func checked(_ account: Account) async -> CheckItem {
    var trouble: ErrorItem?
    var current = account
    do throws(ErrorItem) {
      let answer = await asked(account)
      switch answer {
      case .success(let standing):
        try await note(.linked, account)
        _ = try await noted(standing, of: account)
      case .failure(let error):
        if let status = error.status { try await note(status, account) }
        trouble = error.item.about(account, in: house)
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

  private struct Refused: Error {
    let item: ErrorItem
    var status: Account.Status?
  }

  private func asked(_ account: Account) async -> Result<AccountStanding, Refused> {
    let call = call()
    let provider: any CirculationProvider
    do throws(ErrorItem) { provider = try await self.provider(of: account, call) } catch {
      return .failure(Refused(item: error))
    }
    do throws(CirculationError) { return .success(try await provider.checkAccount(in: call)) } catch
    {
      // Where nobody has a shelf there is nothing to be refused.
      if error.reason == .unsupported(.shelf) { return .success(AccountStanding()) }
      return .failure(
        Refused(item: ErrorItem(error), status: Account.Status(error.reason)))
    }
  }

  func note(_ status: Account.Status, _ account: Account) async throws(ErrorItem) {
    guard account.status != status else { return }
    try await told { () throws(RegistryError) in
      try await house.registry.record(status: status, of: account.id)
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

extension Account.Status {
  /// What a refusal says about the card itself; nil where it says nothing.
  init?(_ reason: CirculationError.Reason) {
    switch reason {
    case .credentialsRejected: self = .rejected
    case .accountExpired: self = .expired
    case .accountBlocked: self = .blocked
    default: return nil
    }
  }
}
