package import Circulation
package import JSON
package import Secrets

extension OAuth2 {
  /// What a token endpoint granted.
  package struct Tokens: Sendable {
    package let access: Secret
    /// In small letters; services differ in the case of `Bearer`.
    package let type: String
    /// Nil where the service does not say.
    package let lifetime: Duration?
    package let refresh: Secret?
    package let scope: [String]

    /// Nil where there is no token in it.
    package init?(_ json: JSONValue) {
      guard let access = json["access_token"]?.words else { return nil }
      self.access = Secret(access)
      type = json["token_type"]?.words?.lowercased() ?? "bearer"
      // No token of a sane service lives longer than ten years.
      lifetime = json["expires_in"]?.whole.map { .seconds(min(max($0, 0), 315_360_000)) }
      refresh = json["refresh_token"]?.words.map { Secret($0) }
      scope = (json["scope"]?.words ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// For the desk. A tenth of its life, an hour at most, is left for the way and for clocks that
    /// differ.
    package func token(
      asked: ContinuousClock.Instant, assuming usual: Duration = .seconds(3600)
    ) -> TokenDesk.Token {
      let life = min(lifetime ?? usual, .seconds(86_400))
      return TokenDesk.Token(
        access.revealText { $0 }, expires: asked + max(life * 0.9, life - .seconds(3600)))
    }
  }

  /// A refusal in the words of the standard, from a token endpoint or from a redirect.
  package struct Refusal: Error, Sendable, Hashable {
    package let code: String
    /// Written by the service: it may name an account, so it belongs into no log.
    package let text: String

    package init(code: String, text: String = "") { (self.code, self.text) = (code, text) }

    package init?(_ json: JSONValue) {
      guard let code = json["error"]?.words else { return nil }
      self.init(code: code, text: json["error_description"]?.string ?? "")
    }

    /// The meaning where a service does not use the word for something of its own.
    package var reason: CirculationError.Reason {
      switch code {
      case "invalid_grant", "access_denied", "login_required", "consent_required",
        "interaction_required":
        .credentialsRejected
      case "temporarily_unavailable", "slow_down": .providerBusy(retryAfter: nil)
      case "invalid_client", "unauthorized_client", "invalid_request", "invalid_scope",
        "unsupported_grant_type", "unsupported_response_type":
        .notConfigured(what: "client key and secret")
      default: .providerUnavailable
      }
    }
  }
}
