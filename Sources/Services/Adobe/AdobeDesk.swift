package import Circulation
package import Database
import Machine

/// Which number each reader has at the vendor, and the tokens that name it.
package struct AdobeDesk: Sendable {
  package let vendor: AdobeVendor
  let store: Store
  let now: @Sendable () -> Int64
  let chance: @Sendable (Int) -> [UInt8]

  /// How long a token is good: between one and two of these, so that it stays the same for a while.
  private static let span: Int64 = 30 * 60_000

  /// `now` is in milliseconds since 1970.
  package init(
    _ vendor: AdobeVendor, store: Store, now: @escaping @Sendable () -> Int64,
    chance: @escaping @Sendable (Int) -> [UInt8] = { Chance.system.bytes($0) }
  ) {
    (self.vendor, self.store, self.now, self.chance) = (vendor, store, now, chance)
  }

  // MARK: - Readers

  /// What a program of this reader's signs in with; nil where the library is no member.
  package func licensor(
    of patron: PatronID, at library: LibraryID
  ) async throws(DatabaseError) -> LoanKeys.Licensor? {
    guard let member = vendor.members[library] else { return nil }
    let token = ClientToken(
      library: member.shortName, reader: try await anonymous(patron, library),
      until: (now() / Self.span + 3) * Self.span)
    return LoanKeys.Licensor(
      vendor: vendor.name, scheme: Self.scheme, clientToken: token.text(member.secret))
  }

  package static let scheme = "http://librarysimplified.org/terms/drm/scheme/ACS"

  /// The number that stands for a reader at a library, made when it is first asked for.
  func anonymous(
    _ patron: PatronID, _ library: LibraryID
  ) async throws(DatabaseError) -> String {
    let (who, place) = (patron.rawValue, library.rawValue)
    let known = try await store.read { snapshot throws(DatabaseError) -> String? in
      try snapshot.first(
        "SELECT anonymous FROM adobe_reader WHERE patron = \(who) AND library = \(place)"
      ) { row throws(DatabaseError) -> String in try row[0] }
    }
    if let known { return known }
    let (fresh, now) = (Self.number(chance(16)), now())
    return try await store.write { tx throws(DatabaseError) -> String in
      try tx.execute(
        """
        INSERT INTO adobe_reader (patron, library, anonymous, made_at)
        VALUES (\(who), \(place), \(fresh), \(now)) ON CONFLICT (patron, library) DO NOTHING
        """)
      return try tx.value(
        "SELECT anonymous FROM adobe_reader WHERE patron = \(who) AND library = \(place)")
    }
  }

  /// A UUID of chance alone (RFC 9562 §5.4).
  private static func number(_ bytes: [UInt8]) -> String {
    var bytes = bytes
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return AdobeID.text(bytes)
  }

  // MARK: - Activations

  /// The library's account at the vendor for the patron that a token names: the same for ever. Nil for a
  /// number that was given up.
  func activation(
    of anonymous: String, at library: LibraryID, node: [UInt8]
  ) async throws(DatabaseError) -> String? {
    let place = library.rawValue
    let (fresh, now) = (AdobeID.make(node: node, now: now(), chance: chance(AdobeID.chance)), now())
    return try await store.write { tx throws(DatabaseError) -> String? in
      let isOver = try tx.first(
        "SELECT 1 FROM adobe_ended WHERE library = \(place) AND anonymous = \(anonymous)"
      ) { _ throws(DatabaseError) in true }
      guard isOver == nil else { return nil }
      try tx.execute(
        """
        INSERT INTO adobe_activation (library, anonymous, adobe, made_at)
        VALUES (\(place), \(anonymous), \(fresh), \(now)) ON CONFLICT (library, anonymous) DO NOTHING
        """)
      return try tx.first(
        "SELECT adobe FROM adobe_activation WHERE library = \(place) AND anonymous = \(anonymous)"
      ) { row throws(DatabaseError) -> String in try row[0] }
    }
  }

  func isActivation(_ adobe: String) async throws(DatabaseError) -> Bool {
    try await store.read { snapshot throws(DatabaseError) -> Bool in
      try snapshot.first("SELECT made_at FROM adobe_activation WHERE adobe = \(adobe)") {
        row throws(DatabaseError) -> Int64 in try row[0]
      } != nil
    }
  }

  // MARK: - What a reader sees

  /// Since when a reader has a number at a library, and whether a program was activated with it.
  package struct Known: Sendable, Hashable {
    package let library: LibraryID
    package let since: Int64
    package let isActivated: Bool
  }

  package func known(of patron: PatronID) async throws(DatabaseError) -> [Known] {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT r.library, r.made_at, a.adobe FROM adobe_reader r
        LEFT JOIN adobe_activation a ON a.library = r.library AND a.anonymous = r.anonymous
        WHERE r.patron = \(patron.rawValue) ORDER BY r.library\(.bytewise)
        """
      ) { row throws(DatabaseError) in
        let adobe: String? = try row[2]
        return Known(
          library: LibraryID(try row[0]), since: try row[1], isActivated: adobe != nil)
      }
    }
  }

  /// The next token names a new number, and those that were given out with the old one activate nothing
  /// any more. What was activated before keeps what it has, and opens nothing that is borrowed from now
  /// on.
  package func forget(
    _ patron: PatronID, at library: LibraryID
  ) async throws(DatabaseError) {
    let now = now()
    try await store.write { tx throws(DatabaseError) in
      try Self.forget(patron, at: library, now: now, in: tx)
    }
  }

  /// Longer than any token of a gateway is good.
  private static let memory: Int64 = 86_400_000

  /// At one library, or at all.
  package static func forget(
    _ patron: PatronID, at library: LibraryID?, now: Int64, in tx: Transaction
  ) throws(DatabaseError) {
    let all = library == nil
    let chosen: SQL =
      "patron = \(patron.rawValue) AND (\(all) OR library = \(library?.rawValue ?? ""))"
    try tx.execute("DELETE FROM adobe_ended WHERE ended_at <= \(now - memory)")
    try tx.execute(
      """
      INSERT INTO adobe_ended (library, anonymous, ended_at)
      SELECT library, anonymous, \(now) FROM adobe_reader WHERE \(chosen)
      """)
    try tx.execute("DELETE FROM adobe_reader WHERE \(chosen)")
  }
}
