package import Circulation
package import ProviderKit

/// The libraries and services that accounts can be had at, as whoever runs the gateway set them up.
package struct Houses: Sendable {
  package var all: [House]
  /// Every provider that there is, whether or not a library is set up there.
  package var providers: [ProviderListing]
  package var library: @Sendable (LibraryID) throws(EnrollmentError) -> Library
  package var listing: @Sendable (ProviderID) throws(EnrollmentError) -> ProviderListing
  /// As anybody who comes with these credentials.
  package var provider:
    @Sendable (LibraryID, Credentials?) throws(EnrollmentError) -> any CirculationProvider
  /// As the reader whose account it is, for this request.
  package var card:
    @Sendable (AccountID, String) async throws(EnrollmentError) -> any CirculationProvider
  package var session: @Sendable (Library) -> Session

  package init(
    all: [House], providers: [ProviderListing],
    library: @escaping @Sendable (LibraryID) throws(EnrollmentError) -> Library,
    listing: @escaping @Sendable (ProviderID) throws(EnrollmentError) -> ProviderListing,
    provider:
      @escaping @Sendable (LibraryID, Credentials?) throws(EnrollmentError) ->
      any CirculationProvider,
    card:
      @escaping @Sendable (AccountID, String) async throws(EnrollmentError) ->
      any CirculationProvider,
    session: @escaping @Sendable (Library) -> Session
  ) {
    (self.all, self.providers) = (all, providers)
    (self.library, self.listing) = (library, listing)
    (self.provider, self.card, self.session) = (provider, card, session)
  }

  package func house(_ id: LibraryID) -> House? { all.first { $0.id == id } }

  /// Those whose cards may sign in here.
  package var signingIn: [House] { all.filter(\.signsIn) }

  /// Whether a patron gives the address: of the catalog, or of the host that the service is asked at.
  package func isGivenByPatron(_ id: LibraryID) -> Bool {
    guard let provider = house(id)?.provider else { return id.isAddress }
    return providers.first { $0.id == provider }?.needs.hostsArePatrons == true
  }
}

/// One of them, with what readers are told of it.
package struct House: Sendable, Hashable {
  package let id: LibraryID
  package let name: String
  package let provider: ProviderID
  package let facts: Facts
  /// Whether it finds wrong PINs out, so that its cards may sign in here; nil while its settings cannot
  /// be read.
  package let pinCheck: PINCheck?

  package init(
    id: LibraryID, name: String, provider: ProviderID, facts: Facts = Facts(),
    pinCheck: PINCheck? = .never
  ) {
    (self.id, self.name, self.provider, self.facts) = (id, name, provider, facts)
    self.pinCheck = pinCheck
  }

  /// Whether a card that was just accepted, as this standing says, came with a PIN that is right.
  func finds(_ standing: AccountStanding) -> Bool {
    switch pinCheck {
    case .always: true
    case .whenChallenged: standing.isPINVerified
    case .never, nil: false
    }
  }

  package var signsIn: Bool { pinCheck != nil && pinCheck != .never }

  /// What no adapter can find out.
  package struct Facts: Sendable, Hashable {
    /// The bars on its cards, by the name of their kind; nil where the number tells.
    package var bars: String?
    /// Where one becomes a member.
    package var joining: String?
    /// Whose readers come in by card and PIN although nobody linked the card here.
    package var admitsMembers: Bool
    /// Whether patrons link its cards; else only the operator does, on the command line.
    package var patronsLink: Bool

    package init(
      bars: String? = nil, joining: String? = nil, admitsMembers: Bool = false,
      patronsLink: Bool = true
    ) {
      (self.bars, self.joining) = (bars, joining)
      (self.admitsMembers, self.patronsLink) = (admitsMembers, patronsLink)
    }
  }
}
