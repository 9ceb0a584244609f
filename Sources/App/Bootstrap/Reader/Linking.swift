import Books
import Circulation
import Database
import Desk
package import Items
import Machine
import Mirrors
import ProviderKit
import Registry
import Secrets
package import Setup

extension LinkedEngine {
  package func providers(at seat: Seat) async throws(ErrorItem) -> [ProviderItem] {
    allProviders.map { listing in
      var item = ProviderItem(
        id: listing.id.rawValue, title: listing.title,
        capabilities: Capability.allCases.filter(listing.capabilities.contains).map {
          .init($0.rawValue, $0.sentence)
        },
        needs: listing.fields.map(\.label), signIn: "fields")
      item.fields = listing.fields.map(\.name)
      item.settings = listing.needs.settings.map { field in
        (field.isSecret ? "\(field.name)_file" : field.name) + (field.isRequired ? "" : "?")
      }
      let named = seat.configuration.libraries
      item.libraries = (named + Counter.open(besides: named)).filter {
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
        if let given = Counter.library(givenAs: library), given.provider == id {
          return try visit.needs(listing, given.id)
        }
        guard configured.contains(where: { $0.id == library }) else {
          var error = ErrorItem("unknown_library")
          (error.detail, error.choices) = (library, configured.map(\.id))
          throw error
        }
        return try visit.needs(listing, LibraryID(library))
      }
      guard let only = configured.first else {
        if listing.needs.addressEndpoint != nil {
          var error = ErrorItem("not_configured")
          (error.library, error.detail) = (listing.title, "the address of a catalogue (--library)")
          throw error
        }
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
      let library = LibraryID(order.library)
      let provider = ProviderID(order.provider.lowercased())
      let tried = TriedCredentials(try await visit.credentials(order.credentials, at: library))
      let standing = try await visit.standing(at: library, with: tried.asGiven)
      let account = try await told { () throws(RegistryError) in
        try await visit.house.registry.link(
          patron: visit.patron.id,
          name: order.name.map { .exactly($0) }
            ?? .like(Counter.library(givenAs: library.rawValue)?.name ?? library.rawValue),
          provider: provider,
          library: library, credentials: tried.afterUse, request: House.requestID())
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
      try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.books.forget(known.id)
        try await visit.house.mirrors.forget(known.id)
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
      let tried = TriedCredentials(try await visit.credentials(given, at: known.library))
      let standing: AccountStanding
      do throws(ErrorItem) {
        standing = try await visit.standing(at: known.library, with: tried.asGiven)
      } catch {
        throw error.about(known, in: visit.house)
      }
      let renewed = try await told { () throws(RegistryError) in
        try await visit.house.registry.replaceCredentials(
          of: known.id, with: tried.afterUse, request: House.requestID())
      }
      return try await visit.noted(standing, of: renewed)
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

  func way(_ listing: ProviderListing, _ library: ProviderKit.Library)
    throws(ErrorItem) -> SignInWay
  {
    do throws(SettingsFault) { return try listing.signIn(library) } catch {
      throw ErrorItem(HouseError.library(library.id, "\(error.key), which \(error.what)"))
    }
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
      // Where nobody has a shelf there is nothing to sign in to.
      if error.reason == .unsupported(.shelf) { return AccountStanding() }
      var item = ErrorItem(error)
      item.library = house.counter.name(of: library)
      item.account = library.rawValue
      item.unlinked = "\(provider.describe().provider.rawValue) --library \(library.rawValue)"
      item.card = credentials["card"].map { card in
        card.revealText { $0.count > 4 ? "…\($0.suffix(4))" : "…" }
      }
      throw item
    }
  }

  func noted(_ standing: AccountStanding, of account: Account)
    async throws(ErrorItem) -> AccountItem
  {
    try await told { () throws(RegistryError) in
      try await house.registry.record(
        loanLimit: standing.loanLimit, holdLimit: standing.holdLimit, of: account.id)
    }
    return try await items(of: [try await self.account(account.name)])[0]
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
