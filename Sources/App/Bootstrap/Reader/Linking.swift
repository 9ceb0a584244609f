import Circulation
import Desk
import HTTP
package import Items
import Machine
import ProviderKit
import Registry
import Secrets
package import Setup
import SignIn

extension LinkedEngine {
  package func providers(at seat: Seat) async throws(ErrorItem) -> [ProviderItem] {
    allProviders.map { listing in
      var item = ProviderItem(
        id: listing.id.rawValue, title: listing.title,
        capabilities: Capability.allCases.filter(listing.capabilities.contains).map {
          .init($0.rawValue, $0.sentence)
        },
        needs: listing.fields.map(\.label), signIn: "fields")
      item.libraries = seat.configuration.libraries.filter {
        $0.provider.value == listing.id.rawValue
      }.map { LibraryItem(id: $0.id, name: $0.name ?? $0.id) }
      return item
    }
  }

  package func needs(of provider: String, library: String?, at seat: Seat)
    async throws(ErrorItem) -> SignInNeeds
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let id = ProviderID(provider.lowercased())
      let listing = try visit.opened { () throws(HouseError) in
        try visit.house.counter.listing(id)
      }
      let configured = visit.house.counter.libraries(of: id)
      if let library {
        guard configured.contains(where: { $0.id == library }) else {
          var error = ErrorItem("unknown_library")
          (error.detail, error.choices) = (library, configured.map(\.id))
          throw error
        }
        return try visit.needs(listing, LibraryID(library))
      }
      guard let only = configured.first else {
        var error = ErrorItem("not_configured")
        (error.library, error.detail) = (listing.title, "an entry under 'libraries'")
        throw error
      }
      guard configured.count == 1 else {
        var error = ErrorItem("choose_library")
        (error.detail, error.choices) = (provider, configured.map(\.id))
        throw error
      }
      return try visit.needs(listing, LibraryID(only.id))
    }
  }

  package func needs(of account: String, at seat: Seat) async throws(ErrorItem) -> SignInNeeds {
    try await visit(seat) { visit throws(ErrorItem) in
      let known = try await visit.account(account)
      let listing = try visit.opened { () throws(HouseError) in
        try visit.house.counter.listing(known.provider)
      }
      return try visit.needs(listing, known.library)
    }
  }

  /// Signs in first: what does not open the library's door is not kept.
  package func link(_ order: LinkOrder, at seat: Seat) async throws(ErrorItem) -> AccountItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let library = LibraryID(order.library ?? "")
      let provider = ProviderID(order.provider.lowercased())
      let credentials = try await visit.credentials(order.credentials, at: library)
      let standing = try await visit.standing(at: library, with: credentials)
      let account = try await told { () throws(RegistryError) in
        try await visit.house.registry.link(
          patron: visit.patron.id,
          name: order.name.map { .exactly($0) } ?? .like(library.rawValue), provider: provider,
          library: library, credentials: credentials, request: House.requestID())
      }
      return try await visit.noted(standing, of: account)
    }
  }

  package func unlink(_ account: String, at seat: Seat) async throws(ErrorItem) -> AccountItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let known = try await visit.account(account)
      let item = try await visit.items(of: [known])[0]
      try await told { () throws(RegistryError) in
        try await visit.house.registry.unlink(known.id, request: House.requestID())
      }
      do throws(DeskError) { try await visit.house.desk.forget(known.id) } catch {
        throw ErrorItem(error)
      }
      return item
    }
  }

  package func accounts(at seat: Seat) async throws(ErrorItem) -> [AccountItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      try await visit.items(of: try await visit.accounts())
    }
  }

  package func login(_ account: String, with given: GivenCredentials, at seat: Seat)
    async throws(ErrorItem) -> AccountItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let known = try await visit.account(account)
      let credentials = try await visit.credentials(given, at: known.library)
      let standing: AccountStanding
      do throws(ErrorItem) {
        standing = try await visit.standing(at: known.library, with: credentials)
      } catch {
        throw error.about(known, in: visit.house)
      }
      let renewed = try await told { () throws(RegistryError) in
        try await visit.house.registry.replaceCredentials(
          of: known.id, with: credentials, request: House.requestID())
      }
      return try await visit.noted(standing, of: renewed)
    }
  }

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
  func opened<T>(_ body: () throws(HouseError) -> T) throws(ErrorItem) -> T {
    do throws(HouseError) { return try body() } catch { throw ErrorItem(error) }
  }

  fileprivate func needs(_ listing: ProviderListing, _ library: LibraryID)
    throws(ErrorItem) -> SignInNeeds
  {
    let described = try opened { () throws(HouseError) in try house.counter.library(library) }
    let name = house.counter.name(of: library)
    switch try way(listing, described) {
    case .page:
      return SignInNeeds(
        library: library.rawValue, libraryName: name, fields: [], isPage: true)
    case .fields(let fields):
      return SignInNeeds(
        library: library.rawValue, libraryName: name,
        fields: fields.map {
          .init(
            name: $0.name, label: $0.label, isSecret: $0.isSecret, isRequired: $0.isRequired)
        }, isPage: false)
    }
  }

  private func way(_ listing: ProviderListing, _ library: ProviderKit.Library)
    throws(ErrorItem) -> SignInWay
  {
    do throws(SettingsFault) { return try listing.signIn(library) } catch {
      throw ErrorItem(HouseError.library(library.id, "\(error.key), which \(error.what)"))
    }
  }

  fileprivate func credentials(_ given: GivenCredentials, at library: LibraryID)
    async throws(ErrorItem) -> Credentials
  {
    let described = try opened { () throws(HouseError) in try house.counter.library(library) }
    let listing = try opened { () throws(HouseError) in
      try house.counter.listing(described.provider)
    }
    switch given {
    case .fields(let fields): return Credentials(fields)
    case .page(let open):
      guard case .page(let page) = try way(listing, described) else {
        throw ErrorItem(HouseError.library(library, "a sign-in page"))
      }
      return try await signIn(at: page, described, open)
    }
  }

  /// Sends the reader to the service's own page and waits on loopback for the way back.
  private func signIn(
    at page: SignInPage, _ library: ProviderKit.Library, _ open: @Sendable (String) -> Void
  ) async throws(ErrorItem) -> Credentials {
    let session = house.counter.session(of: library)
    // People type slowly and look for their cards.
    let call = call(.seconds(600))
    let state = Self.unguessable()
    let catcher: RedirectCatcher
    do throws(RedirectCatcher.Fault) {
      catcher = try RedirectCatcher(port: try port(of: library), state: state)
    } catch {
      throw ErrorItem(
        HouseError.library(library.id, "a free port for the way back (redirect_port)"))
    }
    do {
      let visit = try await page.begin(
        .init(redirect: catcher.redirect, state: state), session, call)
      open(visit.address.text)
      let answer = try await catcher.answer(before: call.deadline)
      return try await page.finish(visit, .redirected(answer), session, call)
    } catch let error as CirculationError {
      await catcher.close()
      throw ErrorItem(error).about(library)
    } catch {
      await catcher.close()
      throw ErrorItem("deadline_exceeded").about(library)
    }
  }

  /// Services compare the redirect letter for letter with what was registered, port and all.
  private func port(of library: ProviderKit.Library) throws(RedirectCatcher.Fault) -> Int {
    guard let text = library.settings["redirect_port"] else { return 0 }
    guard let port = Int(text) else { throw .cannotListen }
    return port
  }

  private static func unguessable() -> String {
    Chance.system.bytes(24).map { byte in
      String(byte, radix: 16, uppercase: false)
    }.joined()
  }

  fileprivate func standing(at library: LibraryID, with credentials: Credentials)
    async throws(ErrorItem) -> AccountStanding
  {
    let provider = try opened { () throws(HouseError) in
      try house.counter.provider(at: library, with: credentials)
    }
    do throws(CirculationError) {
      return try await provider.checkAccount(in: call())
    } catch {
      var item = ErrorItem(error)
      item.library = house.counter.name(of: library)
      item.account = library.rawValue
      item.card = credentials["card"].map { card in
        card.revealText { $0.count > 4 ? "…\($0.suffix(4))" : "…" }
      }
      throw item
    }
  }

  fileprivate func noted(_ standing: AccountStanding, of account: Account)
    async throws(ErrorItem) -> AccountItem
  {
    try await told { () throws(RegistryError) in
      try await house.registry.record(
        loanLimit: standing.loanLimit, holdLimit: standing.holdLimit, of: account.id)
    }
    return try await items(of: [try await self.account(account.name)])[0]
  }

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

  func items(of accounts: [Account]) async throws(ErrorItem) -> [AccountItem] {
    let ids = accounts.map(\.id)
    do throws(DeskError) {
      let loans = try await house.desk.loans(of: ids)
      let holds = try await house.desk.holds(of: ids)
      let freshness = try await house.desk.freshness(of: ids)
      return accounts.map { account in
        var item = AccountItem(
          name: account.name, provider: account.provider.rawValue,
          library: account.library.rawValue, libraryName: house.counter.name(of: account.library),
          state: account.status.rawValue)
        item.card = account.maskedCard
        item.loans = .init(
          used: loans.count { $0.account == account.id }, limit: account.loanLimit)
        item.holds = .init(
          used: holds.count { $0.account == account.id }, limit: account.holdLimit)
        let fresh = freshness.first { $0.account == account.id }
        item.lastGoodSync = fresh?.goodAt?.rfc3339
        item.trouble = fresh?.trouble
        return item
      }
    } catch {
      throw ErrorItem(error)
    }
  }
}

extension ErrorItem {
  fileprivate func about(_ library: ProviderKit.Library) -> ErrorItem {
    var item = self
    (item.library, item.account) = (library.name, library.id.rawValue)
    return item
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
