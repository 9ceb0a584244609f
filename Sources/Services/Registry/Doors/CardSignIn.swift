package import Circulation
import Database
import ProviderKit
import Secrets
import Vault

/// An account that let a reader in, as it stood then.
package struct CardStanding: Sendable, Hashable {
  package let account: AccountID
  let library: LibraryID
  package let patron: Patron
  /// Of the secrets: another PIN is another version.
  let version: Int64
}

/// Whom a card number and a PIN fit.
enum CardMatch: Sendable {
  /// No card has this number.
  case none
  case wrong
  case one(MatchedCard)
  /// Patrons of more than one library may be meant: the library has to be named.
  case several
}

/// A card whose PIN was opened and found right.
struct MatchedCard: Sendable {
  let standing: CardStanding
  fileprivate let account: Account
  /// The mark of the number, where its row is still to be made.
  fileprivate let subject: [UInt8]?
}

/// An account that a card number may be of, with its sealed PIN where one is kept.
private struct Candidate: Sendable {
  let row: AccountRow
  let owner: String
  let pin: SealedField?
  /// Of the card; nil where a row says that the number is this account's.
  let index: [UInt8]?

  var account: Account { row.account }

  static let columns: SQL = "\(AccountRow.joinedColumns), p.name, s.version, s.sealed"
  /// After `FROM account a`.
  static let joins: SQL = """
    JOIN patron p ON p.id = a.patron
    LEFT JOIN account_secret s ON s.account = a.id AND s.field = 'pin'
    """

  init(_ stored: borrowing Row, hasIndex: Bool = false) throws(DatabaseError) {
    row = try AccountRow(stored)
    owner = try stored[13]
    let (version, sealed): (Int64?, [UInt8]?) = (try stored[14], try stored[15])
    if let version, let sealed {
      pin = SealedField(
        account: row.account.id, name: row.account.recordName("pin"), version: version,
        blob: sealed)
    } else {
      pin = nil
    }
    index = hasIndex ? try stored[16] : nil
  }
}

extension Registry {
  /// Whose card this is, if the PIN is the one that is sealed with it, at those of the libraries that
  /// are configured now and in the scope. No library is asked: one that cannot be reached neither lets
  /// anybody in nor shuts anybody out.
  func match(
    _ name: SignInName, pin: Secret, at libraries: [LibraryID: PINCheck], in scope: SignInScope
  ) async throws(RegistryError) -> CardMatch {
    guard !name.card.plain.isEmpty, !pin.isEmpty else { return .none }
    let vault = try await vault()
    do throws(RegistryError) {
      return try await match(name, pin, libraries, scope, vault)
    } catch {
      // Another gateway made a new key.
      guard case .vault(.unknownKey) = error else { throw error }
    }
    try await refresh(vault)
    return try await match(name, pin, libraries, scope, vault)
  }

  private func match(
    _ name: SignInName, _ pin: Secret, _ libraries: [LibraryID: PINCheck], _ scope: SignInScope,
    _ vault: Vault
  ) async throws(RegistryError) -> CardMatch {
    var (fitting, isKnown): ([Candidate], Bool) = ([], false)
    // Those of patrons who keep no PIN here: it may be theirs.
    var untold: Set<PatronID> = []
    for candidate in try await candidates(name, libraries, vault)
    where candidate.account.status != .rejected {
      if scope.contains(candidate.account.library) { isKnown = true }
      guard let sealed = candidate.pin else {
        untold.insert(candidate.account.patron)
        continue
      }
      if try sealed.opened(by: vault).matches(pin) { fitting.append(candidate) }
    }
    // A pair that fits out of scope only was not heard.
    guard let first = fitting.first(where: { scope.contains($0.account.library) }) else {
      return isKnown ? .wrong : .none
    }
    let account = first.account
    if name.library == nil,
      !untold.union(fitting.map(\.account.patron)).isSubset(of: [account.patron])
    {
      return .several
    }
    let isProved = first.row.pinVerified == nil && libraries[account.library] == .always
    return .one(
      MatchedCard(
        standing: CardStanding(
          account: account.id, library: account.library,
          patron: Patron(id: account.patron, name: first.owner), version: first.row.version),
        account: account, subject: isProved ? Card.subject(of: name.card.plain, vault) : nil))
  }

  /// Whether the account still is what it was when it let a reader in, at this door.
  func stillStands(
    _ standing: CardStanding, at door: Doorkeeper.Door
  ) async throws(RegistryError) -> Bool {
    try await read { snapshot throws(DatabaseError) in
      guard let row = try snapshot.account(standing.account), row.pinVerified != false else {
        return false
      }
      guard row.version == standing.version, row.account.status != .rejected else { return false }
      if door == .pages { return true }
      return try !snapshot.hasFactor(row.account.patron)
    }
  }

  /// Whether card and PIN are enough for this reader at this door.
  func suffices(
    _ standing: CardStanding, at door: Doorkeeper.Door
  ) async throws(RegistryError) -> Bool {
    guard door == .apps else { return true }
    return try await read { snapshot throws(DatabaseError) in
      try !snapshot.hasFactor(standing.patron.id)
    }
  }

  /// Whether one of the patron's cards has this number.
  func hasCard(_ name: SignInName, _ patron: PatronID) async throws(RegistryError) -> Bool {
    let numbers = name.numbers
    guard !numbers.isEmpty else { return false }
    let vault = try await vault()
    for number in numbers {
      let found = try await cards(ending: number, of: patron).contains { account, index in
        constantTimeEqual(
          index,
          Card.index(
            of: number, at: account.library, of: account.provider, patron: patron, vault))
      }
      if found { return true }
    }
    return false
  }

  /// Those whose rows say that the number is theirs. A card of before there were rows is looked for
  /// only at the library that was named, and only while no patron has that row.
  private func candidates(
    _ name: SignInName, _ libraries: [LibraryID: PINCheck], _ vault: Vault
  ) async throws(RegistryError) -> [Candidate] {
    let (number, named) = (name.card.plain, name.library)
    let subject = Card.subject(of: number, vault)
    let earlier = name.earlier.map { Card.subject(of: $0, vault) }
    let places = (named.map { [$0] } ?? Array(libraries.keys)).filter { libraries[$0] != nil }
      .map(\.rawValue)
    guard !places.isEmpty else { return [] }
    let ending = Card.ending(of: number)
    let found = try await read { snapshot throws(DatabaseError) in
      let rows = try snapshot.rows(
        """
        SELECT \(Candidate.columns) FROM sign_in_way w
          JOIN account a ON a.id = w.account AND a.patron = w.patron \(Candidate.joins)
        WHERE (w.subject = \(subject) OR w.subject = \(earlier)) AND w.kind = \(SignInKind.card)
          AND w.authority IN (\(places)) AND a.library = w.authority
        ORDER BY w.made_at, a.id\(.bytewise)
        """
      ) { row throws(DatabaseError) in try Candidate(row) }
      guard rows.isEmpty, named != nil else { return rows }
      return try snapshot.rows(
        """
        SELECT \(Candidate.columns), a.card_index FROM account a \(Candidate.joins)
        WHERE \(.undecided) AND a.library IN (\(places)) AND \(Self.ends(ending))
        ORDER BY a.linked_at, a.id\(.bytewise)
        """
      ) { row throws(DatabaseError) in try Candidate(row, hasIndex: true) }
    }
    return found.filter { candidate in
      guard let index = candidate.index else { return true }
      let account = candidate.account
      return constantTimeEqual(
        index,
        Card.index(
          of: number, at: account.library, of: account.provider, patron: account.patron, vault))
    }
  }

  private func cards(
    ending number: Secret, of patron: PatronID
  ) async throws(RegistryError) -> [(Account, [UInt8])] {
    let ending = Card.ending(of: number)
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.columns), card_index FROM account a
        WHERE patron = \(patron.rawValue) AND card_index IS NOT NULL AND \(Self.ends(ending))
        """
      ) { row throws(DatabaseError) in (try AccountRow(row).account, try row[13]) }
    }
  }

  static func ends(_ ending: String?) -> SQL {
    guard let ending else { return "a.card_ending IS NULL" }
    return "a.card_ending = \(ending)"
  }
}

extension Transaction {
  /// A wrong PIN leaves no line: guessing must not be able to fill the audit, nor to tell by the time of
  /// a write that a card is known.
  func note(_ card: MatchedCard, by asker: Asker) throws(DatabaseError) {
    try count(.read, ["pin"], of: card.account.id, by: asker, .signIn)
    guard let subject = card.subject else { return }
    try execute("UPDATE account SET pin_verified = TRUE WHERE id = \(card.account.id.rawValue)")
    try claim(subject, for: card.account, at: asker.at)
  }
}

extension SealedField {
  func opened(by vault: Vault) throws(RegistryError) -> Secret {
    do throws(VaultError) { return try vault.open(blob, as: name, version: version) } catch {
      throw .vault(error)
    }
  }
}
