import Catalog
import Circulation
import Crypto
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import ReadingLists
import Registry

/// Lists that are there for others: those of librarians, as far as the catalogue goes, and those that
/// friends share, for readers only (§10).
extension LendingRoutes {
  func addSharedLists<Note: Sendable>(
    to router: inout Router<Note>, _ road: Road, _ notes: Facade.Notes<Note>
  ) {
    let paths = road.paths
    router.on(.get, at: paths.librarians, note: notes.catalog) { request in
      await facade.answering(request, by: road, for: .read, .anybody) { errand throws(Problem) in
        try await fromLibrarians(errand)
      }
    }
    router.on(.get, at: paths.friends, note: notes.reader) { request in
      await facade.answering(request, by: road, for: .lists) { errand throws(Problem) in
        try await fromFriends(errand)
      }
    }
    router.on(.get, at: paths.sharedList, note: notes.catalog) { request, list in
      await facade.answering(request, by: road, for: .read, .anybody) { errand throws(Problem) in
        try await sharedList(ListID(list), errand)
      }
    }
    for path in [paths.librarians, paths.friends] {
      router.immediate(.options, at: path, note: notes.open) { _, _ in Sharing.preflight }
    }
    router.immediate(.options, at: paths.sharedList, note: notes.open) { _, _ in Sharing.preflight }
  }

  // MARK: - What there is

  private func fromLibrarians(_ errand: Errand) async throws(Problem) -> Response {
    let lists = try await told { () throws(ListError) in
      try await stock.lists.curated(for: errand.visitor.reader?.patron)
    }
    var feed = errand.frame(
      "From librarians", .navigation, at: errand.paths.librarians.print(),
      named: ["from-librarians"], in: facade)
    feed.date(by: lists.map(\.editedAt), or: nil)
    feed.navigation = lists.enumerated().map { place, list in
      // The one that was put together last is the one to look at now.
      entry(list, by: list.curator ?? "", place == 0 ? [.featured] : [], errand)
    }
    if lists.isEmpty {
      feed.navigation = [back("No librarian has put a list here yet.", feed, errand)]
    }
    return answer(feed, [], .navigation, errand)
  }

  private func fromFriends(_ errand: Errand) async throws(Problem) -> Response {
    guard let reader = errand.visitor.reader else { throw Self.problem(.noSuchList) }
    let lists = try await told { () throws(ListError) in
      try await stock.lists.fromFriends(of: reader.patron)
    }
    let names = try await names()
    var feed = errand.frame(
      "From friends", .navigation, at: errand.paths.friends.print(), named: ["from-friends"],
      in: facade)
    feed.date(by: lists.map(\.editedAt), or: nil)
    feed.navigation = lists.map { list in
      entry(list, by: list.friend ?? names[list.patron] ?? "", [], errand)
    }
    if lists.isEmpty {
      feed.navigation = [back("Nobody shares a list with you yet.", feed, errand)]
    }
    return answer(feed, [], .navigation, errand)
  }

  private func sharedList(_ id: ListID, _ errand: Errand) async throws(Problem) -> Response {
    let wish = try PageWish(errand.query)
    let (list, members) = try await told { () throws(ListError) in
      try await stock.lists.shared(
        id, with: errand.visitor.reader?.patron, from: wish.offset, atMost: wish.count)
    }
    let isForAll = list.curator != nil || errand.visitor.reader == nil
    guard isForAll || errand.visitor.seesLists else { throw Facade.outOfScope(.lists) }
    try wish.check(against: list.count)
    let path = errand.paths.sharedList.print(id.rawValue)
    var feed = errand.frame(
      list.name, .acquisition, at: path, wish.fields, named: ["shared", id.rawValue], in: facade)
    feed.updated = Date(milliseconds: list.editedAt)
    if let keeper = list.curator ?? list.friend {
      feed.author = keeper
    } else if errand.visitor.reader != nil {
      // Strangers are not told who reads here.
      feed.author = try await names()[list.patron] ?? feed.author
    }
    (feed.total, feed.perPage, feed.first) = (list.count, wish.count, wish.offset + 1)
    feed.links += errand.turns(path, wish, of: list.count)
    let books = try await shown(members, in: &feed, errand)
    if members.isEmpty {
      feed.navigation = [back("Nothing stands on this list yet.", feed, errand)]
    }
    return answer(feed, books, .acquisition, errand)
  }

  // MARK: - How it is told

  private func entry(
    _ list: CustomList, by owner: String, _ relations: [Relation], _ errand: Errand
  ) -> Feed.NavigationEntry {
    let books = Words.books(list.count) + "."
    return errand.navigation(
      list.name, errand.paths.sharedList.print(list.id.rawValue), .acquisition,
      named: ["shared", list.id.rawValue],
      saying: owner.isEmpty ? books : "By \(owner). \(books)", relations, count: list.count,
      updated: Date(milliseconds: list.editedAt))
  }

  private func back(_ why: String, _ feed: Feed, _ errand: Errand) -> Feed.NavigationEntry {
    errand.navigation(
      facade.settings.title, errand.paths.start.print(), .navigation, named: ["start"],
      saying: why, updated: feed.updated)
  }

  private func names() async throws(Problem) -> [PatronID: String] {
    do throws(StockError) { return try await stock.readers() } catch {
      throw Refusals.unread(error.what)
    }
  }

  /// Its tag is made of what is told: the books' own state changes without the list.
  func answer(
    _ feed: Feed, _ books: [RenderedPublication], _ kind: Feed.Kind, _ errand: Errand
  ) -> Response {
    let bytes = feed.document(errand.version, publications: books)
    var response = Response.bytes(
      bytes, errand.version.feed(kind), validators: Validators(etag: EntityTag(of: bytes)))
    facade.seal(&response)
    response.headers.set(
      "Cache-Control",
      errand.visitor == .anonymous
        ? errand.request.caching(seconds: 600) : "private, no-cache")
    return response
  }

  private func told<Value: Sendable>(
    _ body: () async throws(ListError) -> Value
  ) async throws(Problem) -> Value {
    do throws(ListError) { return try await body() } catch { throw Self.problem(error) }
  }
}

extension EntityTag {
  /// The same words have the same tag, whatever they were made from.
  init(of bytes: [UInt8]) {
    self.init(Hex.encode(Array(Digest.sha256.hash(bytes).prefix(12))))
  }
}
