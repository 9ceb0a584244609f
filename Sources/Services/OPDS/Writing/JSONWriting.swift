import FoundationEssentials
import JSON
import Markup
import ProviderKit

/// Feeds and publications as OPDS 2.0 (§4).
enum JSONWriting {
  struct Shown {
    var publications: [[UInt8]]
    var groups: [[[UInt8]]]

    var size: Int {
      (publications + groups.flatMap { $0 }).reduce(0) { $0 + $1.count + 1 }
    }
  }

  /// Put together from texts that are ready: a publication is rendered once.
  static func document(_ feed: Feed, _ shown: Shown) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(4096 + shown.size)
    out += #"{"metadata":"#.utf8
    JSONValue.object(metadata(of: feed)).append(to: &out)
    out += #","links":"#.utf8
    JSONValue.array(feed.links.map(link)).append(to: &out)
    // A group of one choice is none (§4).
    let facets = feed.facets.filter { $0.facets.count > 1 }.map(facets)
    add("facets", facets, to: &out)
    add("navigation", navigation(of: feed, shown), to: &out)
    if !shown.publications.isEmpty {
      out += #","publications":"#.utf8
      add(shown.publications, to: &out)
    }
    let groups = zip(feed.groups, shown.groups).filter {
      !$0.1.isEmpty || !$0.0.navigation.isEmpty
    }
    if !groups.isEmpty {
      out += #","groups":["#.utf8
      for (place, group) in groups.enumerated() {
        if place > 0 { out.append(UInt8(ascii: ",")) }
        write(group.0, group.1, to: &out)
      }
      out.append(UInt8(ascii: "]"))
    }
    out.append(UInt8(ascii: "}"))
    return out
  }

  private static func write(_ group: Feed.Group, _ shown: [[UInt8]], to out: inout [UInt8]) {
    out += #"{"metadata":"#.utf8
    var metadata = JSONObject()
    metadata.add("title", group.title)
    metadata["numberOfItems"] = group.link?.count.map { .integer($0) }
    JSONValue.object(metadata).append(to: &out)
    if var link = group.link {
      // The lane's own address first, and nothing before it (§4).
      (link.relations, link.title) = ([.own], link.title ?? group.title)
      out += #","links":"#.utf8
      JSONValue.array([self.link(link)]).append(to: &out)
    }
    if shown.isEmpty {
      add("navigation", group.navigation.compactMap(navigation), to: &out)
    } else {
      out += #","publications":"#.utf8
      add(shown, to: &out)
    }
    out.append(UInt8(ascii: "}"))
  }

  private static func metadata(of feed: Feed) -> JSONObject {
    var object = JSONObject()
    object.add("title", feed.title)
    object.add("subtitle", feed.subtitle)
    object.add("identifier", feed.id)
    object.add("modified", feed.updated.map(WireDate.written))
    object["numberOfItems"] = feed.total.map { .integer($0) }
    guard let count = feed.perPage, count > 0 else { return object }
    object["itemsPerPage"] = .integer(count)
    // Pages count from 1 (§4).
    if let first = feed.first { object["currentPage"] = .integer(max(0, first - 1) / count + 1) }
    return object
  }

  private static func facets(_ group: Feed.FacetGroup) -> JSONValue {
    let links = group.facets.map { facet -> JSONValue in
      var link = facet.link
      link.relations = facet.isActive ? [.own] : []
      return self.link(link)
    }
    return ["metadata": ["title": .string(group.title.composed)], "links": .array(links)]
  }

  /// A feed without anything in it still has a way back: none of its lists may be empty (§4).
  private static func navigation(of feed: Feed, _ shown: Shown) -> [JSONValue] {
    let entries = feed.navigation.compactMap(navigation)
    let isEmpty =
      entries.isEmpty && shown.publications.isEmpty && shown.groups.allSatisfy { $0.isEmpty }
    guard isEmpty, var back = feed.links.first(.start) else { return entries }
    back.title = back.title ?? "Start"
    return [link(back)]
  }

  private static func navigation(_ entry: Feed.NavigationEntry) -> JSONValue? {
    guard var link = entry.links.first else { return nil }
    // What it is for in particular says more than that it leads on.
    link.relations = entry.links.flatMap(\.relations).filter { $0 != .subsection } + [.subsection]
    link.title = entry.title
    return self.link(link)
  }

  private static func add(_ name: String, _ elements: [JSONValue], to out: inout [UInt8]) {
    guard !elements.isEmpty else { return }
    out += ",\"\(name)\":".utf8
    JSONValue.array(elements).append(to: &out)
  }

  private static func add(_ elements: [[UInt8]], to out: inout [UInt8]) {
    out.append(UInt8(ascii: "["))
    for (place, element) in elements.enumerated() {
      if place > 0 { out.append(UInt8(ascii: ",")) }
      out += element
    }
    out.append(UInt8(ascii: "]"))
  }
}
