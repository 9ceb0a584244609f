import Circulation
import FoundationEssentials
import HTTP
import Markup
import ProviderKit

extension AtomReading {
  /// Nil for what is none: an entry that leads on, a message in place of one (§14.12).
  func publication(_ entry: Element) -> Publication? {
    let here = within(entry)
    let acquisitions = here.acquisitions(of: entry)
    let links = here.links(of: entry)
    // A loan of what has left the catalogue can only be given back.
    guard let title = entry.title(.atom("title")) ?? entry.title(.dublin("title")),
      let first = acquisitions.first?.link ?? links.first(.revoke)
    else { return nil }
    // Without an id the address of what tells or brings it must do.
    let id = entry.words(.atom("id")) ?? links.first(.own)?.href ?? first.href
    var publication = Publication(id: id, title: title.bounded())
    publication.acquisitions = acquisitions
    publication.links = links.filter { link in
      !link.relations.contains { $0.isAcquisition || $0.isImage }
    }
    publication.images = links.filter { link in link.relations.contains(where: \.isImage) }
    here.describe(&publication, by: entry)
    return publication
  }

  private func describe(_ publication: inout Publication, by entry: Element) {
    publication.subtitle =
      entry.words(.schema("alternativeHeadline"))?.bounded() ?? entry.words(.dublin("alternative"))
    publication.contributors = contributors(of: entry)
    publication.series = entry.all(.schema("series")).prefix(20).compactMap(series)
    publication.languages = entry.all(.dublin("language")).prefix(50).compactMap { $0.text.words }
    publication.subjects = entry.all(.atom("category")).prefix(Limits.subjects).map { category in
      Publication.Subject(
        scheme: category["scheme"]?.words, code: category["term"]?.words,
        label: category["label"]?.words?.bounded())
    }
    let told = entry.one(.atom("summary")).flatMap(summary)
    publication.summary = told ?? entry.one(.atom("content")).flatMap(summary)
    publication.publisher = entry.words(.dublin("publisher"))?.bounded()
    publication.issued =
      (entry.words(.dublin("issued")) ?? entry.words(.dublin("date"))).flatMap(WireDate.calendar)
    publication.added = entry.words(.atom("published")).flatMap(WireDate.instant)
    publication.updated = entry.words(.atom("updated")).flatMap(WireDate.instant)
    publication.kind = entry.value(.schema("additionalType"), or: "additionalType")
    publication.identifiers = entry.all(.dublin("identifier")).prefix(50).compactMap {
      $0.text.words
    }
    publication.distributor = entry.one(.bibframe("distribution"))?
      .value(.bibframe("ProviderName"), or: "ProviderName")
    publication.source = entry.one(.atom("source")).flatMap(source)
    publication.seconds = entry.words(.dublin("duration")).flatMap { Double($0) }
  }

  private func source(_ element: Element) -> Publication.Source? {
    guard let id = element.words(.atom("id")), let title = element.title(.atom("title")),
      let updated = element.words(.atom("updated")).flatMap(WireDate.instant)
    else { return nil }
    return Publication.Source(id: id, title: title.bounded(), updated: updated)
  }

  // MARK: - People and text

  private func contributors(of entry: Element) -> [Publication.Person] {
    let authors = entry.all(.atom("author")).flatMap { people($0, role: "author") }
    let creators =
      authors.isEmpty
      ? entry.all(.dublin("creator")).compactMap { $0.text.words }
        .map { Publication.Person($0.bounded(), role: "author") } : []
    let others = entry.all(.atom("contributor")).flatMap {
      people($0, role: $0.value(.opf("role"), or: "role") ?? "contributor")
    }
    return Array((authors + creators + others).prefix(Limits.people))
  }

  /// One element may name several, and one may name nobody (§14.10).
  private func people(_ element: Element, role: String) -> [Publication.Person] {
    guard let text = element.words(.atom("name")) ?? element.words(.schema("name")) else {
      return []
    }
    let sortName = element.words(.simplified("sort_name"))
    let link = element.all(.atom("link")).lazy.compactMap { self.link($0) }.first
    // Calibre writes a comma that belongs to a name as a bar.
    let names = text.split(separator: " & ").map { (part: Substring) in
      String(part).replacing("| ", with: ", ").replacing("|", with: ", ").trimmingBlanks
    }.filter { !$0.isEmpty }
    return names.map { name in
      Publication.Person(
        name.bounded(), sortName: names.count == 1 ? sortName : nil, role: role, link: link)
    }
  }

  /// Its place is an attribute, or a child that has strayed into the namespace of Atom (§3.2).
  private func series(_ element: Element) -> Publication.SeriesPlace? {
    guard
      let name = element.value(.schema("name"), or: "name") ?? element.words(.schema("name"))
        ?? element.words(.atom("name"))
    else { return nil }
    let position =
      element.value(.schema("position"), or: "position") ?? element.words(.schema("position"))
      ?? element.words(.atom("position"))
    let link = element.all(.atom("link")).lazy.compactMap { self.link($0) }.first
    return Publication.SeriesPlace(
      name.bounded(), position: position.flatMap { Double($0) }, link: link)
  }

  private func summary(_ element: Element) -> Publication.Summary? {
    switch element["type"]?.lowercased() {
    case "xhtml", "application/xhtml+xml":
      let markup = XMLText.markup(element.children).trimmingBlanks
      return markup.isEmpty ? nil : .init(markup.bounded(Limits.summary), .markup)
    case "html", "text/html": return element.text.words.map { Publication.Summary(html: $0) }
    default:
      // Markup that came as elements, or as text that says it is plain, is markup all the same.
      if !element.elements.isEmpty {
        return .init(XMLText.markup(element.children).bounded(Limits.summary), .markup)
      }
      return element.text.words.map { Publication.Summary(unknown: $0) }
    }
  }
}

extension Publication.Summary {
  /// Said to be HTML. Where it was escaped once more than it should it is undone once (§14.9).
  init(html: String) {
    let text = html.bounded(Limits.summary)
    let isTwice = !text.contains("<") && text.contains("&lt;") && text.contains("&gt;")
    self.init(isTwice ? Entities.decoded(text) : text, .markup)
  }

  /// Said to be plain, or nothing said: only what closes a tag or breaks a line is markup.
  init(unknown: String) {
    let looksLikeMarkup = ["</", "<br", "<p>"].contains { unknown.contains($0) }
    self.init(unknown.bounded(Limits.summary), looksLikeMarkup ? .markup : .plain)
  }

  /// As a page would have it, whatever it came as.
  package var markup: String { form == .markup ? text : XMLText.escaped(text) }
}
