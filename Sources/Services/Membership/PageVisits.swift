package import Circulation
import Crypto
package import Database
import HTTP
import Machine
package import ProviderKit
import Registry
package import Secrets
package import Vault

/// Readers who are away at a service's own sign-in page, each waited for a while. What has to survive
/// until they are back is kept sealed, where the reader cannot read it and any gateway finds it.
package struct PageVisits: Sendable {
  package struct Pending: Sendable {
    package let patron: PatronID
    package let library: LibraryID
    /// The account that signs in anew; nil for a new one.
    package let account: AccountID?
    package let visit: SignInPage.Visit
  }

  private let store: Store
  private let enrollment: Enrollment
  private let now: @Sendable () -> Int64
  private let key: @Sendable () async throws(VaultError) -> Secret

  private static let patience: Int64 = 15 * 60_000
  private static let mostOfOne = 5

  /// `key` is asked for each time, so that a vault that is locked meanwhile stays locked; `now` is
  /// in milliseconds since 1970.
  package init(
    _ enrollment: Enrollment, store: Store, now: @escaping @Sendable () -> Int64,
    key: @escaping @Sendable () async throws(VaultError) -> Secret
  ) {
    (self.enrollment, self.store, self.now, self.key) = (enrollment, store, now, key)
  }

  /// What to derive the key from a vault with.
  package static var keyLabel: String { "carrel/page-visits" }

  /// The service's page, to be opened in the reader's browser.
  package func begin(
    at library: LibraryID, for patron: PatronID, account: AccountID? = nil, redirect: String,
    in call: Call
  ) async throws(EnrollmentError) -> SignInPage.Visit {
    let described = try enrollment.houses.library(library)
    guard case .page(let page) = try enrollment.way(to: library),
      let state = try? OAuth2.newWord()
    else { throw .noPage(library) }
    let visit: SignInPage.Visit
    do throws(CirculationError) {
      visit = try await page.begin(
        .init(redirect: redirect, state: state), enrollment.houses.session(described), call)
    } catch {
      throw .refused(error)
    }
    try await keep(
      Pending(patron: patron, library: library, account: account, visit: visit), state)
    return visit
  }

  /// Whoever came back with this word, once; nil for somebody else's, or after too long a time.
  package func take(
    _ state: String, of patron: PatronID
  ) async throws(EnrollmentError) -> Pending? {
    let (mark, now) = (Self.mark(state), now())
    let row = try await stored { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) -> Kept? in
        try tx.execute("DELETE FROM page_visit WHERE until <= \(now)")
        // Whoever deletes it has it, however many gateways are asked at once.
        return try tx.first(
          """
          DELETE FROM page_visit WHERE mark = \(mark) AND patron = \(patron.rawValue)
          RETURNING library, for_account, sealed
          """
        ) { row throws(DatabaseError) in
          Kept(library: LibraryID(try row[0]), account: try row[1], sealed: try row[2])
        }
      }
    }
    guard let row else { return nil }
    let key = try await opened()
    // What was sealed by another vault was not begun here.
    guard let fields = try? FieldSealing.open(fields: row.sealed, as: Self.name(mark, patron), key),
      let visit = SignInPage.Visit(fields, state)
    else { return nil }
    return Pending(
      patron: patron, library: row.library, account: row.account.map { AccountID($0) },
      visit: visit)
  }

  package func finish(
    _ pending: Pending, _ answer: SignInPage.Answer, in call: Call
  ) async throws(EnrollmentError) -> Credentials {
    let described = try enrollment.houses.library(pending.library)
    guard case .page(let page) = try enrollment.way(to: pending.library) else {
      throw .noPage(pending.library)
    }
    do throws(CirculationError) {
      return try await page.finish(
        pending.visit, answer, enrollment.houses.session(described), call)
    } catch {
      throw .refused(error)
    }
  }

  // MARK: - Rows

  private struct Kept: Sendable {
    let library: LibraryID
    let account: String?
    let sealed: [UInt8]
  }

  private func keep(_ pending: Pending, _ state: String) async throws(EnrollmentError) {
    let (mark, patron, now) = (Self.mark(state), pending.patron.rawValue, now())
    let key = try await opened()
    let sealed: [UInt8]
    do throws(CryptoError) {
      sealed = try FieldSealing.seal(
        pending.visit.fields, as: Self.name(mark, pending.patron), key)
    } catch { throw .registry(.vault(.unavailable("chance"))) }
    try await stored { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute(
          """
          DELETE FROM page_visit WHERE until <= \(now) OR mark IN (
            SELECT mark FROM page_visit WHERE patron = \(patron)
            ORDER BY until DESC, mark LIMIT 1000 OFFSET \(Self.mostOfOne - 1))
          """)
        try tx.execute(
          """
          INSERT INTO page_visit (mark, patron, library, for_account, sealed, until)
          VALUES (\(mark), \(patron), \(pending.library.rawValue), \(pending.account?.rawValue),
            \(sealed), \(now + Self.patience))
          """)
      }
    }
  }

  /// The word itself is known to the browser alone.
  private static func mark(_ state: String) -> String { Hex.encode(Digest.sha256.hash(state)) }

  private static func name(_ mark: String, _ patron: PatronID) -> [UInt8] {
    Array("visit\0\(mark)\0\(patron.rawValue)".utf8)
  }

  private func opened() async throws(EnrollmentError) -> Secret {
    do throws(VaultError) { return try await key() } catch { throw .registry(.vault(error)) }
  }

  private func stored<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(EnrollmentError) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }

  package static let migrations = MigrationList(
    "page-visits",
    [
      Migration(
        "visits",
        [
          """
          CREATE TABLE page_visit (
            mark \(.text) PRIMARY KEY, patron \(.text) NOT NULL, library \(.text) NOT NULL,
            for_account \(.text), sealed \(.blob) NOT NULL, until \(.integer) NOT NULL)\(.strictTable)
          """
        ])
    ])

  package static func removals(of leaver: Leaver) -> [Removal] {
    [
      Removal(
        "sign-ins under way", from: "page_visit", where: "patron = \(leaver.patron.rawValue)")
    ]
  }
}

extension SignInPage.Visit {
  /// As it is sealed.
  fileprivate var fields: [String: Secret] {
    var fields = ["address": Secret(address.text)]
    if let redirect = request.redirect { fields["redirect"] = Secret(redirect) }
    for (name, secret) in carried { fields["carried.\(name)"] = secret }
    return fields
  }

  fileprivate init?(_ fields: [String: Secret], _ state: String) {
    guard let address = fields["address"].flatMap({ $0.revealText { try? Address($0) } })
    else { return nil }
    let prefix = "carried."
    let carried = fields.filter { $0.key.hasPrefix(prefix) }
    self.init(
      address: address,
      request: .init(redirect: fields["redirect"]?.revealText { $0 }, state: state),
      carried: Dictionary(
        carried.map { (String($0.key.dropFirst(prefix.count)), $0.value) },
        uniquingKeysWith: { $1 }))
  }
}
