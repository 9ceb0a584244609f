package import FrontDesk
package import HTTP
package import HTTPServer
import OPDS
package import Secrets

/// The catalogue of all of a reader's libraries as OPDS 1.2 and 2.0, over HTTP.
package struct Facade: Sendable {
  package let stock: Stock
  package let settings: FacadeSettings
  package let signer: Signer
  let pages: Pages
  package let watch: Watch

  package init(
    _ stock: Stock, _ settings: FacadeSettings,
    clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.stock, self.settings) = (stock, settings)
    signer = Signer(key: settings.key)
    pages = Pages(capacity: settings.memory)
    watch = Watch(stock, clock: clock)
  }

  /// What changed by our own doing is shown at once.
  package func noteChange() { watch.forget() }

  /// The owner's words for who may use a route.
  package struct Notes<Note: Sendable>: Sendable {
    /// Anybody.
    package let open: Note
    /// Readers, and strangers where the catalogue is public.
    package let catalog: Note
    package let reader: Note

    package init(open: Note, catalog: Note, reader: Note) {
      (self.open, self.catalog, self.reader) = (open, catalog, reader)
    }
  }

  package func add<Note: Sendable>(to router: inout Router<Note>, _ notes: Notes<Note>) {
    for road in Road.allCases {
      let paths = road.paths
      var routes = FeedRoutes(facade: self, road: road, router: router)
      routes.feed(paths.start, notes.catalog, StartRoute.draft)
      routes.feed(paths.groups, notes.catalog, GroupsRoute.draft)
      routes.feed(paths.narrowing, notes.catalog, NarrowRoute.draft)
      routes.feed(paths.lane, notes.catalog, LaneRoute.draft)
      routes.feed(paths.books, notes.catalog, BooksRoute.draft)
      routes.feed(paths.laneGroups, notes.catalog, GroupsRoute.draft)
      routes.feed(paths.laneNarrowing, notes.catalog, NarrowRoute.draft)
      routes.feed(paths.search, notes.catalog, SearchRoute.draft)
      routes.feed(paths.searchNarrowing, notes.catalog, SearchRoute.narrowing)
      routes.feed(paths.work, notes.catalog, WorkRoute.draft)
      routes.feed(paths.all, notes.catalog, AllRoute.draft)
      routes.readersFeed(paths.shelf, notes.reader, ShelfRoute.draft)
      router = routes.router
    }
    AuthenticationRoute.add(to: &router, self, notes.open)
    SearchDescriptionRoute.add(to: &router, self, notes.open)
    CoverRoute.add(to: &router, self, notes.open)
  }
}

/// Rows for one root, each of which can be asked for by any page of the web.
struct FeedRoutes<Note: Sendable> {
  let facade: Facade
  let road: Road
  var router: Router<Note>

  typealias Making<Value> =
    @Sendable (Facade, Errand, Value) async throws(Problem) -> Draft

  mutating func feed<Value>(
    _ path: RoutePath<Value>, _ note: Note, _ make: @escaping Making<Value>
  ) {
    add(path, note, .anybody, make)
  }

  mutating func readersFeed<Value>(
    _ path: RoutePath<Value>, _ note: Note, _ make: @escaping Making<Value>
  ) {
    add(path, note, .readers, make)
  }

  private mutating func add<Value>(
    _ path: RoutePath<Value>, _ note: Note, _ audience: Facade.Audience,
    _ make: @escaping Making<Value>
  ) {
    let (facade, road) = (facade, road)
    router.deciding(.get, at: path, note: note) { request, value in
      facade.answer(request, by: road, for: audience) { errand throws(Problem) in
        try await make(facade, errand, value)
      }
    }
    router.immediate(.options, at: path, note: note) { _, _ in Sharing.preflight }
  }
}
