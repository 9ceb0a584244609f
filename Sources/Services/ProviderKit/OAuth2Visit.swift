import Crypto
package import HTTP
package import Secrets

extension OAuth2 {
  /// A reader's way to the service's own page and back: the authorization code grant, with what
  /// keeps others from walking in on it.
  package struct Visit: Sendable {
    /// Compared by services letter for letter, so it is text and never taken apart.
    package let redirect: String
    package let state: String
    /// The service's name for itself; what an answer says it is must be this (RFC 9207).
    package let issuer: String?
    /// Proves at the exchange that we are who sent the reader (RFC 7636); nil where the service
    /// knows no such thing.
    package let verifier: Secret?

    package init(
      redirect: String, state: String, issuer: String? = nil, verifier: Secret? = nil
    ) {
      (self.redirect, self.state) = (redirect, state)
      (self.issuer, self.verifier) = (issuer, verifier)
    }

    /// The page to open.
    package func address(
      at page: Address, client: Secret, scope: String?, extra: [Address.QueryItem] = []
    ) -> Address {
      var items: [Address.QueryItem] = [
        .init("client_id", client.revealText { $0 }), .init("redirect_uri", redirect),
        .init("response_type", "code"),
      ]
      if let scope { items.append(.init("scope", scope)) }
      items.append(.init("state", state))
      if let verifier {
        items.append(.init("code_challenge", Self.challenge(of: verifier)))
        items.append(.init("code_challenge_method", "S256"))
      }
      return page.adding(items + extra)
    }

    static func challenge(of verifier: Secret) -> String {
      let digest = verifier.reveal { bytes in
        var stream = DigestStream(.sha256)
        stream.update(bytes)
        return stream.finish()
      }
      return Base64.urlSafe.encode(digest)
    }

    package enum Fault: Error, Sendable, Hashable {
      /// Not the answer to our question: from another sign-in, or somebody else's.
      case foreignState
      case foreignIssuer
      /// Neither a code nor an error, or one of them twice.
      case incomplete
      case refused(Refusal)
    }

    /// The code that the reader came back with.
    package func code(in answer: FormFields) throws(Fault) -> Secret {
      // Before anything else: an error that is not ours must not end our sign-in either.
      guard let state = try Self.only("state", in: answer),
        constantTimeEqual(Array(state.utf8), Array(self.state.utf8))
      else { throw .foreignState }
      if let issuer, let named = try Self.only("iss", in: answer), named != issuer {
        throw .foreignIssuer
      }
      if let error = try Self.only("error", in: answer) {
        let text = try Self.only("error_description", in: answer)
        throw .refused(Refusal(code: error, text: text ?? ""))
      }
      guard let code = try Self.only("code", in: answer), !code.isEmpty else {
        throw .incomplete
      }
      return Secret(code)
    }

    private static func only(_ name: String, in answer: FormFields) throws(Fault) -> String? {
      let found = answer.all(name)
      guard found.count < 2 else { throw .incomplete }
      return found.first
    }
  }
}
