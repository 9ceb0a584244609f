import Circulation
import Crypto
import FrontDesk
import HTTP
import HTTPServer
import Machine
import Membership
import Phrasebook
import Registry
import Secrets

/// The door: card and PIN in, a pass out.
extension Lobby {
  func addSignIn<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.get, at: LobbyPaths.signIn, note: open) { request in
      do throws(Problem) {
        let onward = Onward(request.query[Onward.field])
        // Whoever is in already has nothing to do here.
        if let bearer = try await bearer(of: request) {
          return bearer.pass.proof == .owed
            ? toCode(request, onward) : redirect(request.link(onward.path))
        }
        var response = door(request, onward, nil)
        if request.pass != nil { response.dropKeptPages() }
        return response
      } catch {
        return refusal(error, request)
      }
    }
    router.on(.post, at: LobbyPaths.signIn, note: open) { request in
      do throws(Problem) { return try await letIn(request) } catch {
        return refusal(error, request)
      }
    }
    addScanning(to: &router, open)
    addSignInLinks(to: &router, open)
    router.on(.get, at: LobbyPaths.signOut, note: open) { request in
      do throws(Problem) {
        let caller = try await caller(request)
        guard let reader = caller.reader else { return redirect(request.link("/")) }
        return passing(SignOutPage(reader: reader).page(caller, self), caller)
      } catch {
        return refusal(error, request)
      }
    }
    router.on(.post, at: LobbyPaths.signOut, note: open) { request in
      do throws(Problem) { return try await letOut(request) } catch {
        return refusal(error, request)
      }
    }
  }

  private func letIn(_ request: Request) async throws(Problem) -> Response {
    let form = request.form ?? FormFields()
    let onward = Onward(form[Onward.field])
    guard let cookie = request.doorMark, FormSeal(Secret(cookie)).allows(request, form)
    else { return door(request, onward, .staleForm, .forbidden) }
    let card = (form["card"] ?? "").filter { !$0.isWhitespace }
    guard !card.isEmpty else { return door(request, onward, .noCard, .unprocessableContent) }
    let pin = form["pin"] ?? ""
    guard !pin.isEmpty else { return door(request, onward, .noPIN, .unprocessableContent) }
    let library = form["library"].flatMap { $0.isEmpty ? nil : LibraryID($0) }
    let start = ContinuousClock.now
    do throws(RegistryError) {
      let answer = try await lending.doorkeeper.admit(
        Secret(card), Secret(pin), from: request.origin, request: request.id.description,
        library: library, keepsPIN: form["keep"] == "yes", at: .pages, cookie: request.device)
      switch answer {
      case .refused:
        await own?.pause(Self.refusalTime - (.now - start))
        return door(request, onward, .refused, .unauthorized)
      case .needsLibrary:
        return door(request, onward, .needsLibrary, .unprocessableContent, card: card)
      case .unreachable(let silence):
        let problem = Refusals.silent(silence)
        return door(request, onward, .unreachable(silence), problem.status)
      case .slowed(let seconds):
        var response = door(request, onward, .slowed(seconds: seconds), .tooManyRequests)
        response.headers.set("Retry-After", "\(seconds)")
        return response
      case .busy:
        var response = door(request, onward, .busy, .serviceUnavailable)
        response.headers.set("Retry-After", "1")
        return response
      case .entered(let entrant):
        guard let origin = entrant.origin else {
          return door(request, onward, .deviceWord, .forbidden)
        }
        let span: BrowserPass.Span = form["stay"] == nil ? .day : .month
        let pass = try await registry.newPass(
          by: origin, for: span, as: request.passName, pin: Secret(pin), agent: request.agent,
          request: request.id.description)
        guard let pass else { return door(request, onward, .refused, .unauthorized) }
        var response = try await begin(pass, span, onward, request)
        if let library {
          give(&response, request, .library, library.rawValue, .seconds(31_536_000))
        }
        return response
      }
    } catch {
      throw Self.unproved
    }
  }

  /// From now on strangers who guess at this card, or at codes, do not keep this browser from signing in.
  func know(
    _ response: inout Response, _ request: Request, _ patron: PatronID, _ origin: SessionOrigin
  ) async throws(RegistryError) {
    let known = try await lending.doorkeeper.cookie(request.device, adding: origin, of: patron)
    guard let known else { return }
    give(&response, request, .device, known.text, .seconds(DeviceCookie.seconds))
  }

  /// Whether a card is known costs more or less work. Whoever is refused hears of it after the same
  /// time, whatever the work was.
  static let refusalTime = Duration.milliseconds(250)

  private func letOut(_ request: Request) async throws(Problem) -> Response {
    var response = redirect(request.link(LobbyPaths.home.print()))
    guard let brought = request.pass else { return response }
    let secret = Secret(brought.text)
    guard FormSeal(secret).allows(request, request.form ?? FormFields()) else {
      throw Self.unsealed
    }
    do throws(RegistryError) {
      try await registry.endPass(with: secret, request: request.id.description)
    } catch {
      throw Refusals.unread(said("You cannot be signed out just now."))
    }
    give(&response, request, .pass, "", .seconds(0))
    response.dropKeptPages()
    return response
  }

  static var unsealed: Problem {
    Problem(
      .forbidden, code: "form_refused",
      detail: said("This form was not made for you, or is too old."),
      remedy: said("Go back, load the page anew, and press the button again."))
  }

  // MARK: - The page

  func door(
    _ request: Request, _ onward: Onward, _ trouble: SignInPage.Trouble?, _ status: Status = .ok,
    card: String? = nil
  ) -> Response {
    let known = request.doorMark
    let cookie = known ?? Base64.urlSafe.encode(Chance.system.bytes(18))
    let stranger = stranger(request)
    var page = SignInPage(seal: FormSeal(Secret(cookie)), onward: onward, trouble: trouble)
    page.card = card
    let libraries = own?.enrollment.houses.signingIn ?? []
    page.terms = SignInPage.Terms(
      joining: own?.enrollment.houses.all.compactMap { house in
        house.facts.joining.map { (house.name, $0) }
      } ?? [],
      isPublic: settings.isPublic, libraries: libraries.map { ($0.id, $0.name) },
      chosen: request.form?["library"] ?? request.choice(.library),
      admitsMembers: libraries.contains(where: \.facts.admitsMembers))
    var response = passing(page.page(stranger), stranger, status)
    if known == nil { give(&response, request, .door, cookie, .session) }
    return response
  }
}
