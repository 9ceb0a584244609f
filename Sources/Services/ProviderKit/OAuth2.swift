package import Crypto
package import HTTP
package import Secrets

/// The token requests of OAuth 2 (RFC 6749) as values. Sending them and saying what a refusal means
/// to a reader is the adapter's.
package enum OAuth2 {
  /// Who we are to the service.
  package struct Client: Sendable {
    package enum Presentation: Sendable {
      /// Key and secret as they are, which is what services read whose keys are plain words.
      case basic
      case inBody
    }

    let id: Secret
    /// Nil for a program that cannot keep one.
    let secret: Secret?
    let presentation: Presentation

    package init(id: Secret, secret: Secret?, presentation: Presentation = .basic) {
      (self.id, self.secret, self.presentation) = (id, secret, presentation)
    }
  }

  package enum Grant: Sendable {
    case clientCredentials
    case password(user: Secret, password: Secret)
    case refresh(Secret)
    /// `redirect` has to be, letter for letter, what the reader was sent away with.
    case code(Secret, redirect: String, verifier: Secret?)

    /// A code is good for one try, and a refresh may void the token it was asked with.
    fileprivate var isRepeatable: Bool {
      switch self {
      case .clientCredentials, .password: true
      case .refresh, .code: false
      }
    }

    fileprivate var fields: [(name: String, value: String)] {
      switch self {
      case .clientCredentials: return [("grant_type", "client_credentials")]
      case .password(let user, let password):
        return [
          ("grant_type", "password"), ("username", user.revealText { $0 }),
          ("password", password.revealText { $0 }),
        ]
      case .refresh(let token):
        return [("grant_type", "refresh_token"), ("refresh_token", token.revealText { $0 })]
      case .code(let code, let redirect, let verifier):
        let fields = [
          (name: "grant_type", value: "authorization_code"), ("code", code.revealText { $0 }),
          ("redirect_uri", redirect),
        ]
        return fields + (verifier.map { [("code_verifier", $0.revealText { $0 })] } ?? [])
      }
    }
  }

  /// `extra` is what one service wants besides.
  package static func request(
    _ grant: Grant, as client: Client, at address: Address, scope: String? = nil,
    extra: [(name: String, value: String)] = []
  ) -> WireRequest {
    var fields = grant.fields + extra
    if let scope { fields.append(("scope", scope)) }
    var headers: Headers = ["Accept": "application/json"]
    switch (client.presentation, client.secret) {
    case (.basic, let secret?):
      let pair = client.id.revealText { id in secret.revealText { Array("\(id):\($0)".utf8) } }
      headers.set("Authorization", "Basic \(Base64.standard.encode(pair))")
    case (.inBody, let secret):
      fields.append(("client_id", client.id.revealText { $0 }))
      if let secret { fields.append(("client_secret", secret.revealText { $0 })) }
    case (.basic, nil): fields.append(("client_id", client.id.revealText { $0 }))
    }
    var request = WireRequest.form(address, fields, headers: headers)
    request.isRepeatable = grant.isRepeatable
    return request
  }

  /// A word that nobody can guess: a `state`, or the verifier of a `Visit`.
  package static func newWord() throws(CryptoError) -> String {
    Base64.urlSafe.encode(try randomBytes(32))
  }
}
