import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import JSON
import ProviderKit
import Secrets

// Tokens, sending and reading, the same for every operation.

extension GoogleBooksProvider {
  func ask(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Answer
  {
    let reply = try await session.send(request, as: try asReader(operation), operation, in: call)
    return Answer(reply, at: session.clock.date())
  }

  func shelves(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [WireShelf]
  {
    try Documents.shelves(try await ask(settings.shelves, operation, in: call), operation)
  }

  private func asReader(_ operation: Circulation.Operation) throws(CirculationError)
    -> ProviderKit.Authorization
  {
    guard let refresh = settings.refresh else {
      throw failure(.credentialsRejected, operation, says: "nobody has signed in")
    }
    return ProviderKit.Authorization(
      key: .init(scope: "reader \(settings.token.text)", credentials: settings.digest),
      fetch: { [self] call throws(CirculationError) in
        let asked = session.clock.now()
        let tokens = try await tokens(.refresh(refresh.current), in: call)
        return tokens.token(asked: asked)
      })
  }

  func tokens(_ grant: OAuth2.Grant, in call: Call) async throws(CirculationError)
    -> OAuth2.Tokens
  {
    var request = OAuth2.request(grant, as: settings.client, at: settings.token)
    // A refresh voids nothing here, unlike elsewhere (§1).
    if case .refresh = grant { request.isRepeatable = true }
    let reply = try await session.send(request, .checkAccount, in: call)
    return try Documents.tokens(Answer(reply, at: session.clock.date()), .checkAccount)
  }

  // MARK: - Names of shelves

  /// Shelves have numbers; what is none is no shelf.
  func number(of list: ListID) throws(CirculationError) -> Int {
    guard let number = Int(list.rawValue), number >= 0 else {
      throw failure(.titleGone, .list, says: "no shelf is called \(list.rawValue)")
    }
    return number
  }

  /// Those that the service fills take nothing from readers (§2).
  func open(_ list: ListID) throws(CirculationError) -> Int {
    let number = try number(of: list)
    guard !Shelves.closed.contains(number) else {
      throw failure(.unsupported(.listWriting), .list, says: "the service fills that shelf")
    }
    return number
  }

  func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: Self.listing.id, during: operation, providerSays: says)
  }
}

// MARK: - Signing in (§1)

extension GoogleBooksProvider {
  static func signIn(_ library: Library) throws(SettingsFault) -> SignInPage {
    let settings = try Settings(library, nil)
    return SignInPage(
      begin: { request, session, _ throws(CirculationError) in
        try GoogleBooksProvider(settings: settings, session: session).visit(request)
      },
      finish: { visit, answer, session, call throws(CirculationError) in
        try await GoogleBooksProvider(settings: settings, session: session)
          .credentials(visit, answer, in: call)
      })
  }

  private func visit(_ request: SignInPage.Request) throws(CirculationError) -> SignInPage.Visit {
    guard let redirect = request.redirect, let word = try? OAuth2.newWord() else {
      throw failure(
        .notConfigured(what: "an address that sign-in pages can lead back to"), .checkAccount)
    }
    let verifier = Secret(word)
    let trip = OAuth2.Visit(redirect: redirect, state: request.state, verifier: verifier)
    // Without these there is no refresh token, or only the first time.
    let address = trip.address(
      at: settings.page, client: settings.clientID, scope: Settings.scope,
      extra: [.init("access_type", "offline"), .init("prompt", "consent")])
    return SignInPage.Visit(address: address, request: request, carried: ["verifier": verifier])
  }

  private func credentials(
    _ visit: SignInPage.Visit, _ answer: SignInPage.Answer, in call: Call
  ) async throws(CirculationError) -> Credentials {
    let redirect = visit.request.redirect ?? ""
    let trip = OAuth2.Visit(redirect: redirect, state: visit.request.state)
    let code: Secret
    switch answer {
    case .typed(let typed): code = typed
    case .redirected(let fields):
      do throws(OAuth2.Visit.Fault) { code = try trip.code(in: fields) } catch {
        throw meaning(of: error)
      }
    }
    let granted = try await tokens(
      .code(code, redirect: redirect, verifier: visit.carried["verifier"]), in: call)
    // A page on which every box can be left empty grants less than was asked for (§1).
    guard granted.scope.isEmpty || granted.scope.contains(Settings.scope),
      let refresh = granted.refresh
    else {
      throw failure(
        .credentialsRejected, .checkAccount, says: "access to books was not granted for longer")
    }
    return Credentials(["refresh_token": refresh])
  }

  private func meaning(of fault: OAuth2.Visit.Fault) -> CirculationError {
    switch fault {
    case .refused(let refusal): failure(refusal.reason, .checkAccount, says: refusal.code)
    case .foreignState, .foreignIssuer:
      failure(.credentialsRejected, .checkAccount, says: "the answer belongs to another sign-in")
    case .incomplete:
      failure(.malformedResponse(expected: "a code from the sign-in page"), .checkAccount)
    }
  }
}
