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
    let wanted = try await facade.wanted((name.0, name.1, name.2), errand)
    let deed: Deed
    if let branch = errand.query["pickup"] {
      deed = try await carrying(wanted, errand).perform(.placeHold, choice: branch)
    } else {
      deed = try await carrying(wanted, errand).follow(as: errand.query["format"])
    }
    return try await entry(of: wanted, errand, deed.isNew ? .created : .ok)
  }

  private func givenUp(
    _ name: (String, String, String), _ errand: Errand
  ) async throws(Problem) -> Response {
    if errand.request.method == .head { return entryHead(errand) }
    let wanted = try await facade.wanted((name.0, name.1, name.2), errand)
    _ = try await carrying(wanted, errand).giveUp()
    return try await entry(of: wanted, errand, .ok)
  }

  private func carrying(_ wanted: Wanted, _ errand: Errand) -> Carrying {
    let patron = wanted.account.patron
    return Carrying(
      wanted, from: facade.stock, facade.watch, by: stock,
      call: stock.call(patron, errand.request),
      attempt: errand.request.attempt(
        of: patron, on: errand.request.path.joined(separator: "/")))
  }

  private func entryHead(_ errand: Errand) -> Response {
    var response = Response(headers: ["Content-Type": errand.version.entry.description])
    facade.seal(&response)
    return response
  }

  /// The book as it stands now.
  private func entry(
    of wanted: Wanted, _ errand: Errand, _ status: Status
  ) async throws(Problem) -> Response {
    let now = try await facade.again(errand)
    let entry = try await facade.entry(wanted.entry.work, now) ?? wanted.entry
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
