import Catalog
import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import ReadingLists
import Registry

/// A reader's own lists: to look through as feeds, and to change by the Atom publishing protocol (§11).
extension LendingRoutes {
  func addLists<Note: Sendable>(
    to router: inout Router<Note>, _ road: Road, _ notes: Facade.Notes<Note>
  ) {
    let paths = road.paths
    router.on(.get, at: paths.lists, note: notes.reader) { request in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await lists(errand)
      }
    }
    router.on(.post, at: paths.lists, note: notes.reader) { request in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await makeList(errand)
      }
    }
    router.on(.get, at: paths.list, note: notes.reader) { request, list in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await members(of: ListID(list), errand)
      }
    }
    router.on(.post, at: paths.list, note: notes.reader, body: .document) { request, list in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await add(to: ListID(list), errand)
      }
    }
    router.on(.get, at: paths.member, note: notes.reader) { request, name in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await member(name.1, of: ListID(name.0), errand)
      }
    }
    router.on(.put, .delete, at: paths.member, note: notes.reader, body: .document) {
      request, name in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        errand.request.method == .put
          ? try await change(name.1, of: ListID(name.0), errand)
          : try await remove(name.1, of: ListID(name.0), errand)
      }
    }
    addOptions(to: &router, paths.lists, notes.open)
    addOptions(to: &router, paths.list, notes.open)
    addOptions(to: &router, paths.member, notes.open)
    guard road == .either else { return }
    router.on(.get, at: FeedPaths.service, note: notes.reader) { request in
      await facade.answering(request, by: .atom, for: .lists) { errand throws(Problem) in
        try await service(errand)
      }
    }
    addOptions(to: &router, FeedPaths.service, notes.open)
  }

  private func addOptions<Value, Note: Sendable>(
    to router: inout Router<Note>, _ path: RoutePath<Value>, _ note: Note
  ) {
    router.immediate(.options, at: path, note: note) { _, _ in Sharing.writing }
  }

  // MARK: - What there is

  private func service(_ errand: Errand) async throws(Problem) -> Response {
    let lists = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.lists(of: patron)
    }
    let paths = FeedPaths.either
    let document = ServiceDocument(
      facade.settings.title,
      lists.map { .init($0.name, at: errand.head.address(paths.list.print($0.id.rawValue))) })
    var response = Response.bytes(document.document, ServiceDocument.type)
    facade.seal(&response)
    return response
  }

  private func lists(_ errand: Errand) async throws(Problem) -> Response {
    let lists = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.lists(of: patron)
    }
    var feed = errand.frame(
      "Your lists", .navigation, at: errand.paths.lists.print(), named: ["lists"], in: facade)
    feed.date(by: lists.map(\.editedAt), or: nil)
    feed.navigation = lists.map { list in
      errand.navigation(
        list.name, errand.paths.list.print(list.id.rawValue), .acquisition,
        named: ["list", list.id.rawValue],
        saying: Words.books(list.count) + ".", count: list.count,
        updated: Date(milliseconds: list.editedAt))
    }
    return answer(feed, [], .navigation, errand)
  }

  private func members(of id: ListID, _ errand: Errand) async throws(Problem) -> Response {
    let wish = try PageWish(errand.query)
    let (list, members) = try await listed(errand) { patron throws(ListError) in
      let list = try await stock.lists.list(id, of: patron)
      let members = try await stock.lists.members(
        of: id, of: patron, by: .lastEdited, from: wish.offset, atMost: wish.count)
      return (list, members)
    }
    try wish.check(against: list.count)
    let path = errand.paths.list.print(id.rawValue)
    var feed = errand.frame(
      list.name, .acquisition, at: path, wish.fields, named: ["list", id.rawValue], in: facade)
    feed.updated = Date(milliseconds: list.editedAt)
    (feed.total, feed.perPage, feed.first) = (list.count, wish.count, wish.offset + 1)
    feed.links += errand.turns(path, wish, of: list.count)
    let books = try await shown(members, in: &feed, errand) { [edit($0, errand)] }
    if members.isEmpty {
      feed.navigation = [
        errand.navigation(
          "Your lists", errand.paths.lists.print(), .navigation, named: ["lists"],
          saying: "Nothing stands on this one yet.", updated: feed.updated)
      ]
    }
    return answer(feed, books, .acquisition, errand)
  }

  // MARK: - Changing it

  private func makeList(_ errand: Errand) async throws(Problem) -> Response {
    let posted = try posted(errand)
    let list = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.create(named: posted.title ?? errand.slug ?? "", for: patron)
    }
    let address = errand.head.address(errand.paths.list.print(list.id.rawValue))
    var feed = errand.frame(
      list.name, .acquisition, at: errand.paths.list.print(list.id.rawValue),
      named: ["list", list.id.rawValue], in: facade)
    feed.updated = Date(milliseconds: list.editedAt)
    var response = Response.bytes(
      feed.document(errand.version), errand.version.feed(.acquisition), status: .created)
    response.headers.set("Location", address)
    facade.seal(&response)
    return response
  }

  private func add(to id: ListID, _ errand: Errand) async throws(Problem) -> Response {
    let posted = try posted(errand)
    let entry = try await work(of: posted, errand)
    let book = ListedBook(
      work: entry.work, title: entry.face.title, authors: entry.face.authors,
      isbns: entry.face.isbns, note: posted.note)
    let addition = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.add(book, to: id, of: patron, hint: errand.slug ?? book.title)
    }
    switch addition {
    case .new(let member): return try await answer(member, errand, .created)
    case .there(let member): return try await answer(member, errand, .ok)
    }
  }

  private func member(
    _ id: String, of list: ListID, _ errand: Errand
  ) async throws(Problem) -> Response {
    let member = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.member(id, of: list, of: patron)
    }
    return try await answer(member, errand, .ok)
  }

  private func change(
    _ id: String, of list: ListID, _ errand: Errand
  ) async throws(Problem) -> Response {
    let posted = try posted(errand)
    let version = try await held(id, of: list, errand)
    let member = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.change(
        id, of: list, of: patron, note: posted.note, ifVersion: version)
    }
    return try await answer(member, errand, .ok)
  }

  private func remove(
    _ id: String, of list: ListID, _ errand: Errand
  ) async throws(Problem) -> Response {
    let version = try await held(id, of: list, errand)
    try await listed(errand) { patron throws(ListError) in
      try await stock.lists.remove(id, of: list, of: patron, ifVersion: version)
    }
    var response = Response(.noContent)
    facade.seal(&response)
    return response
  }

  /// The version that the client says it saw, once that is the present one; nil where it says nothing.
  private func held(
    _ id: String, of list: ListID, _ errand: Errand
  ) async throws(Problem) -> Int64? {
    let headers = errand.request.headers
    guard headers["If-Match"] != nil || headers["If-None-Match"] != nil else { return nil }
    let member = try await listed(errand) { patron throws(ListError) in
      try await stock.lists.member(id, of: list, of: patron)
    }
    let validators = Validators(etag: tag(of: member))
    guard validators.verdict(for: errand.request.method, headers) == .proceed else {
      throw Self.problem(.changedSince(version: member.version))
    }
    return member.version
  }
}
