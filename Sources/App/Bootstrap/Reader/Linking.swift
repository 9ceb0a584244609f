import Arguments
import Circulation
import Desk
package import Items
import Membership
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
      if listing.outlook != nil {
        item.capabilities.append(.init("outlook", "leads to the library's own page for a book"))
      }
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
          return try visit.needs(given.id)
        }
        guard configured.contains(where: { $0.id == library }) else {
          var error = ErrorItem("unknown_library")
          (error.detail, error.choices) = (library, configured.map(\.id))
          throw error
        }
        return try visit.needs(LibraryID(library))
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
      return try visit.needs(LibraryID(only.id))
    }
  }

  package func needs(of account: String, at seat: Seat) async throws(ErrorItem) -> SignInNeeds {
    try await visit(seat) { visit throws(ErrorItem) in
      let known = try await visit.account(account)
      return try visit.needs(known.library)
    }
  }

  /// Signs in first: what does not open the library's door is not kept.
  package func link(_ order: LinkOrder, at seat: Seat) async throws(ErrorItem) -> AccountItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let library = LibraryID(order.library)
      let credentials = try await visit.credentials(order.credentials, at: library)
      let name: AccountName =
        order.name.map { .exactly($0) }
        ?? .like(Counter.library(givenAs: library.rawValue)?.name ?? library.rawValue)
      let account: Account
      do throws(EnrollmentError) {
        account = try await visit.house.enrollment.link(
          library, of: ProviderID(order.provider.lowercased()), as: name, for: visit.patron.id,
          with: credentials, by: .operator, in: visit.call())
      } catch {
        throw visit.refusal(error, at: library, credentials)
      }
      return try await visit.items(of: [account])[0]
    }
  }

  package func unlink(_ account: String, at seat: Seat) async throws(ErrorItem) -> AccountItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let known = try await visit.account(account)
      let item = try await visit.items(of: [known])[0]
      try await toldOfEnrollment { () throws(EnrollmentError) in
        try await visit.house.enrollment.unlink(known, in: visit.call())
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
      let renewed: Account
      do throws(EnrollmentError) {
        renewed = try await visit.house.enrollment.renew(
          known, with: credentials, by: .operator, in: visit.call())
      } catch {
        throw visit.refusal(error, at: known.library, credentials).about(known, in: visit.house)
      }
      return try await visit.items(of: [renewed])[0]
    }
  }

}

func toldOfEnrollment<T>(
  _ body: () async throws(EnrollmentError) -> T
) async throws(ErrorItem) -> T {
  do throws(EnrollmentError) { return try await body() } catch { throw ErrorItem(error) }
}

extension ErrorItem {
  init(_ error: EnrollmentError) {
    switch error {
    case .refused(let error): self.init(error)
    case .unopened(let cause):
      switch cause {
      case let error as HouseError: self.init(error)
      case let fault as SettingsFault: self.init(HouseError(fault))
      default: self.init("not_configured")
      }
    case .registry(let error): self.init(error)
    case .database(let error): self.init(error)
    case .operatorLinks: self.init("not_configured")
    case .noPage(let library): self.init(HouseError.library(library, "a sign-in page"))
    }
  }
}

extension Visit {
  func opened<T>(_ body: () throws(HouseError) -> T) throws(ErrorItem) -> T {
    do throws(HouseError) { return try body() } catch {
      var item = ErrorItem(error)
      if case .unknownProvider(let id) = error {
        item.choices = nearest(to: id.rawValue, among: allProviders.map(\.id.rawValue))
      }
      throw item
    }
  }

  fileprivate func needs(_ library: LibraryID) throws(ErrorItem) -> SignInNeeds {
    let name = house.counter.name(of: library)
    let way: SignInWay
    do throws(EnrollmentError) { way = try house.enrollment.way(to: library) } catch {
      throw ErrorItem(error)
    }
    switch way {
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

  /// What a library said to these credentials, with what the reader calls it all.
  fileprivate func refusal(
    _ error: EnrollmentError, at library: LibraryID, _ credentials: Credentials
  ) -> ErrorItem {
    var item = ErrorItem(error)
    guard case .refused(let refusal) = error else { return item }
    item.library = house.counter.name(of: library)
    item.account = library.rawValue
    item.unlinked = "\(refusal.provider.rawValue) --library \(library.rawValue)"
    item.card = credentials["card"].map { card in
      card.revealText { $0.count > 4 ? "…\($0.suffix(4))" : "…" }
    }
    return item
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
