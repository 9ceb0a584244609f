import Circulation
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import ProviderKit
import Registry
import Secrets

/// One request for a page of a reader's own.
struct Own: Sendable {
  let lobby: Lobby
  let stock: OwnStock
  var caller: Caller
  var reader: Caller.Reader
  let shelf: ReaderShelf

  func link(_ path: String, _ query: FormFields = FormFields()) -> String {
    caller.link(path, query)
  }

  /// The reader's own and nobody else's, by its id.
  func account(_ id: String) throws(Problem) -> Account {
    guard let account = shelf.accounts.first(where: { $0.id.rawValue == id }) else {
      throw Problem(
        .notFound, code: "unknown_account", detail: said("You have no such card or account."),
        remedy: said("Look at your accounts."))
    }
    return account
  }
}

/// What comes of a form: a page that is shown at once, or one to go on to, so that a reload does
/// nothing twice.
enum FormEnd: Sendable {
  case onward(String, FormFields = FormFields())
  case page(Page, Status = .ok)
  /// A code was given just now: the browser is known from then on.
  case pageAfterCode(Page)
  case file([UInt8], MediaType, ContentDisposition)
  /// The browser goes on with another pass, or with none.
  case passing(String, Lobby.PassChange)
}

extension Lobby {
  enum PassChange: Sendable {
    /// With the card and the PIN that were given, where there are any.
    case new(Credentials)
    case ended
  }

  func addOwn<Note: Sendable>(to router: inout Router<Note>, _ note: Note) {
    guard let stock = own else { return }
    ownPage(OwnPaths.profile, &router, note, stock) { own, _ throws(Problem) in
      try await ProfilePage(own).page()
    }
    ownPage(OwnPaths.accounts, &router, note, stock) { own, _ throws(Problem) in
      try await AccountsPage(own).page()
    }
    ownPage(OwnPaths.newAccount, &router, note, stock) { own, _ throws(Problem) in
      try LinkPage(own, own.caller.query).page()
    }
    ownPage(OwnPaths.account, &router, note, stock) { own, id throws(Problem) in
      try await AccountPage(own, own.account(id)).page()
    }
    ownPage(OwnPaths.unlink, &router, note, stock) { own, id throws(Problem) in
      AccountPage.unlinking(own, try own.account(id))
    }
    moment(OwnPaths.back, &router, note, stock) { own, _ throws(Problem) in LinkPage.back(own) }
    form(OwnPaths.newAccount, &router, note, stock, proof: .always) {
      own, _, form throws(Problem) in
      try await Linking(own, form).carry()
    }
    form(OwnPaths.back, &router, note, stock) { own, _, form throws(Problem) in
      try await Linking(own, form).comeBack()
    }
    form(OwnPaths.account, &router, note, stock, proof: .deeds(["renew"])) {
      own, id, form throws(Problem) in
      try await Linking(own, form).keep(own.account(id))
    }
    form(OwnPaths.unlink, &router, note, stock, proof: .always) { own, id, form throws(Problem) in
      try await Linking(own, form).unlink(own.account(id))
    }
    addProfile(to: &router, note, stock)
    addSettings(to: &router, note, stock)
  }

  func ownPage<Value, Note>(
    _ path: RoutePath<Value>, _ router: inout Router<Note>, _ note: Note, _ stock: OwnStock,
    _ make: @escaping @Sendable (Own, Value) async throws(Problem) -> Page
  ) {
    router.deciding(.get, at: path, note: note) { request, value in
      self.answer(request, for: .readers) { caller throws(Problem) in
        try await make(try self.own(caller, stock), value)
      }
    }
  }

  /// A page that nobody keeps, for what only this moment may show.
  func moment<Value, Note>(
    _ path: RoutePath<Value>, _ router: inout Router<Note>, _ note: Note, _ stock: OwnStock,
    _ make: @escaping @Sendable (Own, Value) async throws(Problem) -> Page
  ) {
    router.on(.get, at: path, note: note) { request, value in
      do throws(Problem) {
        let caller = try await self.caller(request)
        guard caller.reader != nil else { return self.toSignIn(request) }
        return self.passing(try await make(try self.own(caller, stock), value), caller)
      } catch {
        return self.refusal(error, request, to: try? await self.caller(request))
      }
    }
  }

  /// A form of a reader's own: taken with the seal of the reader's pass only, with a fresh proof where
  /// it needs one, and answered with nothing that anybody keeps.
  func form<Value, Note>(
    _ path: RoutePath<Value>, _ router: inout Router<Note>, _ note: Note, _ stock: OwnStock,
    proof: ProofNeed = .never, body: BodyLimit = .form,
    _ carry: @escaping @Sendable (Own, Value, FormFields) async throws(Problem) -> FormEnd
  ) {
    router.on(.post, at: path, note: note, body: body) { request, value in
      do throws(Problem) {
        guard let reader = try await self.reader(of: request) else {
          return self.toSignIn(request)
        }
        guard let form = request.form ?? request.upload?.fields,
          reader.seal.allows(request, form)
        else { throw Self.unsealed }
        let caller = try await self.caller(request)
        var own = try self.own(caller, stock)
        guard proof.covers(form) else {
          return try await self.response(to: try await carry(own, value, form), own)
        }
        switch try await self.proving(reader, caller, form, isLenient: proof.isLenient) {
        case .asked(let response): return response
        case .proved(let reader, let secret):
          (own.reader, own.caller.reader) = (reader, reader)
          let end = try await carry(own, value, form)
          var response = try await self.response(to: end, own)
          // Elsewhere the form has ended this session, too, or begun another.
          if case .passing = end { return response }
          self.give(&response, request, reader, secret)
          return response
        }
      } catch {
        return self.refusal(error, request, to: try? await self.caller(request))
      }
    }
  }

  private func response(to end: FormEnd, _ own: Own) async throws(Problem) -> Response {
    let caller = own.caller
    switch end {
    case .page(let page, let status): return passing(page, caller, status)
    case .pageAfterCode(let page):
      var response = passing(page, caller)
      do throws(RegistryError) {
        try await know(&response, caller.request, own.reader.pass.patron, own.reader.pass.origin)
      } catch { throw Self.unproved }
      return response
    case .onward(let path, let query):
      watch.forget()
      return redirect(caller.link(path, query))
    case .file(let bytes, let type, let disposition):
      var response = Response.bytes(bytes, type)
      response.headers.set("Content-Disposition", disposition.description)
      response.headers.set("Cache-Control", "no-store")
      return response
    case .passing(let path, let change):
      watch.forget()
      var response = redirect(caller.link(path))
      switch change {
      case .ended: give(&response, caller.request, .pass, "", .seconds(0))
      case .new(let credentials):
        do throws(RegistryError) {
          let pass = own.reader.pass
          let secret = try await registry.newPass(
            by: pass.origin, for: pass.span, as: caller.request.passName, pin: credentials["pin"],
            agent: caller.request.agent, proved: pass.proof == .given,
            request: caller.request.id.description)
          give(&response, caller.request, own.reader, secret)
          if pass.account != nil {
            try await know(&response, caller.request, pass.patron, pass.origin)
          }
        } catch {
          throw Refusals.unread(said("You have to sign in again."))
        }
      }
      return response
    }
  }

  func own(_ caller: Caller, _ stock: OwnStock) throws(Problem) -> Own {
    guard let reader = caller.reader, let shelf = caller.shelf else { throw Self.unsealed }
    return Own(lobby: self, stock: stock, caller: caller, reader: reader, shelf: shelf)
  }
}
