import Books
import Catalog
import Circulation
import Covers
import Database
import Desk
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Shelving
import XML

/// One work: what it is, and every way to it, the best first, with the reason.
enum BookPage {
  static func make(_ lobby: Lobby, _ caller: Caller, _ work: String) async throws(Problem) -> Page {
    let entry = try await lobby.stock.whole(WorkID(work), caller.reach)
    let cards = BookCards(lobby, caller)
    let ways = cards.ways(entry)
    let face = entry.face
    let saved = try await savedKey(lobby, caller, entry)
    var page = Page(face.title) {
      tag("article", .init("class", "work")) {
        cards.cover(entry, .large, .eager)
        tag("div", .init("class", "told")) {
          heading(face, lobby, caller)
          OffersView(cards, entry.work, saved).offers(ways)
        }
        about(face)
        facts(face, lobby, caller)
      }
    }
    page.notice = Page.Notice(caller.query, lobby)
    return page
  }

  private static func savedKey(
    _ lobby: Lobby, _ caller: Caller, _ entry: CatalogEntry
  ) async throws(Problem) -> OffersView.Saving {
    guard let reader = caller.reader else { return .unknown }
    do throws(DatabaseError) {
      let saved = try await lobby.books.saved(by: reader.patron)
      let known = saved.first { entry.lists($0.key.item, at: $0.key.library) }
      return known.map { .saved($0.key) } ?? .open
    } catch {
      throw Refusals.unread("Your books cannot be read.")
    }
  }

  @Children private static func heading(
    _ face: Edition, _ lobby: Lobby, _ caller: Caller
  ) -> [Node] {
    if let series = face.series {
      tag("p", .init("class", "small")) {
        series.position.map { "\(series.name), \(Self.number($0))" } ?? series.name
      }
    }
    tag("h1", BookCards.language(of: face)) { face.title }
    if let subtitle = face.subtitle { tag("p", .init("class", "subtitle")) { subtitle } }
    if !face.authors.isEmpty {
      tag("p", .init("class", "who")) {
        "by "
        for (place, author) in face.authors.prefix(6).enumerated() {
          if place > 0 { ", " }
          tag("a", .init("href", caller.link(LobbyPaths.search.print(), ["author": author]))) {
            author
          }
        }
      }
    }
  }

  private static func number(_ position: Double) -> String {
    position == position.rounded() && abs(position) < 1e9
      ? String(Int(position)) : String(position)
  }

  private static func about(_ face: Edition) -> Node? {
    let text = face.summary.flatMap(PlainText.of(blurb:)) ?? ""
    let paragraphs = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    guard !paragraphs.isEmpty else { return nil }
    return tag("section", .init("class", "about")) {
      tag("h2") { "About this book" }
      for paragraph in paragraphs.prefix(60) { tag("p") { String(paragraph) } }
    }
  }

  private static func facts(_ face: Edition, _ lobby: Lobby, _ caller: Caller) -> Node? {
    let genres = Classification(subjects: face.subjects).genres.compactMap { Genre.named($0) }
    let others = face.contributors.filter { $0.role != .author }.prefix(6).map { person in
      "\(person.name) (\(person.role.rawValue.replacing("_", with: " ")))"
    }
    let lines: [(String, String?)] = [
      ("With", others.isEmpty ? nil : others.joined(separator: ", ")),
      ("Published", face.published?.description), ("Publisher", face.publisher),
      (
        "Language",
        face.languages.isEmpty
          ? nil
          : face.languages.map { Labels.choice($0, in: .language, { $0.rawValue }) }
            .joined(separator: ", ")
      ),
      ("For", face.audience.map(Words.audience)),
      ("ISBN", face.isbns.first.map { "\($0.digits)" }),
    ]
    let known = lines.compactMap { name, value in value.map { (name, $0) } }
    guard !known.isEmpty || !genres.isEmpty else { return nil }
    return tag("section", .init("class", "facts")) {
      tag("h2") { "Details" }
      tag("dl") {
        for (name, value) in known {
          tag("div") {
            tag("dt") { name }
            tag("dd") { value }
          }
        }
      }
      if !genres.isEmpty {
        tag("ul", .init("class", "chips")) {
          for genre in genres {
            tag("li") {
              if let lane = lobby.stock.lane(named: genre.id) {
                tag("a", .init("href", caller.link(LobbyPaths.lane.print(lane.id)))) {
                  genre.title
                }
              } else {
                tag("span") { genre.title }
              }
            }
          }
        }
      }
    }
  }
}

extension Page.Notice {
  /// What was just done, by the words of the address: they choose a sentence and add nothing to it.
  init?(_ query: FormFields, _ lobby: Lobby) {
    guard let did = query["did"] else { return nil }
    let library = query["at"].map { LibraryID($0) }.flatMap { id in
      lobby.stock.libraries.contains(id) ? lobby.stock.nameOfLibrary(id) : nil
    }
    switch (BookDeed(rawValue: did), Deed.Kind(rawValue: did), library) {
    case (.save, _, _): self = .done("Saved for later.")
    case (.unsave, _, _): self = .done("No longer saved.")
    case (_, let kind?, let library?): self = .done(Deed(kind).words(library) + ".")
    default: return nil
    }
  }
}
