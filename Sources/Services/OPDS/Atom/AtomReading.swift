import Circulation
import FoundationEssentials
import HTTP
import Markup
import ProviderKit

/// Feeds of OPDS 1.0 to 1.2 as values (§2, §3).
struct AtomReading {
  /// Where relative addresses start from.
  let base: HTTP.Address

  func within(_ element: Element) -> AtomReading {
    guard let text = element.value(.xml("base")),
      let inner = try? base.resolving(HTTP.Address.escaped(text))
    else { return self }
    return AtomReading(base: inner)
  }

  func feed(_ root: Element) -> Feed {
    let here = within(root)
    var feed = Feed(title: root.title(.atom("title"))?.bounded() ?? "")
    feed.id = root.words(.atom("id"))
    feed.subtitle = root.words(.atom("subtitle"))?.bounded()
    feed.updated = root.words(.atom("updated")).flatMap(WireDate.instant)
    let links = feed.taking(Limits.facets, of: root.all(.atom("link")), "links")
    feed.links = links.compactMap { here.link($0) }.filter { !$0.has(.facet) }
    feed.facets = here.facets(Array(links))
    feed.total = root.words(.search("totalResults")).flatMap { Int($0) }
    feed.perPage = root.words(.search("itemsPerPage")).flatMap { Int($0) }
    feed.first = root.words(.search("startIndex")).flatMap { Int($0) }
    feed.author = root.one(.atom("author"))?.words(.atom("name"))?.bounded()
    feed.licensor = root.one(.drm("licensor")).flatMap { $0.licensor }
    feed.isComplete = root.one(.history("complete")) != nil
    let entries = feed.taking(Limits.entries, of: root.all(.atom("entry")), "entries")
    for entry in entries { here.read(entry, into: &feed) }
    return feed
  }

  /// Entry by entry: a catalogue that mixes both kinds is read all the same.
  private func read(_ entry: Element, into feed: inout Feed) {
    let here = within(entry)
    guard let publication = here.publication(entry) else {
      if let lane = here.navigation(entry) {
        feed.navigation.append(lane)
      } else {
        let name = entry.words(.atom("id")) ?? "line \(entry.line)"
        feed.faults.append("\(name.bounded(200)): neither a title nor anything to follow")
      }
      return
    }
    guard let lane = publication.links.first(.collection) else {
      feed.publications.append(publication)
      return
    }
    // In the order of first sight, and by address: titles of lanes may differ (§2.5).
    if let index = feed.groups.firstIndex(where: { $0.link?.href == lane.href }) {
      feed.groups[index].publications.append(publication)
    } else {
      var group = Feed.Group(lane.title ?? "", lane)
      group.publications.append(publication)
      feed.groups.append(group)
    }
  }

  private func navigation(_ entry: Element) -> Feed.NavigationEntry? {
    let links = links(of: entry)
    guard let title = entry.title(.atom("title")), let first = links.first else { return nil }
    var lane = Feed.NavigationEntry(
      id: entry.words(.atom("id")) ?? first.href, title: title.bounded(), links: links)
    lane.summary = (entry.words(.atom("content")) ?? entry.words(.atom("summary")))?.bounded()
    lane.updated = entry.words(.atom("updated")).flatMap(WireDate.instant)
    return lane
  }

  private func facets(_ links: [Element]) -> [Feed.FacetGroup] {
    var groups: [Feed.FacetGroup] = []
    for element in links {
      guard let link = link(element), link.has(.facet) else { continue }
      let facet = Feed.Facet(
        link,
        isActive: element.value(.opds("activeFacet"), or: "activeFacet")?.lowercased() == "true")
      let name = element.value(.opds("facetGroup"), or: "facetGroup")?.bounded() ?? ""
      if let index = groups.firstIndex(where: { $0.title == name }) {
        groups[index].facets.append(facet)
      } else {
        groups.append(Feed.FacetGroup(name, [facet]))
      }
    }
    return groups
  }

  // MARK: - Links

  func links(of element: Element) -> [Link] {
    element.all(.atom("link")).prefix(Limits.links).compactMap { link($0) }
  }

  /// Nil without an address, or with one that is none.
  func link(_ element: Element) -> Link? {
    guard let href = element["href"], let text = absolute(href, in: within(element).base) else {
      return nil
    }
    let relations = (element["rel"] ?? "").split(whereSeparator: \.isWhitespace)
      .prefix(20).map { Relation(rawValue: String($0)) }
    var link = Link(
      text, relations, type: element["type"].flatMap { MediaType(parsing: $0) },
      title: element["title"]?.words?.bounded())
    link.isTemplated = Vocabulary.name(of: element) == .template("tlink") || href.contains("{")
    link.count = element.value(.thread("count"), or: "count").flatMap { Int($0) }
    return link
  }

  func search(_ root: Element) -> SearchDescription {
    let urls = root.elements.filter { $0.name.local == "Url" }.prefix(20)
    let templates = urls.compactMap { url -> SearchTemplate? in
      guard let text = url["template"], let whole = absolute(text, in: base) else { return nil }
      return SearchTemplate(whole, type: url["type"].flatMap { MediaType(parsing: $0) })
    }
    let name = root.elements.first { $0.name.local == "ShortName" }?.text.words
    return SearchDescription(name: name ?? "", templates: templates)
  }
}

/// A reference as an address. Braces of a template stay as they are (§14.14), and so do pictures that
/// stand in the feed itself. Nil for what leads nowhere.
func absolute(_ href: String, in base: HTTP.Address) -> String? {
  let text = href.trimmingBlanks
  guard !text.isEmpty, text.utf8.count <= HTTP.Address.longest else { return nil }
  if text.hasPrefix("data:") { return text }
  let (start, rest) =
    text.firstIndex { $0 == "{" }.map {
      (String(text[..<$0]), String(text[$0...]))
    } ?? (text, "")
  guard let address = try? base.resolving(HTTP.Address.escaped(start)) else {
    // `mailto:`, `tel:` and other schemes lead somewhere, too, but never us.
    return text.contains(":") && !text.contains("://") ? text : nil
  }
  return address.text + rest
}

extension String {
  /// What is said, without the blanks around it.
  var words: String? {
    let trimmed = trimmingBlanks
    return trimmed.isEmpty ? nil : trimmed
  }
}
