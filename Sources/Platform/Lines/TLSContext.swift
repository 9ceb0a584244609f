import CTLS
import HTTP
import HTTPClient

/// What all sessions of one kind have in common. TLS 1.2 is the least, and a client looks at chain
/// and name of every server.
///
/// Unchecked `Sendable`: OpenSSL counts references to a context with locks of its own, and nothing is
/// changed in it after it is made.
@safe final class TLSContext: @unchecked Sendable {
  let pointer: OpaquePointer
  private let terms: TLSTerms?

  deinit { unsafe SSL_CTX_free(pointer) }

  private init(_ pointer: OpaquePointer, _ terms: TLSTerms?) {
    unsafe self.pointer = pointer
    self.terms = terms
  }

  static func client(
    _ terms: TLSTerms, trusting trust: ClientConfiguration.Trust
  ) throws(LineError) -> TLSContext {
    guard let pointer = unsafe SSL_CTX_new(TLS_client_method()) else { throw .tls(.handshake) }
    let context = unsafe TLSContext(pointer, terms)
    guard unsafe carrel_tls_least_1_2(pointer) == 1 else { throw .tls(.handshake) }
    unsafe SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    var files: [String] = []
    var isSystemTrusted = true
    switch trust {
    case .system: break
    case .file(let path): (files, isSystemTrusted) = ([path], false)
    case .systemAnd(let path): files = [path]
    }
    if let own = terms.authorities { files.append(own) }
    if isSystemTrusted { unsafe SSL_CTX_set_default_verify_paths(pointer) }
    for file in files {
      guard unsafe SSL_CTX_load_verify_locations(pointer, file, nil) == 1 else {
        throw .tls(.trustFile)
      }
    }
    if let certificate = terms.certificate {
      try context.show(certificate, key: terms.key ?? certificate)
    }
    return context
  }

  static func server(_ settings: LineServer.TLS) throws(LineError) -> TLSContext {
    guard let pointer = unsafe SSL_CTX_new(TLS_server_method()) else { throw .tls(.handshake) }
    let context = unsafe TLSContext(pointer, nil)
    guard unsafe carrel_tls_least_1_2(pointer) == 1 else { throw .tls(.handshake) }
    try context.show(settings.certificate, key: settings.key)
    if let authority = settings.clientAuthority {
      guard unsafe SSL_CTX_load_verify_locations(pointer, authority, nil) == 1 else {
        throw .tls(.trustFile)
      }
      unsafe SSL_CTX_set_verify(
        pointer, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    }
    return context
  }

  private func show(_ certificate: String, key: String) throws(LineError) {
    guard unsafe SSL_CTX_use_certificate_chain_file(pointer, certificate) == 1,
      unsafe SSL_CTX_use_PrivateKey_file(pointer, key, SSL_FILETYPE_PEM) == 1,
      unsafe SSL_CTX_check_private_key(pointer) == 1
    else {
      ERR_clear_error()
      throw .tls(.trustFile)
    }
  }

  /// A session to that host, which must be named in the certificate; nil where memory is short.
  func session(to place: LinePlace, on descriptor: Int32) -> TLSSession? {
    guard let session = unsafe SSL_new(pointer) else { return nil }
    let wrapped = unsafe TLSSession(session, isServer: false)
    let isNamed: Bool
    switch (terms?.name, place.host) {
    case (.some(let name), _), (nil, .name(let name)):
      let isExpected = unsafe SSL_set1_host(session, name) == 1
      isNamed = unsafe isExpected && carrel_tls_name(session, name) == 1
    case (nil, .ip(let ip)):
      let parameters = unsafe SSL_get0_param(session)
      isNamed = unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, ip.description) == 1
    }
    guard isNamed, unsafe SSL_set_fd(session, descriptor) == 1 else { return nil }
    return wrapped
  }

  /// The other side's end of it.
  func session(on descriptor: Int32) -> TLSSession? {
    guard let session = unsafe SSL_new(pointer) else { return nil }
    let wrapped = unsafe TLSSession(session, isServer: true)
    return unsafe SSL_set_fd(session, descriptor) == 1 ? wrapped : nil
  }
}

/// One encrypted connection.
///
/// Unchecked `Sendable`: it is handed to its loop when it is made, and touched by that thread alone.
@safe final class TLSSession: @unchecked Sendable {
  enum Outcome {
    case moved(Int)
    case wantsRead, wantsWrite
    case ended, failed
  }

  enum Handshake { case done, wantsRead, wantsWrite, ended, failed }

  private let pointer: OpaquePointer

  init(_ pointer: OpaquePointer, isServer: Bool) {
    unsafe self.pointer = pointer
    unsafe carrel_tls_write_in_parts(pointer)
    if isServer {
      unsafe SSL_set_accept_state(pointer)
    } else {
      unsafe SSL_set_connect_state(pointer)
    }
  }

  deinit { unsafe SSL_free(pointer) }

  func shakeHands() -> Handshake {
    ERR_clear_error()
    let code = unsafe SSL_do_handshake(pointer)
    if code == 1 { return .done }
    switch outcome(code) {
    case .wantsRead: return .wantsRead
    case .wantsWrite: return .wantsWrite
    case .ended: return .ended
    case .moved, .failed: return .failed
    }
  }

  func write(_ bytes: ArraySlice<UInt8>) -> Outcome {
    ERR_clear_error()
    let code = unsafe bytes.withUnsafeBytes {
      unsafe SSL_write(pointer, $0.baseAddress, Int32($0.count))
    }
    return code > 0 ? .moved(Int(code)) : outcome(code)
  }

  func read(into piece: inout [UInt8]) -> Outcome {
    ERR_clear_error()
    let code = unsafe piece.withUnsafeMutableBytes {
      unsafe SSL_read(pointer, $0.baseAddress, Int32($0.count))
    }
    return code > 0 ? .moved(Int(code)) : outcome(code)
  }

  /// Says goodbye without waiting for the other side's.
  func close() {
    ERR_clear_error()
    unsafe SSL_shutdown(pointer)
    ERR_clear_error()
  }

  private func outcome(_ code: Int32) -> Outcome {
    defer { ERR_clear_error() }
    switch unsafe SSL_get_error(pointer, code) {
    case SSL_ERROR_WANT_READ: return .wantsRead
    case SSL_ERROR_WANT_WRITE: return .wantsWrite
    case SSL_ERROR_ZERO_RETURN: return .ended
    default: return .failed
    }
  }

  /// Why there was no handshake. The verdict is OpenSSL's `X509_V_ERR_…`.
  var fault: TLSFault {
    switch unsafe SSL_get_verify_result(pointer) {
    case 0: .handshake
    case 9: .notYetValid
    case 10: .expired
    case 18: .selfSigned
    case 2, 19, 20, 21: .unknownAuthority
    case 62, 64: .wrongHost
    default: .untrusted
    }
  }
}
