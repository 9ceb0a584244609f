import Circulation
import FoundationEssentials
import HTTP
import ProviderKit
import Secrets

// §2.3: libraries whose readers sign in at the service's own page.

extension OverDriveProvider {
  static func signIn(_ library: Library) throws(SettingsFault) -> SignInWay {
    let settings = try Settings(library, nil)
    if case .card(let check) = settings.signIn {
      return .fields(listing.fields.filter { check.needsPIN || $0.name != "pin" })
    }
    return .page(
      SignInPage(
        begin: { request, session, _ throws(CirculationError) in
          try OverDriveProvider(settings: settings, session: session).visit(request)
        },
        finish: { visit, answer, session, call throws(CirculationError) in
          try await OverDriveProvider(settings: settings, session: session)
            .credentials(visit, answer, in: call)
        }))
  }

  private func visit(_ request: SignInPage.Request) throws(CirculationError) -> SignInPage.Visit {
    // The service answers to a registered address and shows no code that could be typed.
    guard let redirect = request.redirect else {
      throw failure(.notConfigured(what: "an address that sign-in pages can lead back to"), nil)
    }
    let visit = OAuth2.Visit(redirect: redirect, state: request.state)
    return SignInPage.Visit(address: settings.signInPage(visit), request: request)
  }

  private func credentials(
    _ visit: SignInPage.Visit, _ answer: SignInPage.Answer, in call: Call
  ) async throws(CirculationError) -> Credentials {
    let redirect = visit.request.redirect ?? ""
    let code: Secret
    switch answer {
    case .typed(let typed): code = typed
    case .redirected(let fields):
      let trip = OAuth2.Visit(redirect: redirect, state: visit.request.state)
      do throws(OAuth2.Visit.Fault) { code = try trip.code(in: fields) } catch {
        throw meaning(of: error)
      }
    }
    let began = session.clock.date()
    let granted = try await tokens(for: settings.exchange(code, redirect: redirect), in: call)
    if let refresh = granted.tokens.refresh { return Credentials(["refresh_token": refresh]) }
    // "Allow once": good until its end, and then the reader is asked again.
    let life = granted.tokens.lifetime ?? .seconds(3600)
    let until = began.addingTimeInterval(Double(life.components.seconds) * 0.9)
    return Credentials([
      "access_token": granted.tokens.access, "access_until": Secret(WireDate.written(until)),
    ])
  }

  private func meaning(of fault: OAuth2.Visit.Fault) -> CirculationError {
    switch fault {
    case .refused(let refusal): failure(refusal.reason, refusal.code)
    case .foreignState, .foreignIssuer:
      failure(.credentialsRejected, "the answer belongs to another sign-in")
    case .incomplete: failure(.malformedResponse(expected: "a code from the sign-in page"), nil)
    }
  }
}
