package import Circulation
import Crypto
import Database
import Machine
package import ProviderKit
package import Secrets
import Vault

/// Somebody whom a library has just said to know.
package struct Member: Sendable {
  package let library: LibraryID
  package let provider: ProviderID
  /// The library's own name for the reader, which stays when a card is replaced. It means nothing
  /// without the library.
  package let identity: Secret
  /// What was given at the door: a card and what goes with it.
  package let credentials: Credentials
  /// Whether the reader wants the PIN to be kept.
  package let keepsPIN: Bool

  package init(
    of library: LibraryID, at provider: ProviderID, identity: Secret, credentials: Credentials,
    keepsPIN: Bool
  ) {
    (self.library, self.provider, self.identity) = (library, provider, identity)
    (self.credentials, self.keepsPIN) = (credentials, keepsPIN)
  }
}

extension Registry {
  /// The reader's account at that library, made when it is the first time. Another card or another PIN
  /// takes the place of the one that was kept: the library has said that it is the same reader.
  package func welcome(
    _ member: Member, request: String
  ) async throws(RegistryError) -> CardStanding {
    let patron = try await reader(member)
    let accounts = try await accounts(of: patron.id)
    let old = accounts.first { $0.library == member.library && $0.provider == member.provider }
    let account: Account
    if let old {
      account = try await renewed(old, by: member, request)
    } else {
      account = try await link(
        patron: patron.id, name: .like(member.library.rawValue), provider: member.provider,
        library: member.library,
        credentials: member.kept(besides: member.keepsPIN ? [] : [Self.pin]), pinVerified: true,
        request: request)
    }
    if let pin = member.credentials[Self.pin] {
      try await found(pin: pin, of: account.id, patron.id, request: request)
    }
    guard let row = try await row(of: account.id) else {
      throw .noSuchAccount(account.id.rawValue)
    }
    return CardStanding(
      account: account.id, library: member.library, patron: patron, version: row.version)
  }

  private func renewed(
    _ old: Account, by member: Member, _ request: String
  ) async throws(RegistryError) -> Account {
    let kept = try await credentials(of: old.id, for: .signIn)
    let isKept = member.keepsPIN || kept[Self.pin] != nil
    let given = member.kept(besides: isKept ? [] : [Self.pin])
    let isSame =
      Set(kept.fields.keys) == Set(given.fields.keys)
      && given.fields.allSatisfy { name, value in
        kept[name].map { name == "card" ? Self.isSame($0, value) : $0.matches(value) } ?? false
      }
    if isSame, old.status == .linked {
      if try await row(of: old.id)?.pinVerified == nil {
        try await decideSignIn(of: old.id, isVerified: true, request: request)
      }
      return old
    }
    return try await replaceCredentials(
      of: old.id, with: given, pinVerified: true, request: request)
  }

  /// The same card typed with other blanks, dashes or letters is no new one, which would end the sessions
  /// of the old. One that was kept in a spelling that is not kept any more is replaced.
  private static func isSame(_ kept: Secret, _ given: Secret) -> Bool {
    let number = CardNumber(kept)
    return number.asked.matches(kept) && number.plain.matches(CardNumber(given).plain)
  }

  /// Whom the library means, under a mark that tells nobody who that is.
  private func reader(_ member: Member) async throws(RegistryError) -> Patron {
    let vault = try await vault()
    let mark = member.identity.revealText { text in
      vault.index(
        of: Secret("member\0\(member.provider.rawValue)\0\(member.library.rawValue)\0\(text)"))
    }
    let (id, now) = (Self.newID(), now())
    // A name that tells nothing of the reader; they may be called otherwise later.
    let name = "\(member.library.rawValue)-\(id.suffix(6))"
    let library = member.library.rawValue
    return try await write { tx throws(DatabaseError) in
      let known = try tx.first(
        """
        SELECT p.id, p.name FROM registry_member m JOIN patron p ON p.id = m.patron
        WHERE m.library = \(library) AND m.mark = \(mark)
        """, Self.patron)
      if let known { return known }
      try tx.execute("INSERT INTO patron (id, name, made_at) VALUES (\(id), \(name), \(now))")
      try tx.execute(
        """
        INSERT INTO registry_member (library, mark, patron, made_at)
        VALUES (\(library), \(mark), \(id), \(now))
        """)
      return Patron(id: PatronID(rawValue: id), name: name)
    }
  }

  private func row(of account: AccountID) async throws(RegistryError) -> AccountRow? {
    try await read { snapshot throws(DatabaseError) in try snapshot.account(account) }
  }

  private static var pin: String { "pin" }
}

extension Member {
  fileprivate func kept(besides names: Set<String>) -> Credentials {
    Credentials(credentials.fields.filter { !names.contains($0.key) })
  }
}
