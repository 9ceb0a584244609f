import COpenSSL

/// A key that signs, with the certificates it can give: what a party on the other side of a format
/// has, as a server of licences that a mock plays.
@safe package final class IssuingKey: Sendable {
  // Never changed after init; OpenSSL signs with one key on several threads.
  private nonisolated(unsafe) let handle: OpaquePointer
  package let kind: Certificate.KeyKind

  private init(_ handle: OpaquePointer?, _ kind: Certificate.KeyKind) throws(CryptoError) {
    guard let handle = unsafe handle else {
      ERR_clear_error()
      throw .unavailable("a new key")
    }
    unsafe self.handle = handle
    self.kind = kind
  }

  deinit { unsafe EVP_PKEY_free(handle) }

  package static func rsa(bits: UInt32 = 2048) throws(CryptoError) -> IssuingKey {
    unsafe try IssuingKey(carrel_new_rsa(bits), .rsa)
  }

  package static func p256() throws(CryptoError) -> IssuingKey {
    unsafe try IssuingKey(carrel_new_p256(), .ellipticCurve)
  }

  /// As `Certificate.verifies` reads it: ECDSA's two numbers side by side.
  package func signature(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let context = unsafe EVP_MD_CTX_new() else { throw .unavailable("a signature") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var out = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(handle)))
    var length = out.count
    let done = unsafe out.withUnsafeMutableBufferPointer { out in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1
          && EVP_DigestSign(
            context, out.baseAddress, &length, message.baseAddress, message.count) == 1
      }
    }
    guard done else { throw .unavailable("a signature") }
    let signed = Array(out.prefix(length))
    return kind == .rsa ? signed : try Self.raw(signed)
  }

  private static func raw(_ der: [UInt8]) throws(CryptoError) -> [UInt8] {
    let read = unsafe der.withUnsafeBufferPointer { der -> OpaquePointer? in
      var place = der.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &place, der.count)
    }
    guard let read = unsafe read else { throw .unavailable("a signature") }
    defer { unsafe ECDSA_SIG_free(read) }
    var out = [UInt8](repeating: 0, count: 64)
    let written = unsafe out.withUnsafeMutableBufferPointer { out in
      guard let start = out.baseAddress else { return false }
      return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(read), start, 32) == 32
        && BN_bn2binpad(ECDSA_SIG_get0_s(read), start + 32, 32) == 32
    }
    guard written else { throw .unavailable("a signature") }
    return out
  }

  /// What a certificate is to say; times are seconds since 1970.
  package struct Wanted: Sendable {
    package var name: String
    package var from: Int64
    package var until: Int64
    package var serial = 1
    /// Whether it may sign others.
    package var isAuthority = false

    package init(name: String, from: Int64, until: Int64) {
      (self.name, self.from, self.until) = (name, from, until)
    }
  }

  /// A certificate of this key, signed by `issuer`; by itself where none is named.
  package func certificate(
    _ wanted: Wanted, issuer: (key: IssuingKey, certificate: Certificate)? = nil
  ) throws(CryptoError) -> Certificate {
    guard let made = unsafe X509_new() else { throw .unavailable("a certificate") }
    defer { unsafe X509_free(made) }
    let subject = unsafe X509_get_subject_name(made)
    let isWritten =
      unsafe X509_set_version(made, 2) == 1
      && ASN1_INTEGER_set(X509_get_serialNumber(made), wanted.serial) == 1
      && ASN1_TIME_set(X509_getm_notBefore(made), time_t(wanted.from)) != nil
      && ASN1_TIME_set(X509_getm_notAfter(made), time_t(wanted.until)) != nil
      && X509_set_pubkey(made, handle) == 1
      && Array(wanted.name.utf8).withUnsafeBufferPointer {
        unsafe X509_NAME_add_entry_by_txt(
          subject, "CN", 0x1000 | 1, $0.baseAddress, Int32($0.count), -1, 0) == 1
      }
      && X509_set_issuer_name(
        made, issuer.map { unsafe X509_get_subject_name($0.certificate.handle) } ?? subject) == 1
    guard isWritten, unsafe mark(made, isAuthority: wanted.isAuthority),
      unsafe X509_sign(made, issuer?.key.handle ?? handle, EVP_sha256()) > 0
    else {
      ERR_clear_error()
      throw .unavailable("a certificate")
    }
    var out: UnsafeMutablePointer<UInt8>?
    let length = unsafe i2d_X509(made, &out)
    guard length > 0, let out = unsafe out else { throw .unavailable("a certificate") }
    defer { unsafe CRYPTO_free(out, nil, 0) }
    return try Certificate(der: unsafe Array(UnsafeBufferPointer(start: out, count: Int(length))))
  }

  private func mark(_ made: OpaquePointer, isAuthority: Bool) -> Bool {
    guard isAuthority else { return true }
    guard
      let words = unsafe X509V3_EXT_conf_nid(
        nil, nil, NID_basic_constraints, "critical,CA:TRUE")
    else { return false }
    defer { unsafe X509_EXTENSION_free(words) }
    return unsafe X509_add_ext(made, words, -1) == 1
  }

  /// A list that takes these certificates back, in DER.
  package func revocationList(
    of serials: [Int], by authority: Certificate, at time: Int64
  ) throws(CryptoError) -> [UInt8] {
    guard let list = unsafe X509_CRL_new(), let now = unsafe ASN1_TIME_set(nil, time_t(time))
    else { throw .unavailable("a list of revoked certificates") }
    defer {
      unsafe X509_CRL_free(list)
      unsafe ASN1_TIME_free(now)
    }
    var done =
      unsafe X509_CRL_set_version(list, 1) == 1
      && X509_CRL_set_issuer_name(list, X509_get_subject_name(authority.handle)) == 1
      && X509_CRL_set1_lastUpdate(list, now) == 1 && X509_CRL_set1_nextUpdate(list, now) == 1
    for serial in serials where done {
      guard let number = unsafe ASN1_INTEGER_new(), let entry = unsafe X509_REVOKED_new() else {
        throw .unavailable("a list of revoked certificates")
      }
      defer { unsafe ASN1_INTEGER_free(number) }
      done =
        unsafe ASN1_INTEGER_set(number, serial) == 1
        && X509_REVOKED_set_serialNumber(entry, number) == 1
        && X509_REVOKED_set_revocationDate(entry, now) == 1
        && X509_CRL_add0_revoked(list, entry) == 1
    }
    guard done, unsafe X509_CRL_sort(list) == 1,
      unsafe X509_CRL_sign(list, handle, EVP_sha256()) > 0
    else { throw .unavailable("a list of revoked certificates") }
    var out: UnsafeMutablePointer<UInt8>?
    let length = unsafe i2d_X509_CRL(list, &out)
    guard length > 0, let out = unsafe out else { throw .unavailable("a list") }
    defer { unsafe CRYPTO_free(out, nil, 0) }
    return unsafe Array(UnsafeBufferPointer(start: out, count: Int(length)))
  }
}
