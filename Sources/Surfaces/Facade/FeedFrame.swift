import Circulation
import FoundationEssentials
import FrontDesk
import HTTP
import HTTPServer
import OPDS

extension Errand {
  /// What every feed has: its names, the way back, the search, the shelf, who to sign in with.
  func frame(
    _ title: String, _ kind: Feed.Kind, at path: String, _ query: FormFields = FormFields(),
    named name: [String], in facade: Facade
  ) -> Feed {
    var feed = Feed(title: title)
    feed.id = head.name(of: name, query)
    feed.author = facade.settings.title
    feed.links = [
      head.feed(path, kind, [.own], nil, query),
      head.feed(paths.start.print(), .navigation, [.start], facade.settings.title),
    ]
    feed.links += searchLinks
    var shelf = head.feed(paths.shelf.print(), .acquisition, [.shelf], "Your shelf")
    let document = head.address(FeedPaths.authentication.print())
    shelf.authenticate = document
    feed.links.append(shelf)
    feed.links.append(
      Link(
        document, [.authDocument], type: FeedVersion.authentication, title: "Signing in"))
    if visitor.reader != nil {
      feed.links.append(
        Link(
          head.address(FeedPaths.service.print()), [.service], type: ServiceDocument.type,
          title: "Your lists, to change"))
    }
    feed.subtitle = silence(facade)
    return feed
  }

  /// Nobody waits for a library that is silent; it is said that what is told of it is old.
  private func silence(_ facade: Facade) -> String? {
    let names = libraries.filter(silent.contains).map(facade.stock.nameOfLibrary)
    guard !names.isEmpty else { return nil }
    let who =
      names.count == 1
      ? names[0]
      : names.dropLast().joined(separator: ", ")
        + " and " + (names.last ?? "")
    return "\(who) \(names.count == 1 ? "does" : "do") not answer just now: "
      + "what is shown of it is what was heard last."
  }

  /// The description first, then the same as a bare template, for those that know only one (§2.7).
  private var searchLinks: [Link] {
    switch version {
    case .atom:
      [
        Link(
          head.address(FeedPaths.searchDescription.print()), [.search],
          type: FeedVersion.searchDescription, title: "Search all libraries"),
        template("?q={searchTerms}", MediaType("application", "atom+xml")),
      ]
    case .json: [template("{?query,title,author}", FeedVersion.jsonFeed)]
    }
  }

  private func template(_ rest: String, _ type: MediaType) -> Link {
    var link = Link(
      head.address(paths.search.print()) + rest, [.search], type: type,
      title: "Search all libraries")
    link.isTemplated = true
    return link
  }

  func navigation(
    _ title: String, _ path: String, _ kind: Feed.Kind, named name: [String],
    saying summary: String? = nil, _ relations: [Relation] = [], count: Int? = nil,
    query: FormFields = FormFields(), updated: Date?
  ) -> Feed.NavigationEntry {
    var link = head.feed(path, kind, [.subsection] + relations, title, query)
    link.count = count
    var entry = Feed.NavigationEntry(id: head.name(of: name, query), title: title, links: [link])
    (entry.summary, entry.updated) = (summary, updated)
    return entry
  }
}

extension Feed {
  /// The newest of its entries, never "now" (§13.14).
  mutating func date(by changes: [Int64], or other: Int64?) {
    updated = Date(milliseconds: changes.max() ?? other ?? 0)
  }
}
