import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Registry
import Secrets

/// The second door, for readers who have set up an app: its code, or a recovery code.
struct CodePage: Sendable {
  enum Trouble: Sendable, Hashable {
    case wrong, wrongSpare, missing
    case slowed(seconds: Int)

    init(_ entry: CodeEntry) { self = entry.isSpare ? .wrongSpare : .wrong }

    var words: String {
      switch self {
      case .wrong:
        said("That code is not right, or was used already. Wait for the next one and try again.")
      case .wrongSpare: said("That recovery code is not right, or was used already.")
      case .missing: said("The code is missing.")
      case .slowed(let seconds):
        said(
          "There were too many wrong attempts. Wait \(SignInPage.Trouble.span(seconds)), then try again."
        )
      }
    }

    var field: String? {
      switch self {
      case .wrong, .missing: CodeEntry.timedField
      case .wrongSpare: CodeEntry.spareField
      case .slowed: nil
      }
    }

    var status: Status { if case .slowed = self { .tooManyRequests } else { .unauthorized } }
  }

  let reader: Caller.Reader
  let onward: Onward
  let stays: Bool
  let trouble: Trouble?

  func page(_ caller: Caller, _ lobby: Lobby) -> Page {
    var page = Page(said("Your code"), .door) {
      tag("div", .init("class", "door")) {
        tag("h1") { said("Your code") }
        tag("p", .init("class", "lead")) {
          said(
            """
            You have set up an app for signing in here. Open it and type the six digits that it \
            shows now.
            """)
        }
        form(caller, lobby) {
          CodeEntry.timed(
            trouble?.field == CodeEntry.timedField ? trouble?.words : nil, isFocused: true)
        }
        tag(
          "details", .init("class", "more-ways"),
          .init("open", trouble?.field == CodeEntry.spareField)
        ) {
          tag("summary") { said("Use a recovery code") }
          form(caller, lobby) {
            CodeEntry.spare(trouble?.field == CodeEntry.spareField ? trouble?.words : nil)
          }
        }
        tag(
          "form", .init("method", "post"),
          .init("action", caller.link(LobbyPaths.signOut.print()))
        ) {
          lobby.sealed(reader)
          tag("button", .init("class", "button second"), .init("type", "submit")) {
            said("Sign in as somebody else")
          }
        }
      }
    }
    if let trouble { page.notice = .alert(trouble.words) }
    return page
  }

  private func form(_ caller: Caller, _ lobby: Lobby, _ field: () -> Node) -> Node {
    tag(
      "form", .init("class", "fields"), .init("method", "post"),
      .init("action", caller.link(LobbyPaths.code.print()))
    ) {
      lobby.sealed(reader)
      if onward != .home { hidden(Onward.field, onward.path) }
      if stays { hidden("stay", "month") }
      field()
      tag("button", .init("class", "button"), .init("type", "submit")) { said("Sign in") }
    }
  }
}

/// A code as a form brings it: of the app, or one of those for when it is lost.
struct CodeEntry {
  static let timedField = "code"
  static let spareField = "spare"

  let secret: Secret
  let isSpare: Bool

  /// Nil for a form in which nothing was typed.
  init?(_ form: FormFields) {
    let typed = [Self.timedField, Self.spareField].first { !(form[$0] ?? "").trimmed.isEmpty }
    guard let typed else { return nil }
    (secret, isSpare) = (Secret((form[typed] ?? "").trimmed), typed == Self.spareField)
  }

  static func timed(
    _ wrong: String? = nil, hint: String? = nil, isFocused: Bool = false
  ) -> Node {
    FormField(timedField, said("Code from the app")) { field in
      (field.fill, field.mode, field.longest) = ("one-time-code", "numeric", 12)
      (field.wrong, field.hint, field.isFocused) = (wrong, hint, isFocused)
    }.node
  }

  static func spare(_ wrong: String? = nil) -> Node {
    FormField(spareField, said("Recovery code")) { field in
      (field.longest, field.wrong) = (60, wrong)
      field.hint = said("Each of them works once.")
    }.node
  }
}

extension Lobby {
  func addCodes<Note: Sendable>(to router: inout Router<Note>, _ open: Note) {
    router.on(.get, at: LobbyPaths.code, note: open) { request in
      do throws(Problem) {
        let onward = Onward(request.query[Onward.field])
        guard let bearer = try await bearer(of: request) else { return toSignIn(request, onward) }
        guard bearer.pass.proof == .owed else { return redirect(request.link(onward.path)) }
        return codePage(request, bearer, onward, stays: request.query["stay"] != nil)
      } catch {
        return refusal(error, request)
      }
    }
    router.on(.post, at: LobbyPaths.code, note: open) { request in
      do throws(Problem) { return try await prove(request) } catch {
        return refusal(error, request)
      }
    }
  }

  /// Where somebody goes on who came in with card and PIN and owes a code.
  func toCode(_ request: Request, _ onward: Onward, stays: Bool = false) -> Response {
    var query = FormFields()
    if onward != .home { query.add(Onward.field, onward.path) }
    if stays { query.add("stay", "month") }
    return redirect(stranger(request).link(LobbyPaths.code.print(), query))
  }

  private func toSignIn(_ request: Request, _ onward: Onward) -> Response {
    var query = FormFields()
    if onward != .home { query.add(Onward.field, onward.path) }
    return redirect(stranger(request).link(LobbyPaths.signIn.print(), query))
  }

  private func codePage(
    _ request: Request, _ reader: Caller.Reader, _ onward: Onward, stays: Bool,
    _ trouble: CodePage.Trouble? = nil
  ) -> Response {
    let page = CodePage(reader: reader, onward: onward, stays: stays, trouble: trouble)
    let stranger = stranger(request)
    var response = passing(page.page(stranger, self), stranger, trouble?.status ?? .ok)
    if case .slowed(let seconds) = trouble { response.headers.set("Retry-After", "\(seconds)") }
    return response
  }

  private func prove(_ request: Request) async throws(Problem) -> Response {
    let form = request.form ?? FormFields()
    let onward = Onward(form[Onward.field])
    guard let bearer = try await bearer(of: request) else { return toSignIn(request, onward) }
    guard bearer.seal.allows(request, form) else { throw Self.unsealed }
    guard bearer.pass.proof == .owed else { return redirect(request.link(onward.path)) }
    let stays = form["stay"] != nil || bearer.pass.span == .month
    guard let entry = CodeEntry(form) else {
      return codePage(request, bearer, onward, stays: stays, .missing)
    }
    switch try await judge(entry, of: bearer, request) {
    case .wrong: return codePage(request, bearer, onward, stays: stays, .init(entry))
    case .slowed(let seconds):
      return codePage(request, bearer, onward, stays: stays, .slowed(seconds: seconds))
    case .right(let proof):
      let span: BrowserPass.Span = stays ? .month : .day
      do throws(RegistryError) {
        // A patron who had to use a recovery code lost the app, and perhaps more with it.
        if proof == .spare {
          try await registry.endSessions(
            of: bearer.patron, keeping: bearer.pass.reference, by: bearer.patron.rawValue,
            request: request.id.description)
        }
        // A new one, so that what was worth little before is worth nothing now.
        let pass = try await registry.newPass(
          by: bearer.pass.origin, for: span, as: request.passName, agent: request.agent,
          proved: true, request: request.id.description)
        guard let pass else { return toSignIn(request, onward) }
        if let old = request.pass {
          try await registry.endPass(
            with: Secret(old.text), successor: pass, request: request.id.description)
        }
        // Who had to use up a recovery code has lost the app, and wants another one next.
        let isLost = proof == .spare && own != nil
        let news = "\(OwnPaths.codes.print())?did=\(OwnDeed.spared.rawValue)"
        var response = redirect(request.link(isLost ? news : onward.path))
        let kept: SetCookie.Lifetime = span == .day ? .session : .seconds(span.seconds)
        pass.revealText { give(&response, request, .pass, $0, kept) }
        try await know(&response, request, bearer.patron, bearer.pass.origin)
        return response
      } catch { throw Self.unproved }
    }
  }

  func judge(
    _ entry: CodeEntry, of reader: Caller.Reader, _ request: Request
  ) async throws(Problem) -> Doorkeeper.CodeAnswer {
    do throws(RegistryError) {
      return try await lending.doorkeeper.judge(
        code: entry.secret, of: reader.patron, from: request.origin, cookie: request.device,
        request: request.id.description)
    } catch { throw Self.unproved }
  }

  static var unproved: Problem {
    Problem(
      .serviceUnavailable, code: "sign_in_unavailable",
      detail: said("Nobody can sign in just now."), remedy: said("Tell whoever runs this gateway."))
  }
}
