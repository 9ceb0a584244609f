import Circulation
import HTTP
import ProviderKit
import Secrets

// §3: three steps in the older dialect, which gives the way back with the page and has no verifier.

extension GoodreadsProvider {
  static func signIn(_ library: Library) throws(SettingsFault) -> SignInPage {
    let settings = try Settings(library, nil)
    return SignInPage(
      begin: { request, session, call throws(CirculationError) in
        try await GoodreadsProvider(settings: settings, session: session).visit(request, in: call)
      },
      finish: { visit, answer, session, call throws(CirculationError) in
        try await GoodreadsProvider(settings: settings, session: session)
          .credentials(visit, answer, in: call)
      })
  }

  private func visit(_ request: SignInPage.Request, in call: Call)
    async throws(CirculationError) -> SignInPage.Visit
  {
    let trial: OAuth1.Keys
    do throws(CirculationError) {
      trial = try await keys(at: settings.requestToken, token: nil, in: call)
    } catch {
      // Nobody has signed in yet: whoever is refused here is the operator.
      guard error.reason == .credentialsRejected else { throw error }
      throw failure(Failures.key, .checkAccount, says: error.providerSays)
    }
    // The word that only this browser knows travels in the address that it comes back to.
    let callback = request.redirect.map { redirect in
      redirect + (redirect.contains("?") ? "&" : "?") + "state=\(Address.encoded(request.state))"
    }
    return SignInPage.Visit(
      address: OAuth1.page(at: settings.authorizePage, for: trial, callback: callback),
      request: request, carried: ["token": trial.name, "token_secret": trial.secret])
  }

  private func credentials(
    _ visit: SignInPage.Visit, _ answer: SignInPage.Answer, in call: Call
  ) async throws(CirculationError) -> Credentials {
    guard let name = visit.carried["token"], let secret = visit.carried["token_secret"] else {
      throw failure(.credentialsRejected, .checkAccount, says: "the sign-in was not begun here")
    }
    // Without a way back the reader only says that it is done, and the third step tells whether.
    if case .redirected(let fields) = answer { try judge(fields, visit.request, token: name) }
    let granted = try await keys(
      at: settings.accessToken, token: OAuth1.Keys(name: name, secret: secret), in: call)
    let signer = OAuth1.Signer(settings.consumer, token: granted)
    let user = try Answer(
      try await signed(settings.whoAmI, by: signer, .checkAccount, in: call)
    ).payload(["user"], .checkAccount)
    guard let id = user.attribute("id"), Int(id) != nil else {
      throw Documents.malformed("a reader with a number", .checkAccount)
    }
    return Credentials([
      "token": granted.name, "token_secret": granted.secret, "user_id": Secret(id),
    ])
  }

  private func judge(
    _ fields: FormFields, _ request: SignInPage.Request, token: Secret
  ) throws(CirculationError) {
    guard fields.all("state") == [request.state],
      fields.all("oauth_token") == [token.revealText { $0 }]
    else {
      throw failure(
        .credentialsRejected, .checkAccount, says: "the answer belongs to another sign-in")
    }
    guard fields["authorize"] == "1" else {
      throw failure(.credentialsRejected, .checkAccount, says: "access was not granted")
    }
  }

  private func keys(at address: Address, token: OAuth1.Keys?, in call: Call)
    async throws(CirculationError) -> OAuth1.Keys
  {
    var request = WireRequest(.get, address)
    // A token is given out once.
    request.isRepeatable = false
    let signer = OAuth1.Signer(settings.consumer, token: token)
    let answer = Answer(try await signed(request, by: signer, .checkAccount, in: call))
    let text = try answer.text(.checkAccount)
    guard let keys = OAuth1.Keys(answer: Array(text.utf8)) else {
      throw Documents.malformed("a token", .checkAccount)
    }
    return keys
  }
}
