import Books
package import Circulation
package import Database
import Desk
import Mirrors
package import ProviderKit
package import Registry
import Secrets
import Synchronization

/// How a reader's accounts come, stay good and go: signed in at the library first, then kept; and
/// forgotten by everybody at once. The command line and the pages both do it by this.
package struct Enrollment: Sendable {
  package let houses: Houses
  let registry: Registry
  private let letGo: LetGo

  /// What else is to be forgotten with an account, in the transaction that unlinks it, while its loans
  /// are still known.
  package typealias LetGo = @Sendable (Transaction, Account) throws(DatabaseError) -> Void

  package init(
    _ houses: Houses, registry: Registry, letGo: @escaping LetGo = { _, _ in }
  ) {
    (self.houses, self.registry, self.letGo) = (houses, registry, letGo)
  }

  /// How an account at this library is linked.
  package func way(to library: LibraryID) throws(EnrollmentError) -> SignInWay {
    let described = try houses.library(library)
    let listing = try houses.listing(described.provider)
    do throws(SettingsFault) { return try listing.signIn(described) } catch {
      throw .unopened(error)
    }
  }

  // MARK: - Linking

  /// Signs in first: what the library does not accept is not kept.
  package func link(
    _ library: LibraryID, of provider: ProviderID, as name: AccountName, for patron: PatronID,
    with credentials: Credentials, by linker: Linker, in call: Call
  ) async throws(EnrollmentError) -> Account {
    let credentials = try readable(credentials, at: library)
    let number = LinkedNumber(credentials: credentials, library: library, patron: patron)
    try await admit(number, by: linker)
    let tried = TriedCredentials(credentials)
    let standing = try await standing(at: library, with: tried.asGiven, in: call)
    let isVerified = isVerified(credentials, at: library, standing)
    try await admit(number, by: linker, isVerified: isVerified)
    let account = try await kept { () throws(RegistryError) in
      try await registry.link(
        patron: patron, name: name, provider: provider, library: library,
        credentials: tried.afterUse, pinVerified: isVerified,
        refusesShared: !isVerified && isLimited(at: library, for: linker), request: call.requestID)
    }
    return try await note(standing ?? AccountStanding(), of: account)
  }

  /// A new PIN, or a new sign-in at the service's page, in the place of the old one.
  package func renew(
    _ account: Account, with credentials: Credentials, by linker: Linker, in call: Call
  ) async throws(EnrollmentError) -> Account {
    let credentials = try readable(credentials, at: account.library)
    let number = LinkedNumber(
      credentials: credentials, library: account.library, patron: account.patron)
    try await admit(number, by: linker)
    let tried = TriedCredentials(credentials)
    let standing = try await standing(at: account.library, with: tried.asGiven, in: call)
    let isVerified = isVerified(credentials, at: account.library, standing)
    try await admit(number, by: linker, isVerified: isVerified)
    let renewed = try await kept { () throws(RegistryError) in
      try await registry.replaceCredentials(
        of: account.id, with: tried.afterUse, pinVerified: isVerified,
        refusesShared: !isVerified && isLimited(at: account.library, for: linker),
        request: call.requestID)
    }
    return try await note(standing ?? AccountStanding(), of: renewed)
  }

  package func unlink(_ account: Account, in call: Call) async throws(EnrollmentError) {
    let letGo = letGo
    try await kept { () throws(RegistryError) in
      try await registry.unlink(account.id, request: call.requestID) { tx throws(DatabaseError) in
        try letGo(tx, account)
        try MyBooks.forget(account.id, in: tx)
        try Desk.forget(account.id, in: tx)
        try Mirrors.forget(account.id, in: tx)
      }
    }
  }

  // MARK: - Whether a card may sign in here

  /// Whether a library that the operator configured has just found this PIN right.
  private func isVerified(
    _ credentials: Credentials, at library: LibraryID, _ standing: AccountStanding?
  ) -> Bool {
    func isGiven(_ field: String) -> Bool {
      credentials[field]?.revealText { !$0.allSatisfy(\.isWhitespace) } ?? false
    }
    return isGiven("card") && isGiven("pin")
      && standing.map { isVerified($0, at: library) } ?? false
  }

  private func isVerified(_ standing: AccountStanding, at library: LibraryID) -> Bool {
    houses.house(library)?.finds(standing) ?? false
  }

  /// The same for an account whose PIN is kept: nil where the library says nothing that can be used.
  package func verifies(_ account: Account, in call: Call) async throws(EnrollmentError) -> Bool? {
    let provider = try await houses.card(account.id, call.requestID)
    do throws(CirculationError) {
      return isVerified(try await provider.checkAccount(in: call), at: account.library)
    } catch {
      return switch error.reason {
      case .credentialsRejected, .unsupported: false
      default: nil
      }
    }
  }

  // MARK: - How it stands

  /// Asks the library whether it still knows the card, and keeps what it says of it.
  package func check(_ account: Account, in call: Call) async throws(EnrollmentError) -> Account {
    let provider = try await houses.card(account.id, call.requestID)
    let standing: AccountStanding
    var isSupported = true
    do throws(CirculationError) { standing = try await provider.checkAccount(in: call) } catch {
      // Where nobody has a shelf there is nothing to be refused.
      guard error.reason == .unsupported(.shelf) else {
        if let status = Account.Status(error.reason) { try await note(status, of: account) }
        throw .refused(error)
      }
      standing = AccountStanding()
      isSupported = false
    }
    if isSupported, isVerified(standing, at: account.library) {
      try await kept { () throws(RegistryError) in
        guard try await !registry.signsIn(account.id),
          try await registry.fieldNames(of: account.id).contains("pin")
        else { return }
        try await registry.decideSignIn(
          of: account.id, isVerified: true, request: call.requestID)
      }
    }
    guard let first = standing.blocks.first else {
      try await note(.linked, of: account)
      return try await note(standing, of: account)
    }
    _ = try await note(standing, of: account)
    // The card is good and gets nothing new: that is told as the refusal that the next hold would
    // meet.
    if let status = Account.Status(first.reason) { try await note(status, of: account) }
    throw .refused(
      CirculationError(
        first.reason, from: account.provider, during: .checkAccount,
        explanation: standing.blocks.map(\.sentence).joined(separator: " ")))
  }

  /// The account as it was read before the library was asked.
  package func note(
    _ status: Account.Status, of account: Account
  ) async throws(EnrollmentError) {
    guard account.status != status else { return }
    try await kept { () throws(RegistryError) in
      try await registry.record(status: status, of: account)
    }
  }

  private func note(
    _ standing: AccountStanding, of account: Account
  ) async throws(EnrollmentError) -> Account {
    try await kept { () throws(RegistryError) in
      try await registry.record(
        loanLimit: standing.loanLimit, holdLimit: standing.holdLimit, of: account.id)
      return try await registry.account(account.id)
    }
  }

  private func standing(
    at library: LibraryID, with credentials: Credentials, in call: Call
  ) async throws(EnrollmentError) -> AccountStanding? {
    let provider = try houses.provider(library, credentials)
    do throws(CirculationError) { return try await provider.checkAccount(in: call) } catch {
      // Where nobody has a shelf there is nothing to sign in to, and nothing is proved.
      if error.reason == .unsupported(.shelf) { return nil }
      throw .refused(error)
    }
  }

  /// A number that no card can have is a wrong one, and no library is asked for it.
  private func readable(
    _ given: Credentials, at library: LibraryID
  ) throws(EnrollmentError) -> Credentials {
    if let readable = given.readable { return readable }
    throw .refused(
      CirculationError(
        .credentialsRejected, from: try houses.library(library).provider, during: .checkAccount))
  }

  func kept<T: Sendable>(
    _ body: () async throws(RegistryError) -> T
  ) async throws(EnrollmentError) -> T {
    do throws(RegistryError) { return try await body() } catch { throw .registry(error) }
  }
}

/// Credentials on trial. A service may replace one of them at the very first use, and the old one
/// is void from then on: what is kept is what it replaced it by.
private final class TriedCredentials: Sendable {
  private let fields: Mutex<[String: Secret]>

  init(_ credentials: Credentials) { fields = Mutex(credentials.fields) }

  var asGiven: Credentials {
    Credentials(fields.withLock { $0 }) { field, value in
      self.fields.withLock { $0[field] = value }
    }
  }

  var afterUse: Credentials { Credentials(fields.withLock { $0 }) }
}
