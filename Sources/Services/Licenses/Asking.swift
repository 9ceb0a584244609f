package import Circulation
import Crypto
import Database
import HTTP
import HTTPClient
import JSON
package import LCP
import Machine

extension Licenses {
  /// How a licence stands with its lender.
  package enum Standing: Sendable, Hashable {
    /// Nobody was asked, or nobody answered what can be believed: one reads on with what one has.
    case unknown
    case good
    /// The lender has a newer one, which was looked at as carefully as the first.
    case renewed(License)
    case ended(LicenseStatus.State)
  }

  /// Nobody waits for a lender longer than this before a book opens.
  private static let patience = Duration.seconds(5)
  /// So often a lender is asked about one licence, at the most.
  private static let rest: Int64 = 3_600_000
  static let mostBytes = 1 << 20

  /// Asks the lender, registers this house the first time, and fetches a newer licence. Whatever goes
  /// wrong on the way keeps nobody from reading.
  /// `library` lent the book and named with its license whom to ask; nil where a patron brought the file.
  package func standing(
    of license: License, for patron: PatronID, from library: LibraryID?
  ) async -> Standing {
    guard let link = license.link("status"), !link.isTemplated else { return .unknown }
    let before = await visit(license, patron)
    guard before.map({ $0.askedAt + Self.rest <= now() }) ?? true else { return .unknown }
    guard var status = await status(.get, link.href, of: license, library) else { return .unknown }
    guard status.state.mayRead else {
      await note(license, patron, isRegistered: before?.isRegistered ?? false)
      return .ended(status.state)
    }
    var isRegistered = before?.isRegistered ?? false
    if !isRegistered, let link = status.link("register"), let device = await device(),
      let address = URITemplate(link.href).filled(["id": device, "name": Self.deviceName])
    {
      if let told = await self.status(.post, address, of: license, library) {
        isRegistered = true
        status = told
      }
    }
    await note(license, patron, isRegistered: isRegistered)
    guard status.hasNewer(than: license), let link = status.link("license"), !link.isTemplated,
      let fresh = await fresh(link.href, after: license, library)
    else { return status.state.mayRead ? .good : .ended(status.state) }
    return .renewed(fresh)
  }

  /// What people see of this house among their devices.
  private static let deviceName = "Carrel"

  // MARK: - Over the line

  private func status(
    _ method: HTTP.Method, _ href: String, of license: License, _ library: LibraryID?
  ) async -> LicenseStatus? {
    guard let bytes = await answer(method, href, LicenseStatus.mediaType, library),
      let status = try? LicenseStatus(bytes), status.id == license.id
    else { return nil }
    return status
  }

  private func fresh(
    _ href: String, after license: License, _ library: LibraryID?
  ) async -> License? {
    guard let bytes = await answer(.get, href, License.mediaType, library),
      let fresh = try? License(bytes), fresh.id == license.id, fresh.provider == license.provider,
      fresh.latest > license.latest
    else { return nil }
    // One that has ended by now is as true as one that lasts.
    guard fresh.profile == License.basicProfile, (try? fresh.checkProof(by: roots)) != nil else {
      return nil
    }
    return fresh
  }

  private func answer(
    _ method: HTTP.Method, _ href: String, _ type: String, _ library: LibraryID?
  ) async -> [UInt8]? {
    guard let address = try? Address(href), ["http", "https"].contains(address.scheme) else {
      return nil
    }
    var request = Request(
      method, address, headers: ["Accept": type], deadline: .at(.now + Self.patience))
    request.limits.body = Self.mostBytes
    do throws(TransportError) {
      let reply = try await transport(library).send(request)
      return reply.status.isSuccess ? reply.body : nil
    } catch { return nil }
  }

  // MARK: - What is kept

  private struct Visited: Sendable {
    let isRegistered: Bool
    let askedAt: Int64
  }

  private func visit(_ license: License, _ patron: PatronID) async -> Visited? {
    try? await store.read { tx throws(DatabaseError) in
      try tx.first(
        """
        SELECT registered, asked_at FROM license_visit
        WHERE patron = \(patron.rawValue) AND license = \(license.id)
        """
      ) { row throws(DatabaseError) in
        Visited(isRegistered: try row[0], askedAt: try row[1])
      }
    }
  }

  private func note(_ license: License, _ patron: PatronID, isRegistered: Bool) async {
    let now = now()
    _ = try? await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO license_visit (patron, license, registered, asked_at)
        VALUES (\(patron.rawValue), \(license.id), \(isRegistered), \(now))
        ON CONFLICT (patron, license) DO UPDATE
        SET registered = excluded.registered, asked_at = excluded.asked_at
        """)
    }
  }

  /// By which lenders know this house: drawn once, and the same for all.
  func device() async -> String? {
    guard let bytes = try? randomBytes(16) else { return nil }
    let drawn = Self.uuid(bytes)
    return try? await store.write { tx throws(DatabaseError) in
      try tx.execute(
        "INSERT INTO license_device (place, id) VALUES (1, \(drawn)) ON CONFLICT (place) DO NOTHING"
      )
      return try tx.value("SELECT id FROM license_device WHERE place = 1", as: String.self)
    }
  }

  private static func uuid(_ bytes: [UInt8]) -> String {
    var bytes = bytes
    // Version 4, and the variant of the RFC.
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let hex = Array(Hex.encode(bytes))
    return [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]]
      .map { String($0) }.joined(separator: "-")
  }
}
