import Catalog
import Circulation
import Database
import FrontDesk
import HTTP
import HTTPServer
import Markup
import OPDS
import Shelving

/// What is found among all libraries; nothing found is an answer, too.
enum SearchRoute {
  @Sendable static func draft(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    let books = try page(facade, errand)
    let words = books.wish.shownWords
    let found = try await found(books.wish, facade, errand)
    return try books.draft(
      words.isEmpty ? "Search" : "Search: \(words)", found,
      summary: words.isEmpty ? "Nothing was looked for." : nil)
  }

  @Sendable static func narrowing(
    _ facade: Facade, _ errand: Errand, _: Void
  ) async throws(Problem) -> Draft {
    let books = try page(facade, errand)
    return books.narrowing(
      "Search: \(books.wish.shownWords)", try await found(books.wish, facade, errand))
  }

  private static func page(_ facade: Facade, _ errand: Errand) throws(Problem) -> BooksPage {
    BooksPage(
      facade: facade, errand: errand, wish: try PageWish(searching: errand.query), hasGenres: false,
      path: errand.paths.search.print(), narrowingPath: errand.paths.searchNarrowing.print(),
      name: ["search"])
  }

  private static func found(
    _ wish: PageWish, _ facade: Facade, _ errand: Errand
  ) async throws(Problem) -> LanePage {
    let page = try await facade.stock.found(wish, errand.reach, .versions)
    return try await facade.withOwn(page, errand)
  }
}

/// How a search is asked for, for apps that read OpenSearch (§2.7).
enum SearchDescriptionRoute {
  static func add<Note: Sendable>(
    to router: inout Router<Note>, _ facade: Facade, _ note: Note
  ) {
    router.immediate(.get, at: FeedPaths.searchDescription, note: note) { request in
      let address = request.site + FeedPaths.either.search.print() + "?q={searchTerms}"
      let description = SearchDescription(
        name: facade.settings.title,
        templates: [
          SearchTemplate(address, type: FeedVersion.atom.feed(.acquisition)),
          SearchTemplate(address, type: MediaType("application", "atom+xml")),
        ])
      var response = Response.bytes(
        description.document(saying: "Search all libraries"), FeedVersion.searchDescription)
      response.headers.set("Cache-Control", request.caching(seconds: 86_400))
      Sharing.add(to: &response.headers)
      return response
    }
    router.immediate(.options, at: FeedPaths.searchDescription, note: note) { _ in
      Sharing.preflight
    }
  }
}
