package import Circulation
package import HTTP
package import Secrets

/// How an account at one library is linked.
package enum SignInWay: Sendable {
  /// The reader types these, in their order.
  case fields([ProviderListing.Field])
  /// The reader signs in at the service's own page.
  case page(SignInPage)
}

/// A sign-in at the service's own page in two halves, with the reader in between. It suits OAuth 2
/// and OAuth 1 alike; what has to survive from one half to the other travels in the visit.
package struct SignInPage: Sendable {
  /// What is asked, and how the reader gets back to us.
  package struct Request: Sendable {
    /// Where the service shall send the reader; nil where we cannot be reached, and the reader types
    /// what the page shows.
    package let redirect: String?
    /// A word that nobody can guess; the answer must bring it back.
    package let state: String

    package init(redirect: String?, state: String) {
      (self.redirect, self.state) = (redirect, state)
    }
  }

  /// A reader on the way.
  package struct Visit: Sendable {
    /// To be opened in the reader's browser.
    package let address: Address
    package let request: Request
    /// A verifier or the secret of a token on trial: kept where the reader cannot read it.
    package let carried: [String: Secret]

    package init(address: Address, request: Request, carried: [String: Secret] = [:]) {
      (self.address, self.request, self.carried) = (address, request, carried)
    }
  }

  package enum Answer: Sendable {
    /// The query of the address that the reader came back to.
    case redirected(FormFields)
    /// The code that the page showed, typed in.
    case typed(Secret)

    /// What a reader pastes is a code, or the whole address that the browser could not open.
    package init(pasted text: String) {
      let text = text.filter { !$0.isWhitespace }
      let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
      let fields = FormFields(parsing: String(query.prefix { $0 != "#" }))
      let isAnswer = ["code", "error", "oauth_token"].contains { fields[$0] != nil }
      self = isAnswer ? .redirected(fields) : .typed(Secret(text))
    }
  }

  package let begin: @Sendable (Request, Session, Call) async throws(CirculationError) -> Visit
  package let finish:
    @Sendable (Visit, Answer, Session, Call) async throws(CirculationError) -> Credentials

  package init(
    begin: @escaping @Sendable (Request, Session, Call) async throws(CirculationError) -> Visit,
    finish:
      @escaping @Sendable (Visit, Answer, Session, Call) async throws(CirculationError) ->
      Credentials
  ) {
    (self.begin, self.finish) = (begin, finish)
  }
}
