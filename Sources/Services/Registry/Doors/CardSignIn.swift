package import Circulation
import Database
import Secrets
import Vault

/// An account that let a reader in, as it stood then.
package struct CardStanding: Sendable, Hashable {
  package let account: AccountID
  package let patron: Patron
  /// Of the secrets: another PIN is another version.
  let version: Int64
}

/// An account that a card number may be of, with its sealed PIN.
private struct Candidate: Sendable {
  let row: AccountRow
  let index: [UInt8]
  let owner: String
  let pin: SealedField
}

extension Registry {
  /// Whose card this is, if the PIN is the one that is sealed with it. No library is asked: one that
  /// cannot be reached neither lets anybody in nor shuts anybody out.
  func standing(
    ofCard number: Secret, pin: Secret, request: String
  ) async throws(RegistryError) -> CardStanding? {
    let number = Card.plain(number)
    guard !number.isEmpty, !pin.isEmpty else { return nil }
    let vault = try await vault()
    do throws(RegistryError) {
      return try await standing(number, pin, vault, request)
    } catch {
      // Another gateway made a new key.
      guard case .vault(.unknownKey) = error else { throw error }
    }
    try await refresh(vault)
    return try await standing(number, pin, vault, request)
  }

  private func standing(
    _ number: Secret, _ pin: Secret, _ vault: Vault, _ request: String
  ) async throws(RegistryError) -> CardStanding? {
    for candidate in try await candidates(for: number) {
      let account = candidate.row.account
      let index = Card.index(
        of: number, at: account.library, of: account.provider, patron: account.patron, vault)
      guard constantTimeEqual(index, candidate.index), account.status != .rejected else {
        continue
      }
      guard try candidate.pin.opened(by: vault).matches(pin) else { continue }
      // A wrong word leaves no line: whoever guesses must not be able to fill the audit, nor to tell
      // by the time of a write that a card is known.
      let asker = Asker(at: now(), who: account.patron.rawValue, request: request)
      try await write { tx throws(DatabaseError) in
        try tx.note(.read, [Self.pinField], of: account.id, by: asker)
      }
      return CardStanding(
        account: account.id, patron: Patron(id: account.patron, name: candidate.owner),
        version: candidate.row.version)
    }
    return nil
  }

  /// Whose card this is, at one of the libraries that give out cards without a PIN. An account that
  /// has one is never let in without it, whatever its library does now.
  func standing(
    ofCardWithoutPIN number: Secret, at libraries: Set<LibraryID>, request: String
  ) async throws(RegistryError) -> CardStanding? {
    let number = Card.plain(number)
    guard !number.isEmpty, !libraries.isEmpty else { return nil }
    let vault = try await vault()
    let ending = Card.ending(of: number)
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT a.id, a.patron, a.name, a.provider, a.library, a.card_ending, a.status,
          a.linked_at, a.last_good_sync, a.loan_limit, a.hold_limit, a.version, a.card_index,
          p.name
        FROM account a JOIN patron p ON p.id = a.patron
        WHERE a.card_index IS NOT NULL AND \(Self.ends(ending)) AND NOT EXISTS (
          SELECT 1 FROM account_secret s WHERE s.account = a.id AND s.field = \(Self.pinField))
        ORDER BY a.linked_at, a.id\(.bytewise)
        """
      ) { row throws(DatabaseError) -> (AccountRow, [UInt8], String) in
        (try AccountRow(row), try row[12], try row[13])
      }
    }
    for (row, known, owner) in found {
      let account = row.account
      let index = Card.index(
        of: number, at: account.library, of: account.provider, patron: account.patron, vault)
      guard constantTimeEqual(index, known), account.status != .rejected,
        libraries.contains(account.library)
      else { continue }
      let asker = Asker(at: now(), who: account.patron.rawValue, request: request)
      try await write { tx throws(DatabaseError) in
        try tx.note(.read, ["card"], of: account.id, by: asker)
      }
      return CardStanding(
        account: account.id, patron: Patron(id: account.patron, name: owner), version: row.version)
    }
    return nil
  }

  /// Whether the account still is what it was when it let a reader in, at this door.
  func stillStands(
    _ standing: CardStanding, at door: Doorkeeper.Door
  ) async throws(RegistryError) -> Bool {
    try await read { snapshot throws(DatabaseError) in
      guard let row = try snapshot.account(standing.account) else { return false }
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
  func hasCard(_ number: Secret, _ patron: PatronID) async throws(RegistryError) -> Bool {
    let number = Card.plain(number)
    guard !number.isEmpty else { return false }
    let vault = try await vault()
    return try await cards(ending: number, of: patron).contains { account, index in
      constantTimeEqual(
        index,
        Card.index(
          of: number, at: account.library, of: account.provider, patron: patron, vault))
    }
  }

  private static var pinField: String { "pin" }

  /// The index of a card is bound to its patron, so it is made for each account whose number ends
  /// alike. The oldest first, so that a card that two readers share is the same one's each time.
  private func candidates(for number: Secret) async throws(RegistryError) -> [Candidate] {
    let ending = Card.ending(of: number)
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT a.id, a.patron, a.name, a.provider, a.library, a.card_ending, a.status,
          a.linked_at, a.last_good_sync, a.loan_limit, a.hold_limit, a.version, a.card_index,
          p.name, s.version, s.sealed
        FROM account a JOIN patron p ON p.id = a.patron
          JOIN account_secret s ON s.account = a.id AND s.field = \(Self.pinField)
        WHERE a.card_index IS NOT NULL AND \(Self.ends(ending))
        ORDER BY a.linked_at, a.id\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        let account = try AccountRow(row)
        return Candidate(
          row: account, index: try row[12], owner: try row[13],
          pin: SealedField(
            account: account.account.id, name: account.account.recordName(Self.pinField),
            version: try row[14], blob: try row[15]))
      }
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
      ) { row throws(DatabaseError) in (try AccountRow(row).account, try row[12]) }
    }
  }

  private static func ends(_ ending: String?) -> SQL {
    guard let ending else { return "a.card_ending IS NULL" }
    return "a.card_ending = \(ending)"
  }
}

extension SealedField {
  fileprivate func opened(by vault: Vault) throws(RegistryError) -> Secret {
    do throws(VaultError) { return try vault.open(blob, as: name, version: version) } catch {
      throw .vault(error)
    }
  }
}
