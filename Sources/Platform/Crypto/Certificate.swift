import COpenSSL
import Glibc

/// An X.509 certificate, and what it says of signatures. It is judged against a root that whoever
/// asks names, at a time that whoever asks names: there is no list of the system's behind it.
@safe package final class Certificate: Sendable, Hashable {
  /// What kind of key it vouches for.
  package enum KeyKind: Sendable, Hashable { case rsa, ellipticCurve, other }

  // Never changed after init; OpenSSL's reads of a certificate are safe from several threads.
  nonisolated(unsafe) let handle: OpaquePointer
  /// Its DER form, which is what makes two of them the same.
  package let bytes: [UInt8]

  private static let longest = 64 << 10

  package convenience init(der: [UInt8]) throws(CryptoError) {
    guard der.count <= Self.longest else { throw .wrongLength("the certificate") }
    let (handle, used) = unsafe der.withUnsafeBufferPointer { der -> (OpaquePointer?, Int) in
      var place = der.baseAddress
      let made = unsafe d2i_X509(nil, &place, der.count)
      guard let start = der.baseAddress, let end = unsafe place else { return unsafe (made, 0) }
      return unsafe (made, end - start)
    }
    guard let handle = unsafe handle, used == der.count else {
      unsafe X509_free(handle)
      ERR_clear_error()
      throw .badEncoding("certificate")
    }
    unsafe self.init(owning: handle, der)
  }

  /// All certificates of a PEM file, in its order; what else it has is passed over.
  package static func all(pem: String) throws(CryptoError) -> [Certificate] {
    let begin = "-----BEGIN CERTIFICATE-----"
    let end = "-----END CERTIFICATE-----"
    var found: [Certificate] = []
    var inside: [Substring]?
    for line in pem.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " }
      if line.hasPrefix(begin) {
        inside = []
      } else if line.hasPrefix(end) {
        guard let text = inside?.joined() else { throw .badEncoding("PEM certificate") }
        found.append(try Certificate(der: try Base64.decodeTolerantly(text)))
        inside = nil
      } else {
        inside?.append(line)
      }
    }
    guard inside == nil, !found.isEmpty else { throw .badEncoding("PEM certificate") }
    return found
  }

  private init(owning handle: OpaquePointer, _ bytes: [UInt8]) {
    unsafe self.handle = handle
    self.bytes = bytes
  }

  deinit { unsafe X509_free(handle) }

  package static func == (one: Certificate, other: Certificate) -> Bool { one.bytes == other.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

  package var pem: String {
    let text = Base64.standard.encode(bytes)
    var lines = ["-----BEGIN CERTIFICATE-----"]
    var rest = Substring(text)
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return lines.joined(separator: "\n") + "\n-----END CERTIFICATE-----\n"
  }

  /// The last second in which it is valid, since 1970; nil where it states no date.
  package var end: Int64? {
    var parts = tm()
    guard let time = unsafe X509_get0_notAfter(handle),
      unsafe ASN1_TIME_to_tm(time, &parts) == 1
    else { return nil }
    return unsafe Int64(timegm(&parts))
  }

  package var keyKind: KeyKind {
    guard let key = unsafe X509_get0_pubkey(handle) else { return .other }
    switch unsafe EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA: return .rsa
    case EVP_PKEY_EC: return .ellipticCurve
    default: return .other
    }
  }
}

// MARK: - Signatures

extension Certificate {
  package enum SignatureForm: Sendable, Hashable {
    /// PKCS#1 v1.5 with SHA-256.
    case rsaSHA256
    /// ECDSA with SHA-256, its two numbers side by side, each as long as the order of the curve.
    case ecdsaSHA256
  }

  /// Whether whoever holds this certificate's key signed these bytes. A key of another kind than the
  /// form has signed nothing.
  package func verifies(_ signature: [UInt8], of message: [UInt8], as form: SignatureForm) -> Bool {
    guard let key = unsafe X509_get0_pubkey(handle) else { return false }
    let given: [UInt8]
    switch form {
    case .rsaSHA256:
      guard keyKind == .rsa else { return false }
      given = signature
    case .ecdsaSHA256:
      let width = (Int(unsafe EVP_PKEY_get_bits(key)) + 7) / 8
      guard keyKind == .ellipticCurve, signature.count == 2 * width,
        let der = Self.der(signature)
      else { return false }
      given = der
    }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    defer { ERR_clear_error() }
    return unsafe given.withUnsafeBufferPointer { given in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
          && EVP_DigestVerify(
            context, given.baseAddress, given.count, message.baseAddress, message.count) == 1
      }
    }
  }

  private static func der(_ raw: [UInt8]) -> [UInt8]? {
    guard let signature = unsafe ECDSA_SIG_new() else { return nil }
    defer { unsafe ECDSA_SIG_free(signature) }
    let half = Int32(raw.count / 2)
    let taken = unsafe raw.withUnsafeBufferPointer { raw in
      guard let start = raw.baseAddress else { return false }
      let r = unsafe BN_bin2bn(start, half, nil)
      let s = unsafe BN_bin2bn(start + Int(half), half, nil)
      guard unsafe ECDSA_SIG_set0(signature, r, s) == 1 else {
        unsafe BN_free(r)
        unsafe BN_free(s)
        return false
      }
      return true
    }
    guard taken else { return nil }
    var out: UnsafeMutablePointer<UInt8>?
    let length = unsafe i2d_ECDSA_SIG(signature, &out)
    guard length > 0, let out = unsafe out else { return nil }
    defer { unsafe CRYPTO_free(out, nil, 0) }
    return unsafe Array(UnsafeBufferPointer(start: out, count: Int(length)))
  }
}

// MARK: - Chains

extension Certificate {
  package enum Standing: Sendable, Hashable {
    case trusted
    /// It, or the root, was not yet or no longer good at that time.
    case outOfTime
    /// This root has not signed it.
    case untrusted
  }

  /// How it stands to a root at a time, in seconds since 1970. What it may be used for is not
  /// looked at. One root is asked about at a time: of two with one name, the library takes the first
  /// and stops there.
  package func standing(under root: Certificate, at time: Int64) -> Standing {
    guard let store = unsafe X509_STORE_new() else { return .untrusted }
    defer { unsafe X509_STORE_free(store) }
    guard let context = unsafe X509_STORE_CTX_new() else { return .untrusted }
    defer { unsafe X509_STORE_CTX_free(context) }
    defer { ERR_clear_error() }
    guard unsafe X509_STORE_add_cert(store, root.handle) == 1,
      unsafe X509_STORE_CTX_init(context, store, handle, nil) == 1,
      let parameters = unsafe X509_STORE_CTX_get0_param(context)
    else { return .untrusted }
    unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(time))
    // The root is what is trusted, also where somebody else has signed it.
    _ = unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    if unsafe X509_verify_cert(context) == 1 { return .trusted }
    switch unsafe X509_STORE_CTX_get_error(context) {
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return .outOfTime
    default: return .untrusted
    }
  }
}

/// A list of certificates that their root has taken back.
@safe package final class RevocationList: Sendable {
  // Never changed after init; OpenSSL's reads of a list are safe from several threads.
  private nonisolated(unsafe) let handle: OpaquePointer

  package init(der: [UInt8]) throws(CryptoError) {
    let handle = unsafe der.withUnsafeBufferPointer { der in
      var place = der.baseAddress
      return unsafe d2i_X509_CRL(nil, &place, der.count)
    }
    guard let handle = unsafe handle else {
      ERR_clear_error()
      throw .badEncoding("list of revoked certificates")
    }
    unsafe self.handle = handle
  }

  /// In DER, or in PEM, as such lists lie about in both.
  package convenience init(_ bytes: [UInt8]) throws(CryptoError) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("-----BEGIN X509 CRL-----") else {
      try self.init(der: bytes)
      return
    }
    let body = text.split(whereSeparator: \.isNewline).drop { !$0.hasPrefix("-----BEGIN X509 CRL") }
      .dropFirst().prefix { !$0.hasPrefix("-----END") }
    try self.init(der: try Base64.decodeTolerantly(body.joined()))
  }

  deinit { unsafe X509_CRL_free(handle) }

  /// Whether this root wrote the list: nobody else's word counts.
  package func isSigned(by root: Certificate) -> Bool {
    guard let key = unsafe X509_get0_pubkey(root.handle) else { return false }
    defer { ERR_clear_error() }
    return unsafe X509_CRL_verify(handle, key) == 1
  }

  package func revokes(_ certificate: Certificate) -> Bool {
    var found: OpaquePointer?
    // 2 is "taken off the list again".
    return unsafe X509_CRL_get0_by_cert(handle, &found, certificate.handle) == 1
  }
}
