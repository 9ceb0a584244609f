import FrontDesk
import HTTP
import HTTPServer
import Phrasebook
import Registry
import Secrets

/// Which of the forms at an address ask for a fresh proof of who the patron is.
enum ProofNeed: Sendable {
  case never, always
  /// Those that do one of these.
  case deeds(Set<String>)
  /// The same for what only takes rights away: patrons who have nothing to prove it with may do it
  /// without, so that nothing keeps them from ending their sessions.
  case endings(Set<String>)

  func covers(_ form: FormFields) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .deeds(let deeds), .endings(let deeds): deeds.contains(form["do"] ?? "")
    }
  }

  var isLenient: Bool { if case .endings = self { true } else { false } }
}

/// What became of a proof that was asked for before something else.
enum Proving: Sendable {
  /// The patron goes on, with another session where one was asked for.
  case proved(Caller.Reader, Secret?)
  case asked(Response)
}

/// The one place where a session has to prove that it is still in its patron's hands.
extension Lobby {
  func addProofs<Note: Sendable>(to router: inout Router<Note>, _ note: Note) {
    router.on(.get, at: LobbyPaths.proof, note: note) { request in
      do throws(Problem) {
        let caller = try await self.caller(request)
        guard let reader = caller.reader else { return self.toSignIn(request) }
        let onward = Onward(request.query[Onward.field])
        // Nothing was asked for yet that could be carried out.
        switch try await self.proving(reader, caller, [Onward.field: onward.path]) {
        case .proved: return self.redirect(caller.link(onward.path))
        case .asked(let response): return response
        }
      } catch {
        return self.refusal(error, request)
      }
    }
    router.on(.post, at: LobbyPaths.proof, note: note) { request in
      do throws(Problem) {
        guard let reader = try await self.reader(of: request) else {
          return self.toSignIn(request)
        }
        let form = request.form ?? FormFields()
        guard reader.seal.allows(request, form) else { throw Self.unsealed }
        let caller = try await self.caller(request)
        switch try await self.proving(reader, caller, form) {
        case .asked(let response): return response
        case .proved(let reader, let secret):
          var response = self.redirect(caller.link(Onward(form[Onward.field]).path))
          self.give(&response, request, reader, secret)
          return response
        }
      } catch {
        return self.refusal(error, request)
      }
    }
  }

  /// To the page that asks for a proof, and from there back here.
  func toProof(_ caller: Caller) -> Response {
    redirect(caller.link(LobbyPaths.proof.print(), [Onward.field: caller.here]))
  }

  /// With a form of the patron's, whose seal was found right. Where the proof is missing, a page asks
  /// for it that sends the whole form again.
  func proving(
    _ reader: Caller.Reader, _ caller: Caller, _ form: FormFields, isLenient: Bool = false
  ) async throws(Problem) -> Proving {
    if reader.pass.isFresh(at: caller.now) { return .proved(reader, nil) }
    let request = caller.request
    do throws(RegistryError) {
      let wanted = try await lending.doorkeeper.wanted(in: reader.pass)
      if isLenient, !wanted.isPossible { return .proved(reader, nil) }
      let page = ProofPage(reader: reader, wanted: wanted, path: caller.pathHere, carried: form)
      guard let given = ProofPage.given(form) else { return .asked(asking(page, caller)) }
      let answer = try await lending.doorkeeper.judge(
        given, in: reader.pass, from: request.origin, request: request.id.description)
      guard answer == .right else { return .asked(asking(page, caller, answer)) }
      guard let old = request.pass else { return .asked(toSignIn(request)) }
      let secret = try await registry.renew(
        reader.pass, Secret(old.text), as: request.passName, agent: request.agent,
        request: request.id.description)
      guard let secret, let pass = try await registry.pass(with: secret, as: request.passName)
      else { return .asked(toSignIn(request)) }
      return .proved(Caller.Reader(pass: pass, seal: FormSeal(secret)), secret)
    } catch { throw Self.unproved }
  }

  /// What the browser signs in with from now on.
  func give(
    _ response: inout Response, _ request: Request, _ reader: Caller.Reader, _ secret: Secret?
  ) {
    let span = reader.pass.span
    let kept: SetCookie.Lifetime = span == .day ? .session : .seconds(span.seconds)
    secret?.revealText { give(&response, request, .pass, $0, kept) }
  }

  private func asking(
    _ page: ProofPage, _ caller: Caller, _ trouble: FreshProof.Answer? = nil
  ) -> Response {
    var page = page
    page.trouble = trouble
    guard case .slowed(let seconds) = trouble else {
      return passing(page.page(caller, self), caller, .forbidden)
    }
    var response = passing(page.page(caller, self), caller, .tooManyRequests)
    response.headers.set("Retry-After", "\(seconds)")
    return response
  }
}
