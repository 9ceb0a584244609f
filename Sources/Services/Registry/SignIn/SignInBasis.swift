package import Circulation
import Database

/// What an answer rests on. It is named with every answer that is given to a patron, so that an answer
/// that takes long can be broken off when that has ended, wherever it was ended.
package enum SignInBasis: Sendable, Hashable {
  case session(SessionReference, PatronID)
  /// By its name and when it was made: another of the same name is another one.
  case appPassword(PatronID, String, madeAt: Int64)
  /// Card and PIN without a session. Another PIN is another version.
  case card(AccountID, version: Int64)
  /// Besides how the patron signed in: the account that what is asked for was borrowed with.
  case account(AccountID, PatronID)
}

extension Registry {
  /// Those of them that are open now. However many there are, it is one statement.
  package func open(
    among asked: Set<SignInBasis>
  ) async throws(RegistryError) -> Set<SignInBasis> {
    var (sessions, owners, cards, accounts) = ([String](), [String](), [String](), [String]())
    for basis in asked {
      switch basis {
      case .session(_, let patron): sessions.append(patron.rawValue)
      case .appPassword(let patron, _, _): owners.append(patron.rawValue)
      case .card(let account, _): cards.append(account.rawValue)
      case .account(let account, _): accounts.append(account.rawValue)
      }
    }
    let query: SQL = """
      SELECT 'session', w.patron, '', 0, w.mark
      FROM \(SQL.openSessions(at: now())) AND w.patron IN (\(sessions))
        AND NOT EXISTS (SELECT 1 FROM registry_factor f WHERE f.patron = w.patron
          AND f.confirmed_at IS NOT NULL
          AND (w.proved_at IS NULL OR w.proved_at < f.confirmed_at))
      UNION ALL
      SELECT 'appPassword', d.patron, d.name, d.made_at, NULL
      FROM registry_device d WHERE d.patron IN (\(owners))
      UNION ALL
      SELECT 'card', a.patron, a.id, a.version, NULL
      FROM account a WHERE a.id IN (\(cards)) AND a.status <> \(Account.Status.rejected)
        AND (a.pin_verified IS NULL OR a.pin_verified = TRUE)
        AND NOT EXISTS (SELECT 1 FROM registry_factor f WHERE f.patron = a.patron
          AND f.confirmed_at IS NOT NULL)
      UNION ALL
      SELECT 'account', a.patron, a.id, 0, NULL
      FROM account a WHERE a.id IN (\(accounts))
      """
    let open = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(query) { row throws(DatabaseError) in try SignInBasis(row) }
    }
    return asked.intersection(open.compactMap(\.self))
  }
}

private enum Kind: String { case session, appPassword, card, account }

extension SignInBasis {
  fileprivate init?(_ row: borrowing Row) throws(DatabaseError) {
    let (kind, patron): (String, PatronID) = (try row[0], PatronID(try row[1]))
    let (name, version, mark): (String, Int64, [UInt8]?) = (try row[2], try row[3], try row[4])
    switch (Kind(rawValue: kind), mark) {
    case (.session, let mark?): self = .session(SessionReference(mark: mark), patron)
    case (.appPassword, _): self = .appPassword(patron, name, madeAt: version)
    case (.card, _): self = .card(AccountID(name), version: version)
    case (.account, _): self = .account(AccountID(name), patron)
    default: return nil
    }
  }
}
