package import Circulation
import Database
import Secrets
import Vault

/// What an operator should know of how patrons sign in.
package struct SignInSurvey: Sendable, Hashable {
  /// With a card and no way to sign in, nor an app password.
  package internal(set) var excludedCount = 0
  /// The first of them, by name.
  package internal(set) var excluded: [String] = []
  package internal(set) var undecided = 0
  /// Whose rows these are: some of them may be configured no more.
  package internal(set) var authorities: [LibraryID] = []
}

extension Registry {
  package func signInSurvey() async throws(RegistryError) -> SignInSurvey {
    try await read { snapshot throws(DatabaseError) in
      let excluded: SQL = """
        FROM patron p WHERE EXISTS (
            SELECT 1 FROM account a WHERE a.patron = p.id AND a.card_index IS NOT NULL)
          AND NOT EXISTS (
            SELECT 1 FROM account a WHERE a.patron = p.id AND \(.undecided))
          AND NOT EXISTS (SELECT 1 FROM sign_in_way w WHERE w.patron = p.id)
          AND NOT EXISTS (SELECT 1 FROM registry_device d WHERE d.patron = p.id)
        """
      var survey = SignInSurvey()
      survey.excludedCount = try snapshot.value("SELECT count(*) \(excluded)", as: Int.self)
      survey.excluded = try snapshot.rows(
        "SELECT p.name \(excluded) ORDER BY p.name\(.bytewise) LIMIT 5"
      ) { row throws(DatabaseError) in try row[0] }
      survey.undecided = try snapshot.value(
        "SELECT count(*) FROM account a WHERE \(.undecided)", as: Int.self)
      survey.authorities = try snapshot.rows(
        "SELECT DISTINCT authority FROM sign_in_way"
      ) { row throws(DatabaseError) in LibraryID(try row[0]) }.sorted()
      return survey
    }
  }

  /// Patrons whom one number and one PIN fit, at different libraries; the first hundred numbers are
  /// looked at. Only the PINs of numbers that stand there twice are opened.
  package func patronsWithOnePair(
    request: String
  ) async throws(RegistryError) -> [[String]] {
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.joinedColumns), p.name, s.version, s.sealed, w.subject
        FROM sign_in_way w JOIN account a ON a.id = w.account JOIN patron p ON p.id = a.patron
          JOIN account_secret s ON s.account = a.id AND s.field = 'pin'
        WHERE w.kind = \(SignInKind.card) AND w.subject IN (
          SELECT subject FROM sign_in_way WHERE kind = \(SignInKind.card)
          GROUP BY subject HAVING count(DISTINCT patron) > 1 ORDER BY subject LIMIT 100)
        ORDER BY w.subject, a.id\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        let account = try AccountRow(row).account
        return TwinRow(
          account: account, owner: try row[13],
          pin: SealedField(
            account: account.id, name: account.recordName("pin"), version: try row[14],
            blob: try row[15]),
          subject: try row[16])
      }
    }
    guard !found.isEmpty else { return [] }
    let vault = try await vault()
    let asker = Asker(at: now(), who: "doctor", request: request)
    try await write { tx throws(DatabaseError) in
      for twin in found { try tx.note(.read, ["pin"], of: twin.account.id, by: asker) }
    }
    var groups: [[String]] = []
    for (_, twins) in Dictionary(grouping: found, by: \.subject).sorted(by: {
      $0.value[0].owner < $1.value[0].owner
    }) {
      var left = twins
      while let first = left.first {
        let pin = try first.pin.opened(by: vault)
        var (same, others): ([TwinRow], [TwinRow]) = ([], [])
        for twin in left {
          if try twin.pin.opened(by: vault).matches(pin) {
            same.append(twin)
          } else {
            others.append(twin)
          }
        }
        let owners = Set(same.map(\.owner)).sorted()
        if owners.count > 1 { groups.append(owners) }
        left = others
      }
    }
    return groups
  }
}

private struct TwinRow: Sendable {
  let account: Account
  let owner: String
  let pin: SealedField
  let subject: [UInt8]
}
