import Crypto
package import HTTP
package import Secrets

/// Signing requests and the three steps to a token of OAuth 1.0a (RFC 5849), for services that never
/// moved on. Nonce and time are handed in, so a signature can be computed twice.
package enum OAuth1 {
  /// Two words that belong together: a consumer's key and secret, a token and its secret.
  package struct Keys: Sendable {
    package let name: Secret
    package let secret: Secret

    package init(name: Secret, secret: Secret) { (self.name, self.secret) = (name, secret) }

    /// From the answer to a token request, which is a form; nil where it holds no token.
    package init?(answer body: [UInt8]) {
      let form = FormFields(parsing: body)
      guard let name = form["oauth_token"], let secret = form["oauth_token_secret"], !name.isEmpty
      else { return nil }
      self.init(name: Secret(name), secret: Secret(secret))
    }
  }

  package enum Method: String, Sendable {
    case hmacSHA1 = "HMAC-SHA1"
    case plaintext = "PLAINTEXT"
  }

  /// What makes one request unlike every other.
  package struct Stamp: Sendable, Hashable {
    package let nonce: String
    /// Seconds since 1970; services refuse what is some minutes off.
    package let time: Int

    package init(nonce: String, time: Int) { (self.nonce, self.time) = (nonce, time) }
  }

  package struct Signer: Sendable {
    package let consumer: Keys
    package let token: Keys?
    package let method: Method
    /// Parameters of the protocol besides those the signer makes: some services leave out the
    /// version.
    package let fixed: [FormFields.Field]

    package init(
      _ consumer: Keys, token: Keys? = nil, method: Method = .hmacSHA1,
      fixed: [FormFields.Field] = [.init("oauth_version", "1.0")]
    ) {
      (self.consumer, self.token) = (consumer, token)
      (self.method, self.fixed) = (method, fixed)
    }

    /// The request with its `Authorization` field.
    package func signed(
      _ request: WireRequest, _ stamp: Stamp, adding more: [FormFields.Field] = []
    ) -> WireRequest {
      var own = parameters(stamp) + more
      own.append(.init("oauth_signature", signature(of: request, own)))
      var request = request
      let written = own.map { "\(Address.encoded($0.name))=\"\(Address.encoded($0.value))\"" }
      request.headers.set("Authorization", "OAuth " + written.joined(separator: ", "))
      return request
    }

    /// The request, signed anew for every try: a nonce that was seen before is refused, even when
    /// what came with it failed.
    package func signing(
      _ request: WireRequest, by stamp: @escaping @Sendable () -> Stamp
    ) -> WireRequest {
      var request = request
      request.beforeEachTry = { $0 = signed($0, stamp()) }
      return request
    }

    private func parameters(_ stamp: Stamp) -> [FormFields.Field] {
      var fields: [FormFields.Field] = [
        .init("oauth_consumer_key", consumer.name.revealText { $0 }),
        .init("oauth_nonce", stamp.nonce), .init("oauth_signature_method", method.rawValue),
        .init("oauth_timestamp", String(stamp.time)),
      ]
      if let token { fields.append(.init("oauth_token", token.name.revealText { $0 })) }
      return fields + fixed
    }

    private func signature(of request: WireRequest, _ own: [FormFields.Field]) -> String {
      let key = consumer.secret.revealText { mine in
        let theirs = token?.secret.revealText { Address.encoded($0) } ?? ""
        return "\(Address.encoded(mine))&\(theirs)"
      }
      switch method {
      case .plaintext: return key
      case .hmacSHA1:
        let base = OAuth1.baseString(of: request, own)
        return Base64.standard.encode(
          Digest.sha1.authenticate(Array(base.utf8), key: Secret(key)))
      }
    }
  }

  /// What is signed (§3.4.1). Parameters come from the query, from a form in the body and from the
  /// protocol itself, and end up encoded twice.
  static func baseString(of request: WireRequest, _ own: [FormFields.Field]) -> String {
    var all = own + FormFields(parsing: request.address.query ?? "").fields
    let type = request.headers["Content-Type"]?.lowercased() ?? ""
    if type.prefix(while: { $0 != ";" && $0 != " " }) == "application/x-www-form-urlencoded" {
      all += FormFields(parsing: request.body).fields
    }
    let sorted =
      all
      .map { (Address.encoded($0.name), Address.encoded($0.value)) }
      // Encoded text is ASCII, so this is the order of bytes.
      .sorted { precedes($0, $1) }
    let parameters = sorted.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let place = "\(request.address.scheme)://\(request.address.authority)\(request.address.path)"
    return [request.method.rawValue, place, parameters].map { Address.encoded($0) }
      .joined(separator: "&")
  }

  private static func precedes(_ one: (String, String), _ other: (String, String)) -> Bool {
    one.0 == other.0
      ? one.1.utf8.lexicographicallyPrecedes(other.1.utf8)
      : one.0.utf8.lexicographicallyPrecedes(other.0.utf8)
  }

  // MARK: - The three steps

  /// `callback` is left out where a service takes it at the next step, as the older dialect has it.
  package static func requestToken(
    _ method: HTTP.Method = .post, at address: Address, by signer: Signer, callback: String?,
    _ stamp: Stamp
  ) -> WireRequest {
    let more = callback.map { [FormFields.Field("oauth_callback", $0)] } ?? []
    var request = WireRequest(method, address)
    request.isRepeatable = false
    return signer.signed(request, stamp, adding: more)
  }

  /// The page to open.
  package static func page(at address: Address, for token: Keys, callback: String?) -> Address {
    var items: [Address.QueryItem] = [.init("oauth_token", token.name.revealText { $0 })]
    if let callback { items.append(.init("oauth_callback", callback)) }
    return address.adding(items)
  }

  /// With the request token as the signer's token. The older dialect has no verifier.
  package static func accessToken(
    _ method: HTTP.Method = .post, at address: Address, by signer: Signer, verifier: String?,
    _ stamp: Stamp
  ) -> WireRequest {
    let more = verifier.map { [FormFields.Field("oauth_verifier", $0)] } ?? []
    var request = WireRequest(method, address)
    request.isRepeatable = false
    return signer.signed(request, stamp, adding: more)
  }
}
