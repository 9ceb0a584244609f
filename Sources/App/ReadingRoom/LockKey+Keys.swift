import Crypto
package import EPUB
package import Items
package import LCP
package import Machine
package import Setup

extension LockKey {
  package func keys(at now: Timestamp) throws(ErrorItem) -> BookKeys {
    BookKeys(
      passphrase.map(UserKey.all) ?? [],
      trusting: try LicenseRoots(rootsFile, revokedFile, mayLack: fetchesRevoked), at: now)
  }
}

extension LicenseRoots {
  /// Whom the settings say to trust; nobody where they say nothing.
  /// A list that is fetched may not have come yet: until then nobody is on it.
  package init(_ roots: String?, _ revoked: String?, mayLack: Bool = false) throws(ErrorItem) {
    let revoked = mayLack ? revoked.flatMap { Self.isThere($0) ? $0 : nil } : revoked
    func bytes(_ path: String) throws(ErrorItem) -> [UInt8] {
      do throws(FileError) { return try WholeFile.read(path, upTo: 16 << 20) } catch {
        throw ErrorItem("config_unreadable", "\(error)")
      }
    }
    do {
      self.init(
        try roots.map { try Certificate.all(pem: String(decoding: try bytes($0), as: UTF8.self)) }
          ?? [],
        revoked: try revoked.map { [try RevocationList(try bytes($0))] } ?? [])
    } catch let error as ErrorItem {
      throw error
    } catch {
      throw ErrorItem(
        "config_unreadable", "lcp.roots_file or lcp.revoked_file has no certificates: \(error)")
    }
  }

  private static func isThere(_ path: String) -> Bool {
    (try? WholeFile.read(path, upTo: 16 << 20)) != nil
  }
}
