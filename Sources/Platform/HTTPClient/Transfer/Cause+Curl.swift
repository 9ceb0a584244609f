import CCurl
import HTTP

extension Cause {
  /// The phrase is libcurl's constant one. Its error buffer may quote what the server or the
  /// address said, and so is not used.
  init(_ code: CURLcode) {
    self.init(
      code: Int(code.rawValue), phrase: unsafe String(cString: curl_easy_strerror(code)))
  }
}

extension TransportError {
  /// What a code of libcurl means for a transfer that had come to this phase.
  init(_ code: CURLcode, in phase: Phase, of handle: EasyHandle, limits: Request.Limits) {
    let cause = Cause(code)
    let tunnelAnswer = handle.number(CURLINFO_HTTP_CONNECTCODE)
    self =
      switch code {
      case CURLE_URL_MALFORMAT: .invalidRequest(.host)
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotResolve(cause)
      case CURLE_COULDNT_CONNECT, CURLE_PROXY: .cannotConnect(cause)
      case CURLE_OPERATION_TIMEDOUT: .timedOut(phase)
      case _ where tunnelAnswer != 0 && tunnelAnswer / 100 != 2 && phase < .sending:
        .proxyRefused(.init(tunnelAnswer))
      // An answer without a status line counts as the protocol of 1991 to libcurl.
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
        CURLE_HTTP2, CURLE_WRITE_ERROR:
        .malformedReply(cause)
      // A single header line beyond libcurl's own cap.
      case CURLE_OUT_OF_MEMORY where phase >= .sending:
        .tooLarge(.headerBytes(most: limits.headerBytes))
      case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE,
        CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
        .connectionLost(phase, cause)
      case _ where TLSFault.codes.contains(code):
        .tls(TLSFault(code, verdict: handle.number(CURLINFO_SSL_VERIFYRESULT)), cause)
      default: .other(cause)
      }
  }
}

extension TLSFault {
  fileprivate static let codes: [CURLcode] = [
    CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
    CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
    CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
    CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
    CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED,
  ]

  /// The verdict is OpenSSL's `X509_V_ERR_…`. It is "good" or "not yet known" when only the name
  /// did not match, for libcurl compares names itself, outside OpenSSL's own check.
  init(_ code: CURLcode, verdict: Int) {
    self =
      switch (code, verdict) {
      case (CURLE_SSL_CACERT_BADFILE, _): .trustFile
      case (CURLE_PEER_FAILED_VERIFICATION, 0...1), (CURLE_PEER_FAILED_VERIFICATION, 62): .wrongHost
      case (CURLE_PEER_FAILED_VERIFICATION, 9): .notYetValid
      case (CURLE_PEER_FAILED_VERIFICATION, 10): .expired
      case (CURLE_PEER_FAILED_VERIFICATION, 18): .selfSigned
      case (CURLE_PEER_FAILED_VERIFICATION, 2), (CURLE_PEER_FAILED_VERIFICATION, 19...21):
        .unknownAuthority
      case (CURLE_PEER_FAILED_VERIFICATION, _): .untrusted
      default: .handshake
      }
  }
}

extension Phase: Comparable {
  package static func < (one: Phase, other: Phase) -> Bool { one.place < other.place }

  private var place: Int {
    switch self {
    case .resolving: 0
    case .connecting: 1
    case .securing: 2
    case .sending: 3
    case .waiting: 4
    case .receiving: 5
    }
  }
}
