import BackOffice
import FrontDesk
import HTTP
import HTTPServer
import Registry

enum OfficePaths {
  static let home = Path.root / "office"
  static let libraries = home / "libraries"
  static let services = home / "services"
  static let jobs = home / "jobs"
  static let lanes = home / "lanes"
  static let lists = home / "lists"
  static let list = lists / .text("list")
  static let readers = home / "readers"
  static let reader = readers / .text("reader")
  static let log = home / "log"
}

/// Whoever looks after the gateway, at one request. The role was just looked up.
struct OfficeVisit: Sendable {
  let office: BackOffice
  let caller: Caller
  let reader: Caller.Reader
  let lobby: Lobby

  var now: Int64 { caller.now }
  var request: String { caller.request.id.description }

  /// A field that proves where a form comes from.
  var seal: FormFields { [FormSeal.field: reader.seal.text] }
}

/// What came of a form.
enum OfficeEnd: Sendable {
  /// Done: the page is shown anew, with a word of it.
  case again(String, FormFields)
  /// Not done: the page as it was filled in, with why.
  case refused(Page, Status)
  /// Done, and this tells what.
  case told(Page)
}

extension Lobby {
  /// The pages of operators. For everybody else there is nothing at their addresses.
  func addOffice<Note: Sendable>(to router: inout Router<Note>, _ note: Note) {
    addOfficePage(OfficePaths.home, to: &router, note) { visit, _ throws(Problem) in
      try await OfficeHome.make(visit)
    }
    addOfficePage(OfficePaths.libraries, to: &router, note) { visit, _ throws(Problem) in
      try await LibrariesOffice.make(visit)
    }
    addOfficePage(OfficePaths.services, to: &router, note) { visit, _ throws(Problem) in
      try await ServicesOffice.make(visit)
    }
    addOfficePage(OfficePaths.log, to: &router, note) { visit, _ throws(Problem) in
      try await LogOffice.make(visit)
    }
    addOfficePage(OfficePaths.jobs, to: &router, note) { visit, _ throws(Problem) in
      try await JobsOffice.make(visit)
    } change: { visit, _, form throws(Problem) in
      try await JobsOffice.change(visit, form)
    }
    addOfficePage(OfficePaths.lanes, to: &router, note) { visit, _ throws(Problem) in
      try await LanesOffice.make(visit)
    } change: { visit, _, form throws(Problem) in
      try await LanesOffice.change(visit, form)
    }
    addOfficePage(OfficePaths.lists, to: &router, note) { visit, _ throws(Problem) in
      try await ListsOffice.make(visit)
    } change: { visit, _, form throws(Problem) in
      try await ListsOffice.change(visit, form)
    }
    addOfficePage(OfficePaths.list, to: &router, note) { visit, list throws(Problem) in
      try await ListOffice.make(visit, list)
    } change: { visit, list, form throws(Problem) in
      try await ListOffice.change(visit, list, form)
    }
    addOfficePage(OfficePaths.readers, to: &router, note) { visit, _ throws(Problem) in
      try await ReadersOffice.make(visit)
    }
    addOfficePage(OfficePaths.reader, to: &router, note) { visit, reader throws(Problem) in
      try await ReaderOffice.make(visit, reader)
    } change: { visit, reader, form throws(Problem) in
      try await ReaderOffice.change(visit, reader, form)
    }
  }

  private func addOfficePage<Value, Note>(
    _ path: RoutePath<Value>, to router: inout Router<Note>, _ note: Note,
    _ make: @escaping @Sendable (OfficeVisit, Value) async throws(Problem) -> Page,
    change: (@Sendable (OfficeVisit, Value, FormFields) async throws(Problem) -> OfficeEnd)? = nil
  ) {
    router.on(.get, at: path, note: note) { request, value in
      await self.inOffice(request) { visit throws(Problem) in
        .told(try await make(visit, value))
      }
    }
    guard let change else { return }
    // All lanes are written in one form.
    router.on(.post, at: path, note: note, body: .document) { request, value in
      await self.inOffice(request) { visit throws(Problem) in
        try await change(visit, value, request.form ?? FormFields())
      }
    }
  }

  private func inOffice(
    _ request: Request, _ body: @Sendable (OfficeVisit) async throws(Problem) -> OfficeEnd
  ) async -> Response {
    do throws(Problem) {
      // A stranger is told the same as a reader: that there is nothing here.
      guard let office, request.pass != nil else {
        return WebRoutes.refusal(request, .notFound)
      }
      let caller = try await caller(request)
      guard let reader = caller.reader, reader.pass.isOperator else {
        return WebRoutes.refusal(request, .notFound)
      }
      if settings.wantsCodes, reader.pass.proof == .none {
        return redirect(caller.link(OwnPaths.codes.print(), ["for": "office"]))
      }
      guard request.method == .post else {
        guard reader.pass.isFresh(at: caller.now) else { return toProof(caller) }
        return await inOffice(office, caller, reader, body)
      }
      guard let form = request.form, reader.seal.allows(request, form) else {
        return refusal(Self.unsealed, request, to: caller)
      }
      switch try await proving(reader, caller, form) {
      case .asked(let response): return response
      case .proved(let reader, let secret):
        var caller = caller
        caller.reader = reader
        var response = await inOffice(office, caller, reader, body)
        give(&response, request, reader, secret)
        return response
      }
    } catch {
      return refusal(error, request)
    }
  }

  private func inOffice(
    _ office: BackOffice, _ caller: Caller, _ reader: Caller.Reader,
    _ body: @Sendable (OfficeVisit) async throws(Problem) -> OfficeEnd
  ) async -> Response {
    let visit = OfficeVisit(office: office, caller: caller, reader: reader, lobby: self)
    do throws(Problem) {
      switch try await body(visit) {
      case .told(let page): return passing(page, caller)
      case .refused(let page, let status): return passing(page, caller, status)
      case .again(let path, let query): return redirect(caller.link(path, query))
      }
    } catch {
      return refusal(error, caller.request, to: caller)
    }
  }
}
