package import Circulation
import Crypto
import Database
package import ProviderKit
import Secrets
import Vault

/// Cards at libraries that found no PIN right. Anybody who knows the number of such a card can act on it,
/// so patrons may not link one that another patron has, and few that are new.
extension Registry {
  /// What a patron may link in a day, and in a year, that no library has proved.
  package static var unprovenCardsPerDay: Int { 5 }
  package static var unprovenCardsPerYear: Int { 20 }

  /// Refuses a number that another patron has linked there, and one too many. Each number counts once,
  /// whether it is right or wrong and whether it stays linked; one that this patron has linked there
  /// already is always good.
  package func admitUnproven(
    _ credentials: Credentials, at library: LibraryID, of provider: ProviderID, for patron: PatronID
  ) async throws(RegistryError) {
    guard let typed = credentials["card"] else { return }
    let number = CardNumber(typed)
    guard !number.plain.isEmpty else { return }
    let vault = try await vault()
    let card = Card(credentials, at: library, of: provider, patron: patron, vault)
    let key: Secret
    do throws(VaultError) { key = try vault.subkey(FailedSignIns.keyLabel) } catch {
      throw .vault(error)
    }
    func mark(_ kind: String, _ count: Int, days: Int64) -> FailedSignIns.Mark {
      .init(
        bytes: SignInMarks.mark(kind, [Secret(patron.rawValue)], key),
        limit: .init(count: count, span: days * 86_400_000))
    }
    let marks = [
      mark("unproven-day", Self.unprovenCardsPerDay, days: 1),
      mark("unproven-year", Self.unprovenCardsPerYear, days: 365),
    ]
    let attempt = FailedSignIns.Attempt(
      at: now(),
      client: SignInMarks.short(
        SignInMarks.mark("unproven", [Secret(library.rawValue), number.counted], key)))
    // What was counted stays counted, also where the answer is no.
    let refusal: RegistryError? = try await write {
      tx throws(DatabaseError) -> RegistryError? in
      if try tx.isLinked(card, at: library, of: provider, by: patron) { return nil }
      let counts = try tx.failedSignIns(marks, at: attempt.at)
      if !counts.has(attempt.client, in: marks[1]) {
        if let wait = counts.wait(marks) {
          return .tooManyNewCards(seconds: Int(max(1, (wait + 999) / 1000)))
        }
        try tx.add(attempt, to: marks, counts)
      }
      let isTaken = try tx.isLinkedByAnother(number.plain, at: library, than: patron, vault)
      return isTaken ? .linkedByAnother : nil
    }
    if let refusal { throw refusal }
  }

  /// Whether the patron has this card there already.
  package func hasLinked(
    _ credentials: Credentials, at library: LibraryID, of provider: ProviderID, for patron: PatronID
  ) async throws(RegistryError) -> Bool {
    let card = Card(
      credentials, at: library, of: provider, patron: patron, try await vault())
    return try await read { snapshot throws(DatabaseError) in
      try snapshot.isLinked(card, at: library, of: provider, by: patron)
    }
  }

  /// Patrons who have linked one card, at these libraries: who of them it belongs to was never proved.
  /// The first two hundred cards that may be the same are looked at.
  package func sharedCards(
    at libraries: [LibraryID], request: String
  ) async throws(RegistryError) -> [SharedCard] {
    let names = libraries.map(\.rawValue)
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.joinedColumns), p.name, s.version, s.sealed
        FROM account a JOIN patron p ON p.id = a.patron
          JOIN account_secret s ON s.account = a.id AND s.field = 'card'
        WHERE a.library IN (\(names)) AND a.card_index IS NOT NULL AND EXISTS (
          SELECT 1 FROM account b WHERE b.library = a.library AND b.patron <> a.patron
            AND b.card_index IS NOT NULL
            AND coalesce(b.card_ending, '') = coalesce(a.card_ending, ''))
        ORDER BY a.library, a.card_ending, a.id\(.bytewise) LIMIT 200
        """
      ) { row throws(DatabaseError) in
        let account = try AccountRow(row).account
        return SealedCard(
          account: account, owner: try row[13],
          number: SealedField(
            account: account.id, name: account.recordName("card"), version: try row[14],
            blob: try row[15]))
      }
    }
    guard !found.isEmpty else { return [] }
    let vault = try await vault()
    let asker = Asker(at: now(), who: "doctor", request: request)
    try await write { tx throws(DatabaseError) in
      for card in found { try tx.note(.read, ["card"], of: card.account.id, by: asker) }
    }
    var owners: [SharedCard.Key: Set<String>] = [:]
    for card in found {
      let number = CardNumber(try card.number.opened(by: vault)).plain
      let key = SharedCard.Key(
        library: card.account.library, subject: Card.subject(of: number, vault))
      owners[key, default: []].insert(card.owner)
    }
    return owners.filter { $0.value.count > 1 }
      .map { SharedCard(library: $0.key.library, patrons: $0.value.sorted()) }
      .sorted { ($0.library, $0.patrons[0]) < ($1.library, $1.patrons[0]) }
  }
}

/// One card that several patrons have linked.
package struct SharedCard: Sendable, Hashable {
  fileprivate struct Key: Hashable {
    let library: LibraryID
    let subject: [UInt8]
  }

  package let library: LibraryID
  /// By name.
  package let patrons: [String]
}

private struct SealedCard: Sendable {
  let account: Account
  let owner: String
  let number: SealedField
}

extension Snapshot {
  fileprivate func isLinked(
    _ card: Card, at library: LibraryID, of provider: ProviderID, by patron: PatronID
  ) throws(DatabaseError) -> Bool {
    try account(
      withCard: card.index, at: library, of: provider, patron: patron,
      besides: AccountID(rawValue: "")) != nil
  }

  /// `number` is plain. The index of a card is bound to its patron, so it is made for each whose card
  /// ends alike.
  func isLinkedByAnother(
    _ number: Secret, at library: LibraryID, than patron: PatronID, _ vault: Vault
  ) throws(DatabaseError) -> Bool {
    let alike = try rows(
      """
      SELECT a.patron, a.provider, a.card_index FROM account a
      WHERE a.library = \(library.rawValue) AND a.patron <> \(patron.rawValue)
        AND a.card_index IS NOT NULL AND \(Registry.ends(Card.ending(of: number)))
      """
    ) { row throws(DatabaseError) in
      Alike(
        patron: PatronID(rawValue: try row[0]), provider: ProviderID(rawValue: try row[1]),
        index: try row[2])
    }
    return alike.contains { card in
      constantTimeEqual(
        card.index,
        Card.index(of: number, at: library, of: card.provider, patron: card.patron, vault))
    }
  }
}

private struct Alike {
  let patron: PatronID
  let provider: ProviderID
  let index: [UInt8]
}
