package import Circulation
import Crypto
package import Database
package import EPUB
package import HTTPClient
package import LCP
package import Machine
package import Secrets

/// Books with licences on behalf of readers: their keys, kept sealed for the next book of the same
/// lender, and the opening of files with whatever key there is.
package struct Licenses: Sendable {
  package static let keyLabel = "carrel/license-keys"

  let store: Store
  let now: @Sendable () -> Int64
  /// Whom this house trusts; asked for when a locked book comes up.
  let trusted: @Sendable () -> LicenseRoots
  /// By the library that lent the book; nil for a file that a patron brought.
  let transport: @Sendable (LibraryID?) -> Transport
  private let key: @Sendable () async -> Secret?

  /// `key` is nil while the vault is locked: then no reader's key is kept, and each is asked for again.
  package init(
    store: Store, over transport: @escaping @Sendable (LibraryID?) -> Transport,
    now: @escaping @Sendable () -> Int64,
    trusted: @escaping @Sendable () -> LicenseRoots, key: @escaping @Sendable () async -> Secret?
  ) {
    (self.store, self.transport, self.now) = (store, transport, now)
    (self.trusted, self.key) = (trusted, key)
  }

  package var moment: Timestamp { Timestamp(millisecondsSinceEpoch: now()) }
  package var roots: LicenseRoots { trusted() }

  // MARK: - Opening

  /// What a book may be opened with beside what is kept.
  package struct Attempt: Sendable {
    /// As its lender handed it over with the loan.
    package var handedOver: String?
    /// As its reader typed it.
    package var typed: Secret?

    package init(handedOver: String? = nil, typed: Secret? = nil) {
      (self.handedOver, self.typed) = (handedOver, typed)
    }
  }

  /// A book of the disk, with or without a licence. A key that fits and was not kept yet is kept, for
  /// this reader, this lender and whom the lender knows the reader as.
  package func open(
    _ path: String, for patron: PatronID, _ attempt: Attempt = Attempt()
  ) async throws(OpeningError) -> Book {
    let roots = roots
    let refusal: EPUB.Refusal
    do throws(OpeningError) {
      // Most books have no licence, and are open now.
      return try Book(file: path, with: BookKeys([], trusting: roots, at: moment))
    } catch {
      guard case .refused(let why) = error, why.license?.reason == .passphraseNeeded else {
        throw error
      }
      refusal = why
    }
    let provider = refusal.note?.provider ?? ""
    let given =
      (attempt.handedOver.flatMap { UserKey(handedOver: $0) }.map { [$0] } ?? [])
      + (attempt.typed.map(UserKey.all) ?? [])
    let kept = await keys(of: patron, from: provider)
    // No key at all is a question, and a wrong one that was handed over is none of the reader's.
    let keys = kept + given
    guard !keys.isEmpty else { throw .refused(refusal) }
    let book: Book
    do throws(OpeningError) {
      book = try Book(file: path, with: BookKeys(keys, trusting: roots, at: moment))
    } catch {
      guard case .refused(let why) = error, why.license?.reason == .passphraseWrong,
        attempt.typed == nil
      else { throw error }
      throw .refused(refusal)
    }
    if let license = book.license, !kept.contains(where: license.fits),
      let fitting = given.first(where: license.fits)
    {
      await keep(fitting, for: license, of: patron)
    }
    return book
  }

  // MARK: - Keys

  /// Those of one lender; none where they cannot be had.
  func keys(of patron: PatronID, from provider: String) async -> [UserKey] {
    guard let key = await key() else { return [] }
    let rows: [(reader: String, sealed: [UInt8])]
    do throws(DatabaseError) {
      rows = try await store.read { tx throws(DatabaseError) in
        try tx.rows(
          """
          SELECT reader, sealed FROM license_key
          WHERE patron = \(patron.rawValue) AND provider = \(provider) ORDER BY changed_at DESC
          """
        ) { row throws(DatabaseError) in (reader: try row[0], sealed: try row[1]) }
      }
    } catch { return [] }
    return rows.compactMap { row in
      let nonce = Array(row.sealed.prefix(AESGCM.nonceLength))
      guard
        var bytes = try? AESGCM.open(
          Array(row.sealed.dropFirst(nonce.count)), key: key, nonce: nonce,
          authenticating: Self.bound(patron, provider, row.reader))
      else { return nil }
      defer { wipe(&bytes) }
      return UserKey(Secret(bytes))
    }
  }

  /// A key that cannot be kept is asked for again; that keeps nobody from reading.
  func keep(_ fitting: UserKey, for license: License, of patron: PatronID) async {
    let (provider, reader, now) = (license.provider, license.user.id ?? "", now())
    guard let key = await key(), let nonce = try? randomBytes(AESGCM.nonceLength),
      let sealed = fitting.secret.revealBytes({ bytes in
        try? AESGCM.seal(
          bytes, key: key, nonce: nonce, authenticating: Self.bound(patron, provider, reader))
      })
    else { return }
    _ = try? await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO license_key (patron, provider, reader, sealed, changed_at)
        VALUES (\(patron.rawValue), \(provider), \(reader), \(nonce + sealed), \(now))
        ON CONFLICT (patron, provider, reader) DO UPDATE
        SET sealed = excluded.sealed, changed_at = excluded.changed_at
        """)
    }
  }

  private static func bound(_ patron: PatronID, _ provider: String, _ reader: String) -> [UInt8] {
    Array([keyLabel, patron.rawValue, provider, reader].joined(separator: "\0").utf8)
  }
}
