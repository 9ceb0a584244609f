import Crypto
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets

/// §2: each request stands for itself, and proves with a signature that it comes from a partner.
struct Signer: Sendable {
  let accountID: String
  let key: Secret

  /// `path` is the target as it is sent, query and all, from `/cirrus` on. The body is not signed.
  func signature(_ date: String, _ method: HTTP.Method, _ path: String) -> String {
    let text = "\(date)\n\(method.rawValue)\n\(path)"
    return Base64.standard.encode(Digest.sha256.authenticate(Array(text.utf8), key: key))
  }

  /// The request, signed anew for every try: a signature is good for some minutes.
  func signing(
    _ request: WireRequest, path: String, at now: @escaping @Sendable () -> Date
  ) -> WireRequest {
    var request = request
    request.secretHeaders += ["3mcl-Authorization"]
    request.beforeEachTry = { request in
      let date = Self.date(now())
      request.headers.set("3mcl-Datetime", date)
      request.headers.set(
        "3mcl-Authorization",
        "3MCLAUTH \(accountID):\(signature(date, request.method, path))")
      request.headers.set("3mcl-APIVersion", "3.0")
    }
    return request
  }

  /// RFC 1123, in Greenwich time and in English wherever we are.
  static func date(_ date: Date) -> String {
    HTTPDate(seconds: Int64(date.timeIntervalSince1970.rounded(.down))).description
  }
}
