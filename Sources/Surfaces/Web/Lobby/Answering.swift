import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

extension Lobby {
  /// Who gets a page without signing in.
  enum Audience: Sendable {
    /// Whoever the settings let in.
    case anybody
    case readers
  }

  /// From memory where it can be, on the loop's own thread; else by looking.
  func answer(
    _ request: Request, for audience: Audience,
    _ make: @escaping @Sendable (Caller) async throws(Problem) -> Page
  ) -> Handler.Answer {
    guard request.pass == nil else {
      return .later { await answered(request, audience, make) }
    }
    guard audience == .anybody, settings.isPublic else { return .now(toSignIn(request)) }
    if let sight = watch.fresh, let body = memory.page(key(request, nil), sight.pulse) {
      return .now(dressed(.cached(body)))
    }
    return .later { await answered(request, audience, make) }
  }

  private func answered(
    _ request: Request, _ audience: Audience,
    _ make: @Sendable (Caller) async throws(Problem) -> Page
  ) async -> Response {
    do throws(Problem) {
      let caller = try await caller(request)
      guard caller.reader != nil || (audience == .anybody && settings.isPublic) else {
        return toSignIn(request)
      }
      await hear(caller)
      let key = key(request, caller.reader)
      if let body = memory.page(key, caller.pulse) { return dressed(.cached(body)) }
      var page: Page
      do throws(Problem) { page = try await make(caller) } catch {
        return refusal(error, request, to: caller)
      }
      if let news = Page.Notice(caller.query, self) { (page.notice, page.keeping) = (news, .fresh) }
      let body = CachedBody(
        HTMLWriter.document(frame(page, caller), reserving: 32 << 10), .html,
        headers: [
          "Cache-Control": caller.reader == nil ? "no-cache" : "private, no-cache",
          "Vary": "Cookie, Accept-Language",
        ])
      if page.keeping == .remembered { memory.keep(body, key, caller.pulse) }
      return dressed(.cached(body))
    } catch {
      return refusal(error, request)
    }
  }

  private func key(_ request: Request, _ reader: Caller.Reader?) -> String {
    // A reader who was given a role sees another navigation at once.
    let who = (reader?.seal.text ?? "") + (reader?.pass.isOperator == true ? "+" : "")
    let order = DayOrder(AcceptedLanguages(request["Accept-Language"]))
    return
      "\(who)|\(Look(request).rawValue)|\(order.rawValue)|\(Tongue.current.rawValue)|\(request.link(""))|"
      + "\(request.path.joined(separator: "\u{1}"))?\(request.head.rawQuery ?? "")"
  }

  // MARK: - Who asks

  func caller(_ request: Request) async throws(Problem) -> Caller {
    let reader = try await reader(of: request)
    do throws(StockError) {
      let sight = try await watch.look()
      guard let reader else {
        return Caller(
          request: request, reader: nil, reach: Reach(shelf: nil, libraries: stock.libraries),
          silent: sight.silent, sight: sight.pulse, pulse: sight.pulse, now: stock.now())
      }
      let glance = try await watch.shelf(of: reader.patron)
      return Caller(
        request: request, reader: reader,
        reach: Reach(shelf: glance.shelf, libraries: glance.shelf.libraries),
        silent: sight.silent, sight: sight.pulse, pulse: "\(sight.pulse)|\(glance.pulse)",
        now: stock.now())
    } catch {
      throw Refusals.unread(said("Your shelf cannot be read just now."))
    }
  }

  /// Nil for whoever brings no pass, one that is good no more, or one for which a code is owed.
  func reader(of request: Request) async throws(Problem) -> Caller.Reader? {
    guard let bearer = try await bearer(of: request), bearer.pass.proof != .owed else {
      return nil
    }
    request.note(reader: bearer.patron.rawValue)
    request.rests(on: .session(bearer.pass.reference, bearer.patron))
    return bearer
  }

  /// Also whoever still owes a code.
  func bearer(of request: Request) async throws(Problem) -> Caller.Reader? {
    guard let brought = request.pass else { return nil }
    let secret = Secret(brought.text)
    do throws(RegistryError) {
      let pass = try await registry.pass(with: secret, as: brought.name)
      guard let pass else { return nil }
      if pass.proof != .owed { sessions.note(brought) }
      // For the list of sessions only: a page is shown also where this cannot be written.
      try? await registry.noteUse(of: pass)
      return Caller.Reader(pass: pass, seal: FormSeal(secret))
    } catch {
      throw Refusals.unread(said("Nobody can be let in just now."))
    }
  }

  // MARK: - Answers

  /// A page of one moment, kept by nobody: after a refusal, at the door.
  func passing(_ page: Page, _ caller: Caller, _ status: Status = .ok) -> Response {
    var response = Response.bytes(
      HTMLWriter.document(frame(page, caller)), .html, status: status)
    response.headers.set("Cache-Control", "no-store")
    return dressed(response)
  }

  /// To whoever asked, where that is known by then.
  func refusal(_ problem: Problem, _ request: Request, to caller: Caller? = nil) -> Response {
    let caller = caller ?? stranger(request)
    var response = passing(Page.refusal(problem, caller), caller, problem.status)
    response.errorCode = problem.code
    if let seconds = problem.retryAfter ?? Refusals.patience(problem) {
      response.headers.set("Retry-After", "\(seconds)")
    }
    return response
  }

  /// Somebody of whom nothing was looked up.
  func stranger(_ request: Request) -> Caller {
    Caller(
      request: request, reader: nil, reach: Reach(shelf: nil, libraries: []), silent: [],
      sight: "", pulse: "", now: stock.now())
  }

  func toSignIn(_ request: Request) -> Response {
    let stranger = stranger(request)
    var query = FormFields()
    if stranger.here != "/" { query.add(Onward.field, stranger.here) }
    var response = redirect(stranger.link(LobbyPaths.signIn.print(), query))
    if request.pass != nil { response.dropKeptPages() }
    return response
  }

  func redirect(_ address: String) -> Response {
    var response = Response.redirect(to: address)
    response.headers.set("Cache-Control", "no-store")
    response.headers.set("Vary", "Cookie")
    return response
  }

  private func dressed(_ response: Response) -> Response {
    var response = response
    response.headers.set("Content-Security-Policy", WebRoutes.policy)
    return response
  }
}

extension Response {
  /// What the browser kept of a patron's pages goes with the session. Not "storage": that ends
  /// the worker which carries this very answer, and Chromium then waits for ever. The worker itself
  /// drops what it kept.
  mutating func dropKeptPages() { headers.set("Clear-Site-Data", "\"cache\"") }
}
