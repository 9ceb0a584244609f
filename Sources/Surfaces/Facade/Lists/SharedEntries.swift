import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS
import ReadingLists

/// What leads to them, in the start feed and beside what is recommended.
struct SharedEntries {
  let facade: Facade
  let errand: Errand

  init(_ facade: Facade, _ errand: Errand) { (self.facade, self.errand) = (facade, errand) }

  func start(_ updated: Date?) async throws(Problem) -> [Feed.NavigationEntry] {
    var entries: [Feed.NavigationEntry] = []
    if try await hasCurated {
      entries.append(
        errand.navigation(
          "From librarians", errand.paths.librarians.print(), .navigation,
          named: ["from-librarians"], saying: "Lists with a word on each book.",
          updated: updated))
    }
    if errand.visitor.seesLists {
      entries.append(
        errand.navigation(
          "From friends", errand.paths.friends.print(), .navigation, named: ["from-friends"],
          saying: "Lists of friends, here and at other services.", [.recommended],
          updated: updated))
    }
    return entries
  }

  func links() async throws(Problem) -> [Link] {
    var links: [Link] = []
    if try await hasCurated {
      links.append(
        errand.head.feed(
          errand.paths.librarians.print(), .navigation, [.related], "From librarians"))
    }
    if errand.visitor.seesLists {
      links.append(
        errand.head.feed(errand.paths.friends.print(), .navigation, [.related], "From friends"))
    }
    return links
  }

  /// Librarians are named only where there are any.
  private var hasCurated: Bool {
    get async throws(Problem) {
      do throws(StockError) {
        return try await !facade.stock.curated(errand.visitor.reader?.patron).isEmpty
      } catch {
        throw Refusals.unread(error.what)
      }
    }
  }
}
