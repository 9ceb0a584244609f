package import Circulation
package import Database
package import ProviderKit
import Vault

extension Registry {
  /// Takes an account into the registry, with its secrets sealed. Without secrets, as at a library that
  /// asks for none, the vault stays shut. Where a library that the operator configured has just found
  /// the PIN right, the card signs the patron in from now on. With `refusesShared` a card that another
  /// patron has linked there is not linked.
  package func link(
    patron: PatronID, name: AccountName, provider: ProviderID, library: LibraryID,
    credentials: Credentials, pinVerified: Bool, refusesShared: Bool = false, request: String
  ) async throws(RegistryError) -> Account {
    if case .exactly(let word) = name, !AccountName.isSound(word) { throw .badName(word) }
    let (id, now) = (AccountID(rawValue: Self.newID()), now())
    return try await withVault(for: credentials) { vault, tx throws(DatabaseError) in
      let card = Card(credentials, at: library, of: provider, patron: patron, vault)
      guard try tx.takesTurn(at: patron) else {
        return .failure(.noSuchPatron(patron.rawValue))
      }
      let twin = try tx.account(
        withCard: card.index, at: library, of: provider, patron: patron, besides: id)
      if let twin { return .failure(.alreadyLinked(twin)) }
      if refusesShared, try tx.isShared(credentials, at: library, by: patron, vault) {
        return .failure(.linkedByAnother)
      }
      if library.isAddress, let limit = try tx.nameCatalog(library, by: patron, at: now) {
        return .failure(.tooManyCatalogs(limit))
      }
      guard let word = name.choice(avoiding: try tx.names(of: patron)) else {
        return .failure(.nameTaken(name.word))
      }
      let account = Account(
        id: id, patron: patron, name: word, provider: provider, library: library,
        cardEnding: card.ending, linkedAt: now)
      try tx.insert(account, card, pinVerified)
      if pinVerified { try tx.claim(card.subject, for: account, at: now) }
      let asker = Asker(at: now, who: patron.rawValue, request: request)
      return try tx.seal(credentials, of: account, version: 1, vault, asker).map { account }
    }
  }

  /// New secrets in the place of all old ones, as after a changed PIN. The library has not yet said no
  /// to these, so the account counts as linked again. `pinVerified` is nil where the card and the PIN
  /// are the same as before. With `refusesShared` the number is not changed to one that another patron
  /// has linked there.
  @discardableResult
  package func replaceCredentials(
    of id: AccountID, with credentials: Credentials, pinVerified: Bool?,
    refusesShared: Bool = false, request: String
  ) async throws(RegistryError) -> Account {
    let now = now()
    var mark: [UInt8]?
    if let pin = credentials["pin"] { mark = await self.mark(ofPIN: pin, at: id) }
    let found = mark
    return try await withVault(for: credentials) { vault, tx throws(DatabaseError) in
      guard let row = try tx.account(id) else { return .failure(.noSuchAccount(id.rawValue)) }
      let old = row.account
      _ = try tx.takesTurn(at: old.patron)
      let card = Card(credentials, at: old.library, of: old.provider, patron: old.patron, vault)
      let twin = try tx.account(
        withCard: card.index, at: old.library, of: old.provider, patron: old.patron, besides: id)
      if let twin { return .failure(.alreadyLinked(twin)) }
      if refusesShared, try !tx.has(card, id),
        try tx.isShared(credentials, at: old.library, by: old.patron, vault)
      {
        return .failure(.linkedByAnother)
      }
      let asker = Asker(at: now, who: old.patron.rawValue, request: request)
      try end(.of(id), of: old.patron, by: asker, in: tx)
      try tx.execute("DELETE FROM sign_in_pin WHERE account = \(id.rawValue)")
      if let found {
        try tx.keep(foundPIN: found, of: id, until: now + FoundPINs.span, at: now)
      }
      let gone = try tx.fields(of: id).filter { credentials[$0] == nil }
      try tx.erase(gone, of: id, by: asker)
      try tx.execute(
        """
        UPDATE account SET version = \(row.version + 1), card_ending = \(card.ending),
          card_index = \(card.index), status = \(Account.Status.linked)
        WHERE id = \(id.rawValue)
        """)
      if let pinVerified {
        try tx.execute(
          "UPDATE account SET pin_verified = \(pinVerified) WHERE id = \(id.rawValue)")
        try tx.releaseSignIn(of: id)
        if pinVerified { try tx.claim(card.subject, for: old, at: now) }
      }
      let sealed = try tx.seal(credentials, of: old, version: row.version + 1, vault, asker)
      if case .failure(let error) = sealed { return .failure(error) }
      guard let new = try tx.account(id) else { return .failure(.noSuchAccount(id.rawValue)) }
      return .success(new.account)
    }
  }

  /// Forgets an account and its secrets, and with `others` whatever else is kept of it, all at once.
  /// What was done with them stays in the audit.
  package func unlink(
    _ id: AccountID, request: String,
    with others: @escaping @Sendable (Transaction) throws(DatabaseError) -> Void = { _ in }
  ) async throws(RegistryError) {
    let now = now()
    try await decide { tx throws(DatabaseError) -> Result<Void, RegistryError> in
      guard let row = try tx.account(id) else { return .failure(.noSuchAccount(id.rawValue)) }
      let asker = Asker(at: now, who: row.account.patron.rawValue, request: request)
      try tx.erase(try tx.fields(of: id), of: id, by: asker)
      try others(tx)
      try tx.releaseSignIn(of: id)
      try end(.of(id), of: row.account.patron, by: asker, in: tx)
      try tx.execute("DELETE FROM sign_in_pin WHERE account = \(id.rawValue)")
      try tx.execute("DELETE FROM sign_in_place WHERE account = \(id.rawValue)")
      try tx.execute("DELETE FROM account WHERE id = \(id.rawValue)")
      return .success(())
    }
  }

  /// Runs a transaction that seals, where there is anything to seal.
  private func withVault<T: Sendable>(
    for credentials: Credentials,
    _ body:
      @escaping @Sendable (Vault?, Transaction) throws(DatabaseError) -> Result<T, RegistryError>
  ) async throws(RegistryError) -> T {
    guard !credentials.fields.isEmpty else {
      return try await decide { tx throws(DatabaseError) in try body(nil, tx) }
    }
    return try await withVault { vault, tx throws(DatabaseError) in try body(vault, tx) }
  }
}

extension AccountName {
  var word: String {
    switch self {
    case .exactly(let word), .like(let word): word
    }
  }
}

extension Transaction {
  /// Two links of one patron at once would both find the name free, and one would end at a constraint
  /// of the table instead of with an answer. Whoever writes here second begins again. False where
  /// there is no such patron.
  fileprivate func takesTurn(at patron: PatronID) throws(DatabaseError) -> Bool {
    try execute("UPDATE patron SET made_at = made_at WHERE id = \(patron.rawValue)") == 1
  }

  fileprivate func isShared(
    _ credentials: Credentials, at library: LibraryID, by patron: PatronID, _ vault: Vault?
  ) throws(DatabaseError) -> Bool {
    guard let vault, let typed = credentials["card"] else { return false }
    return try isLinkedByAnother(CardNumber(typed).plain, at: library, than: patron, vault)
  }

  /// Whether the account has this card already.
  fileprivate func has(_ card: Card, _ id: AccountID) throws(DatabaseError) -> Bool {
    guard let index = card.index else { return true }
    return try value(
      "SELECT count(*) FROM account WHERE id = \(id.rawValue) AND card_index = \(index)",
      as: Int.self) > 0
  }

  fileprivate func names(of patron: PatronID) throws(DatabaseError) -> Set<String> {
    Set(
      try rows("SELECT folded_name FROM account WHERE patron = \(patron.rawValue)") {
        row throws(DatabaseError) in try row[0]
      })
  }

  fileprivate func insert(
    _ account: Account, _ card: Card, _ pinVerified: Bool
  ) throws(DatabaseError) {
    try execute(
      """
      INSERT INTO account (id, patron, name, folded_name, provider, library, card_ending,
        card_index, version, status, linked_at, pin_verified)
      VALUES (\(account.id.rawValue), \(account.patron.rawValue), \(account.name),
        \(AccountName.folded(account.name)), \(account.provider.rawValue),
        \(account.library.rawValue), \(card.ending), \(card.index), 1, \(account.status),
        \(account.linkedAt), \(pinVerified))
      """)
  }
}
