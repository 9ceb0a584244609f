import Catalog
import Circulation
import Covers
import Database
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import Pictures

/// Pictures, without credentials, at addresses that only we can make.
enum CoverRoute {
  static func add<Note: Sendable>(
    to router: inout Router<Note>, _ facade: Facade, _ note: Note
  ) {
    router.on(.get, at: FeedPaths.cover, note: note) { _, place in
      await answer(facade, WorkID(place.0), place.1)
    }
    router.immediate(.options, at: FeedPaths.cover, note: note) { _, _ in Sharing.preflight }
  }

  private static func answer(_ facade: Facade, _ work: WorkID, _ name: String) async -> Response {
    guard let size = CoverAddress.size(in: name, of: work.rawValue, facade.signer) else {
      return Facade.refusal(Problem(.notFound, code: "not_found"))
    }
    let entry: CatalogEntry?
    do throws(DatabaseError) { entry = try await facade.stock.catalog.work(work) } catch {
      return Facade.refusal(Refusals.unread("The cover cannot be looked up."))
    }
    guard let entry else { return Facade.refusal(Problem(.notFound, code: "unknown_work")) }
    do throws(ImageFault) {
      let cover = try await facade.stock.covers.cover(of: CoveredBook(entry), size)
      var response = Response.cached(
        CachedBody(cover.bytes, cover.origin == .drawn ? .png : .jpeg))
      // A placeholder stands in for a picture that may come yet.
      response.headers.set(
        "Cache-Control",
        cover.origin == .drawn ? "public, max-age=3600" : "public, max-age=31536000, immutable")
      Sharing.add(to: &response.headers)
      return response
    } catch {
      return Facade.refusal(Problem(.serviceUnavailable, code: "no_picture"))
    }
  }
}
