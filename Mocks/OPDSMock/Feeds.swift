import HTTP
import JSON
import MockKit

/// The lender's lists: lanes, pages of books, everything for harvesters, and what a search finds.
extension Visit {
  // MARK: Places to go to

  var start: Listing {
    var listing = Listing(id: at(""), title: library.name, updated: newest, kind: .navigation)
    listing.links = common(at(""), language.navigation)
    let places: [(String, String, String?, String)] =
      [
        ("all", "All Books", nil, "Everything there is."),
        ("new", "New", Relation.newest, "Added last."),
        ("popular", "Popular", Relation.popular, "Borrowed most."),
      ] + subjects.map { (Self.slug($0), $0, nil, "Books of \($0).") }
    listing.entries = places.map { lane, title, rel, note in
      let href = at("feed/\(lane)")
      var entry = Entry(id: href, title: title, updated: newest, note: note)
      entry.links = [Link("subsection", href, language.acquisition)]
      if let rel { entry.links.append(Link(rel, href, language.acquisition)) }
      return entry
    }
    let groups = at("groups")
    var entry = Entry(id: groups, title: "Lane by lane", updated: newest, note: "A few of each.")
    entry.links = [Link("subsection", groups, language.acquisition)]
    listing.entries.append(entry)
    return listing
  }

  /// A few books of each lane, as Palace's programs want to begin.
  var groups: Listing {
    var listing = Listing(id: at("groups"), title: library.name, updated: newest)
    listing.links = common(at("groups"), language.acquisition)
    for subject in subjects {
      let href = at("feed/\(Self.slug(subject))")
      for id in ids(where: { $0.subjects.contains(subject) }).prefix(5) {
        var entry = listed(id)
        entry.lane = (subject, href)
        listing.entries.append(entry)
      }
    }
    return listing
  }

  // MARK: Books

  func feed(_ lane: String) throws(Failure) -> Listing {
    let subject = subjects.first { Self.slug($0) == lane }
    let title: String
    switch lane {
    case "all": title = "All Books"
    case "new": title = "New"
    case "popular": title = "Popular"
    default:
      guard let subject else { throw .unknownLane }
      title = subject
    }
    var titles = catalogue.filter { subject.map($0.subjects.contains) ?? true }
    let usual = lane == "new" ? "added" : lane == "popular" ? "popular" : "title"
    let order = request.query["order"] ?? usual
    let wanted = request.query["available"] ?? "all"
    let medium = request.query["entrypoint"] ?? "All"
    if medium != "All" {
      titles = titles.filter { ($0.medium == "audiobook") == (medium == "Audio") }
    }
    if wanted == "now" { titles = titles.filter { library.lending.copiesAvailable(of: $0.id) > 0 } }
    var listing = Listing(id: at("feed/\(lane)"), title: title, updated: newest)
    let state = ["order": order, "available": wanted, "entrypoint": medium]
    listing.links = common(own, language.acquisition)
    listing.links.append(Link("up", at(""), language.navigation))
    listing.links += facets("feed/\(lane)", state)
    turn(&listing, sorted(titles, by: order).map(\.id), "feed/\(lane)", keeping: state)
    return listing
  }

  /// The last changed first.
  var crawlable: Listing {
    let titles = catalogue.sorted { ($1.changed, $0.id) < ($0.changed, $1.id) }
    var listing = Listing(id: at("crawlable"), title: library.name, updated: newest)
    listing.links = common(own, language.acquisition)
    turn(&listing, titles.map(\.id), "crawlable", keeping: [:])
    return listing
  }

  var search: Listing {
    let words = Search(request.query["q"] ?? request.query["query"] ?? "")
    let found = catalogue.filter(words.finds)
    var listing = Listing(id: own, title: "Search", updated: newest)
    listing.links = common(own, language.acquisition)
    turn(
      &listing, sorted(found, by: "title").map(\.id), "search",
      keeping: ["q": request.query["q"] ?? ""])
    return listing
  }

  // MARK: Pages

  private func turn(
    _ listing: inout Listing, _ ids: [String], _ path: String, keeping state: [String: String]
  ) {
    let usual = library.settings["page_size"]?.integer ?? 50
    let size = max(1, min(request.query["size"].flatMap { Int($0) } ?? usual, 100))
    let start = max(0, request.query["after"].flatMap { Int($0) } ?? 0)
    func address(_ after: Int) -> String {
      var fields = FormFields(state.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
      fields.add("after", String(after))
      fields.add("size", String(size))
      return at("\(path)?\(fields.encoded)")
    }
    // Palace gives the links between pages no type.
    let type = language == .atom ? nil : language.acquisition
    let end = start + size
    let isLast = end >= ids.count
    let back = quirks.contains(.overlap) && start > 0 ? 1 : 0
    listing.entries = ids.dropFirst(max(0, start - back)).prefix(size + back).map(listed)
    if quirks.contains(.nextSelf) {
      listing.links.append(Link("next", own, type))
    } else if !isLast {
      listing.links.append(Link("next", address(end), type))
    } else if quirks.contains(.nextLoop) {
      listing.links.append(Link("next", address(0), type))
    }
    listing.links.append(Link("first", address(0), type))
    if start > 0 {
      let word = quirks.contains(.prev) ? "prev" : "previous"
      listing.links.append(Link(word, address(max(0, start - size)), type))
    }
    listing.page =
      quirks.contains(.noTotals) ? nil : Page(total: ids.count, start: start, size: size)
  }

  private func facets(_ path: String, _ state: [String: String]) -> [Link] {
    let groups: [(String, String, [(String, String)])] = [
      ("entrypoint", "Formats", [("All", "All"), ("Book", "eBooks"), ("Audio", "Audiobooks")]),
      (
        "order", Link.Facet.order,
        [("title", "Title"), ("author", "Author"), ("added", "Recently Added")]
      ),
      ("available", "Availability", [("all", "All"), ("now", "Available now")]),
    ]
    return groups.flatMap { name, title, choices in
      choices.map { word, label in
        var wanted = state
        wanted[name] = word
        let fields = FormFields(wanted.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) })
        var link = Link(
          Relation.facet, at("\(path)?\(fields.encoded)"), language.acquisition, title: label)
        link.facet = .init(
          group: title, isActive: state[name] == word, isEntryPoint: name == "entrypoint")
        return link
      }
    }
  }

  // MARK: What every list says

  func common(_ own: String, _ type: String) -> [Link] {
    var links = [
      Link("self", own, type), Link("start", at(""), language.navigation),
      Link("search", at("search"), "application/opensearchdescription+xml"),
    ]
    switch language {
    case .atom:
      links.append(Link("search", at("search?q={searchTerms}"), "application/atom+xml"))
    case .json:
      var link = Link("search", at("search{?q}"), language.acquisition)
      link.isTemplated = true
      links[2] = link
    }
    links += [
      Link(Relation.crawlable, at("crawlable"), language.acquisition),
      Link(Relation.shelf, at("loans"), language.acquisition),
      Link(
        Relation.authentication, at("authentication_document"),
        "application/vnd.opds.authentication.v1.0+json"),
    ]
    return links
  }

  /// What the library lists. What it has no copies of stands in no list.
  var catalogue: [Title] {
    let titles = library.lending.order.compactMap { library.lending.titles[$0] }
      .filter { $0.copies != .counted(0) }
    guard quirks.contains(.shrunken) else { return titles }
    return Array(titles.prefix(max(1, titles.count * 3 / 100)))
  }

  private func ids(where isWanted: (Title) -> Bool) -> [String] {
    catalogue.filter(isWanted).map(\.id)
  }

  var newest: Moment { catalogue.map(\.changed).max() ?? now }

  var subjects: [String] { Set(catalogue.flatMap(\.subjects)).sorted() }

  static func slug(_ subject: String) -> String {
    subject.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

  func sorted(_ titles: [Title], by order: String) -> [Title] {
    switch order {
    case "added": titles.sorted { ($1.added, $0.id) < ($0.added, $1.id) }
    case "popular": titles.sorted { ($1.popularity, $0.id) < ($0.popularity, $1.id) }
    case "author":
      titles.sorted { ($0.authors.first ?? "", $0.id) < ($1.authors.first ?? "", $1.id) }
    default: titles.sorted { (Self.filed($0.name), $0.id) < (Self.filed($1.name), $1.id) }
    }
  }

  /// Without its article.
  static func filed(_ name: String) -> String {
    for article in ["The ", "A ", "An "] where name.hasPrefix(article) {
      return String(name.dropFirst(article.count))
    }
    return name
  }
}

/// All words must stand somewhere in what is known of a title.
struct Search {
  private let words: [String]

  init(_ text: String) {
    words = text.lowercased().split { $0.isWhitespace }.map(String.init)
      .filter { $0.contains { $0.isLetter || $0.isNumber } }
  }

  func finds(_ title: Title) -> Bool {
    guard !words.isEmpty else { return false }
    let text = ([title.name, title.subtitle ?? "", title.series ?? "", title.isbn] + title.authors)
      .joined(separator: " ").lowercased()
    return words.allSatisfy { text.contains($0) }
  }
}
