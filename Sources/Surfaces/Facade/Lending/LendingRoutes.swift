import Catalog
import Circulation
package import FrontDesk
package import HTTP
package import HTTPServer
import OPDS
import Registry
import Slips

/// Everything that a reader does by a feed: borrowing and giving up, files, actions as feeds, lists,
/// places in books.
package struct LendingRoutes: Sendable {
  let facade: Facade
  let stock: LendingStock

  package init(_ facade: Facade, _ stock: LendingStock) {
    (self.facade, self.stock) = (facade, stock)
  }

  package func add<Note: Sendable>(to router: inout Router<Note>, _ notes: Facade.Notes<Note>) {
    for road in Road.allCases {
      addLending(to: &router, road, notes)
      addActions(to: &router, road, notes)
      addLists(to: &router, road, notes)
      addSharedLists(to: &router, road, notes)
    }
    addProgression(to: &router, notes)
    addProfile(to: &router, notes)
    addSync(to: &router, notes)
  }

  private func addLending<Note: Sendable>(
    to router: inout Router<Note>, _ road: Road, _ notes: Facade.Notes<Note>
  ) {
    let paths = road.paths
    router.on(.get, .post, .put, at: paths.borrow, note: notes.reader) { request, name in
      await facade.answering(request, by: road, for: .lend) { errand throws(Problem) in
        try await borrowed(name, errand)
      }
    }
    // The draft for 2.0 takes a hold back by DELETE on the address that placed it (§3.1).
    router.on(.delete, at: paths.borrow, note: notes.reader) { request, name in
      await facade.answering(request, by: road, for: .lend) { errand throws(Problem) in
        try await givenUp(name, errand)
      }
    }
    router.on(.get, .post, .put, .delete, at: paths.revoke, note: notes.reader) {
      request, name in
      await facade.answering(request, by: road, for: .lend) { errand throws(Problem) in
        try await givenUp(name, errand)
      }
    }
    router.on(.get, at: paths.file, note: notes.catalog) { request, name in
      await facade.answering(request, by: road, for: .read, .anybody) { errand throws(Problem) in
        try await file(name, errand)
      }
    }
    for path in [paths.borrow, paths.revoke] {
      router.immediate(.options, at: path, note: notes.open) { _, _ in Sharing.writing }
    }
    router.immediate(.options, at: paths.file, note: notes.open) { _, _ in Sharing.preflight }
  }

  // MARK: - Borrowing and giving up

  private func borrowed(
    _ name: (String, String, String), _ errand: Errand
  ) async throws(Problem) -> Response {
    // Apps ask for the head of everything; it must never lend (§3.1).
    if errand.request.method == .head { return entryHead(errand) }
    let branch = errand.query["pickup"]
    let format = errand.query["format"]
    return try await answer(name, errand, on: "borrow") { _ in
      branch == nil ? .borrow : .placeHold
    } doing: { carrying, action throws(Problem) in
      action == .placeHold
        ? try await carrying.perform(action, choice: branch)
        : try await carrying.follow(as: format)
    }
  }

  private func givenUp(
    _ name: (String, String, String), _ errand: Errand
  ) async throws(Problem) -> Response {
    if errand.request.method == .head { return entryHead(errand) }
    return try await answer(name, errand, on: "revoke") { wanted throws(Problem) in
      if let ending = wanted.ending { return ending }
      let library = facade.stock.nameOfLibrary(wanted.library)
      throw Refusals.problem(code: "not_borrowed", at: library)
    } doing: { carrying, action throws(Problem) in
      try await carrying.perform(action)
    }
  }

  /// The book as it stands after what was asked for. What a key was sent with is looked up first: the
  /// address may name nothing any more once it is done.
  private func answer(
    _ name: (String, String, String), _ errand: Errand, on route: String,
    _ action: (Wanted) throws(Problem) -> Slip.Action,
    doing carry: (Carrying, Slip.Action) async throws(Problem) -> Deed
  ) async throws(Problem) -> Response {
    guard let reader = errand.visitor.reader,
      let key = errand.request.key(of: reader.patron, on: route)
    else {
      let wanted = try await facade.wanted(name, errand)
      let action = try action(wanted)
      let carrying = Carrying(
        wanted, from: facade.stock, facade.watch, by: stock,
        call: stock.call(wanted.account.patron, errand.request), attempt: Request.newAttempt)
      let deed = try await carry(carrying, action)
      return try await entry(of: wanted.entry.work, wanted.entry, errand, deed)
    }
    var known: CatalogEntry?
    let keyed = try await stock.deed(for: key, of: reader.patron) { () throws(Problem) in
      let wanted = try await facade.wanted(name, errand)
      known = wanted.entry
      return Slip(
        try action(wanted), wanted.item, on: wanted.account.id, of: wanted.entry.work)
    } carry: { begun throws(Problem) in
      let carrying = try await facade.stock.carrying(
        begun, errand.reach, facade.watch, by: stock,
        call: stock.call(reader.patron, errand.request))
      return try await carry(carrying, begun.handed.slip.action)
    }
    let slip = keyed.slip
    return try await entry(of: slip.work, known ?? slip.unlisted(name), errand, keyed.deed)
  }

  private func entryHead(_ errand: Errand) -> Response {
    var response = Response(headers: ["Content-Type": errand.version.entry.description])
    facade.seal(&response)
    return response
  }

  /// The book as it stands now.
  private func entry(
    of work: WorkID, _ last: CatalogEntry, _ errand: Errand, _ deed: Deed
  ) async throws(Problem) -> Response {
    let status = deed.isNew ? Status.created : .ok
    let now = try await facade.again(errand)
    let entry = try await facade.entry(work, now) ?? last
    let publication = facade.making(now).publication(
      entry, changed: facade.stock.now(), for: now.shelf, .complete)
    var response = Response.bytes(
      RenderedPublication(publication, now.version).document, now.version.entry, status: status)
    let address = now.head.address(now.paths.work.print(entry.work.rawValue))
    response.headers.set("Content-Location", address)
    if status == .created { response.headers.set("Location", address) }
    facade.seal(&response)
    return response
  }
}

extension Slip {
  /// By its names alone, where no library lists it and it is on no shelf any more.
  fileprivate func unlisted(_ name: Stock.TitleName) -> CatalogEntry {
    CatalogEntry(
      work: work,
      editions: [
        ListedEdition(
          library: LibraryID(name.library), provider: ProviderID(""),
          edition: Edition(item: item, title: item.rawValue), availability: nil)
      ])
  }
}
