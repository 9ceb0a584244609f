import Crypto
import HTTP
import HTTPServer
import Machine
import Markup
import Phrasebook
import Registry
import Secrets

extension Entrant {
  /// What a session at the pages begins with; nil for an app password that may not do everything,
  /// because a session may.
  var origin: SessionOrigin? {
    switch key {
    case .card(let account): .card(account)
    case .device(let name): scopes == .all ? .appPassword(patron.id, name) : nil
    }
  }
}

/// Sign-in links that the operator makes: the page says who is signed in before anything is used up.
/// Mail programs follow links by themselves, so that nothing but the button uses one up.
extension Lobby {
  func addSignInLinks<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.get, at: LobbyPaths.linkSecret, note: open) { request, secret in
      // Out of the address at once: addresses are kept and shown in more places than cookies.
      var response = redirect(request.link(LobbyPaths.link.print()))
      give(&response, request, .link, secret, .seconds(600))
      return response
    }
    router.on(.get, at: LobbyPaths.link, note: open) { request in
      do throws(Problem) {
        guard let secret = request.linkSecret else { return linkPage(request, nil) }
        do throws(RegistryError) {
          return linkPage(request, try await registry.owner(ofSignInLink: secret)?.name)
        } catch { throw Self.unproved }
      } catch {
        return refusal(error, request)
      }
    }
    router.on(.post, at: LobbyPaths.link, note: open) { request in
      do throws(Problem) { return try await followLink(request) } catch {
        return refusal(error, request)
      }
    }
  }

  private func followLink(_ request: Request) async throws(Problem) -> Response {
    let form = request.form ?? FormFields()
    guard let cookie = request.doorMark, FormSeal(Secret(cookie)).allows(request, form)
    else { throw Self.unsealed }
    guard let secret = request.linkSecret else { return linkPage(request, nil) }
    let span: BrowserPass.Span = form["stay"] == nil ? .day : .month
    do throws(RegistryError) {
      let pass = try await registry.newPass(
        bySignInLink: secret, for: span, as: request.passName,
        agent: request.agent, request: request.id.description)
      guard let pass else { return linkPage(request, nil) }
      var response = try await begin(pass, span, .home, request)
      give(&response, request, .link, "", .seconds(0))
      return response
    } catch { throw Self.unproved }
  }

  private func linkPage(_ request: Request, _ name: String?) -> Response {
    let cookie = request.doorMark ?? Base64.urlSafe.encode(Chance.system.bytes(18))
    let stranger = stranger(request)
    let page = SignInLinkPage(name: name, seal: FormSeal(Secret(cookie))).page(stranger)
    // One answer for a link that was used, is over, was replaced or never was.
    var response = passing(page, stranger, name == nil ? .gone : .ok)
    if request.doorMark == nil { give(&response, request, .door, cookie, .session) }
    return response
  }

  /// The patron has signed in. The session is always a new one: what a browser brought along may be
  /// known to others.
  func begin(
    _ pass: Secret, _ span: BrowserPass.Span, _ onward: Onward, _ request: Request
  ) async throws(RegistryError) -> Response {
    if let old = request.pass {
      try await registry.endPass(
        with: Secret(old.text), successor: pass, request: request.id.description)
    }
    let given = try await registry.pass(with: pass, as: request.passName)
    var response =
      given?.proof == .owed
      ? toCode(request, onward, stays: span == .month) : redirect(request.link(onward.path))
    let kept: SetCookie.Lifetime = span == .day ? .session : .seconds(span.seconds)
    pass.revealText { give(&response, request, .pass, $0, kept) }
    give(&response, request, .door, "", .seconds(0))
    // Where a code is owed, only after it.
    if let given, given.proof == .none, given.account != nil {
      try await know(&response, request, given.patron, given.origin)
    }
    return response
  }
}

extension Request {
  /// The browser and its system, as the patron would name them; nil where it names neither.
  var agent: String? {
    guard let text = self["User-Agent"] else { return nil }
    let browsers = [
      ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
      ("Mac OS X", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
    let names = [browsers, systems].compactMap { kinds in
      kinds.first { text.contains($0.0) }?.1
    }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  fileprivate var linkSecret: Secret? {
    cookies[PageCookie.link.name(over: self)].map { Secret($0) }
  }
}

/// Says who will be signed in, with the one button that does it; or that the link is no longer valid.
struct SignInLinkPage: Sendable {
  let name: String?
  let seal: FormSeal

  func page(_ caller: Caller) -> Page {
    guard let name else { return over(caller) }
    return Page(said("Sign in"), .door) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("Sign in as \(name)") }
        tag("p", .init("class", "lead")) {
          said(
            """
            The operator of this gateway created this link for \(name). It signs in once. If that \
            is not you, close this page.
            """)
        }
        tag(
          "form", .init("class", "fields"), .init("method", "post"),
          .init("action", caller.link(LobbyPaths.link.print()))
        ) {
          hidden(FormSeal.field, seal.text)
          tag("label", .init("class", "choice")) {
            tag(
              "input", .init("type", "checkbox"), .init("name", "stay"), .init("value", "month"))
            " \(said("Stay signed in on this device for 30 days"))"
          }
          tag("button", .init("class", "button"), .init("type", "submit")) { said("Sign in") }
        }
      }
    }
  }

  private func over(_ caller: Caller) -> Page {
    Page(said("Sign in"), .door) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("This sign-in link is no longer valid") }
        tag("p", .init("class", "lead")) {
          said(
            """
            A link works once and for one day, and a newer link replaces it. Ask the operator of \
            this gateway for a new one.
            """)
        }
        tag(
          "a", .init("class", "button second"),
          .init("href", caller.link(LobbyPaths.signIn.print()))
        ) { said("Sign in another way") }
      }
    }
  }
}
