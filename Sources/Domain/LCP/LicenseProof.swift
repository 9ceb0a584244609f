package import Crypto
package import Machine

/// Whom this house trusts to vouch for those who lend: certificates that it carries, and lists of what
/// they took back.
package struct LicenseRoots: Sendable {
  package let certificates: [Certificate]
  package let revoked: [RevocationList]

  package init(_ certificates: [Certificate] = [], revoked: [RevocationList] = []) {
    (self.certificates, self.revoked) = (certificates, revoked)
  }
}

extension License {
  private static let algorithms: [String: (Certificate.SignatureForm, Certificate.KeyKind)] = [
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": (.rsaSHA256, .rsa),
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256": (.ecdsaSHA256, .ellipticCurve),
  ]

  /// Everything that can be judged before a key is tried, in the order that the standard names.
  package func check(by roots: LicenseRoots, at now: Timestamp) throws(LicenseRefusal) {
    guard profile == Self.basicProfile else { throw LicenseRefusal(.profileUnknown, profile) }
    try checkProof(by: roots)
    try checkRights(at: now)
  }

  /// The signature, and who made it.
  package func checkProof(by roots: LicenseRoots) throws(LicenseRefusal) {
    guard let (form, kind) = Self.algorithms[signature.algorithm] else {
      throw LicenseRefusal(.algorithmUnknown, signature.algorithm)
    }
    let certificate: Certificate
    do throws(CryptoError) { certificate = try Certificate(der: signature.certificate) } catch {
      throw LicenseRefusal(.certificateUnreadable)
    }
    guard certificate.keyKind == kind else { throw LicenseRefusal(.keyOfAnotherKind) }
    guard certificate.verifies(signature.value, of: signed, as: form) else {
      throw LicenseRefusal(.signatureWrong)
    }
    try checkChain(certificate, roots)
  }

  /// Certificates run out while licences live on, so it is the times of the licence that count and
  /// never the present.
  private func checkChain(
    _ certificate: Certificate, _ roots: LicenseRoots
  ) throws(LicenseRefusal) {
    guard !roots.certificates.isEmpty else { throw LicenseRefusal(.noRoots) }
    let times = [issued, updated].compactMap { $0?.secondsSinceEpoch }
    var isOutOfTime = false
    for root in roots.certificates {
      let standings = times.map { certificate.standing(under: root, at: $0) }
      if standings.allSatisfy({ $0 == .trusted }) {
        let lists = roots.revoked.filter { $0.isSigned(by: root) }
        guard !lists.contains(where: { $0.revokes(certificate) }) else {
          throw LicenseRefusal(.certificateRevoked)
        }
        return
      }
      isOutOfTime = isOutOfTime || !standings.contains(.untrusted)
    }
    throw LicenseRefusal(isOutOfTime ? .certificateOutOfTime : .rootUnknown)
  }

  package func checkRights(at now: Timestamp) throws(LicenseRefusal) {
    if let start = rights.start, now < start { throw LicenseRefusal(.notYet, start.rfc3339()) }
    if let end = rights.end, now > end { throw LicenseRefusal(.ended, end.rfc3339()) }
  }

  /// Whether a file is the one that the licence is for, as far as it tells.
  package func checkPublication(sha256: [UInt8]) throws(LicenseRefusal) {
    guard let hash = link("publication")?.hash, hash != sha256 else { return }
    throw LicenseRefusal(.publicationChanged)
  }
}
