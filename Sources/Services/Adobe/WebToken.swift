import Crypto
import JSON
import Secrets

/// The other form of the same: a JSON Web Token (RFC 7519) with HMAC-SHA-256 and nothing else.
struct WebToken: Sendable, Hashable {
  let library: String
  let reader: String

  /// Nil for whatever is not one, or is over, or comes from a clock that is ahead.
  init?(_ text: String, now: Int64, secret: (_ library: String) -> Secret?) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, text.utf8.count <= 4000,
      let head = Self.json(parts[0]), head["alg"]?.string == "HS256",
      let body = Self.json(parts[1]), let library = body["iss"]?.string,
      let reader = body["sub"]?.string, !reader.isEmpty, reader.utf8.count <= 200,
      let made = body["iat"]?.double, let end = body["exp"]?.double,
      let key = secret(library), let given = try? Base64.urlSafe.decode(parts[2])
    else { return nil }
    let second = Double(now) / 1000
    guard made <= second, end > second else { return nil }
    let wanted = Digest.sha256.authenticate(Array("\(parts[0]).\(parts[1])".utf8), key: key)
    guard constantTimeEqual(given, wanted) else { return nil }
    (self.library, self.reader) = (library, reader)
  }

  private static func json(_ text: String) -> JSONValue? {
    (try? Base64.urlSafe.decode(text)).flatMap { try? JSONValue(parsing: $0) }
  }
}
