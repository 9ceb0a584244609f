package import LCP
package import Machine

/// What opens a book that is locked by a license: whom this house trusts, what time it is, and the
/// reader's keys that may fit.
package struct BookKeys: Sendable {
  package var roots: LicenseRoots
  package var now: Timestamp
  package var keys: [UserKey]

  package init(_ keys: [UserKey], trusting roots: LicenseRoots, at now: Timestamp) {
    (self.keys, self.roots, self.now) = (keys, roots, now)
  }

  /// Nil for a book without such a lock, or whose license is missing.
  func opened(_ protection: Protection) throws(Refusal) -> (License, ContentKey)? {
    guard protection.scheme == .lcp, let document = protection.licenseDocument else { return nil }
    do throws(LicenseRefusal) {
      let license = try License(document)
      try license.check(by: roots, at: now)
      return (license, try license.unlocked(with: keys))
    } catch {
      throw Refusal(error, protection.license)
    }
  }
}
