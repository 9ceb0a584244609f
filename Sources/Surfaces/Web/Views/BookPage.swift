import Catalog
import Circulation
import Covers
import FrontDesk
import HTTP
import HTTPServer
import Markup
import Phrasebook
import Shelving
import XML

/// One work: what it is, and every way to it, the best first, with the reason.
enum BookPage {
  static func make(_ lobby: Lobby, _ caller: Caller, _ work: String) async throws(Problem) -> Page {
    let entry = try await lobby.stock.lookedAt(WorkID(work), caller.reach)
    let cards = BookCards(lobby, caller)
    let ways = cards.ways(entry)
    let face = entry.face
    let facts = try await BookFacts(entry, ways, lobby, caller)
    return Page(face.title) {
      tag("p", .init("class", "back")) {
        tag("a", .init("href", caller.link(LobbyPaths.home.print()))) { Phrases.toLibrary }
      }
      tag("article", .init("class", "work")) {
        cards.cover(entry, .large, .eager)
        tag("div", .init("class", "told")) {
          heading(face, lobby, caller)
          if caller.shelf?.hides(entry) == true {
            tag("p", .init("class", "small")) { Phrases.ignored }
          }
          OffersView(cards, entry.work, facts.saving).offers(ways, facts)
          outside(face, lobby, caller)
          BookAsides(cards: cards, facts: facts).nodes
        }
        about(face)
        self.facts(face, lobby, caller)
      }
    }
  }

  /// Libraries that can only be looked at.
  private static func outside(_ face: Edition, _ lobby: Lobby, _ caller: Caller) -> Node? {
    let pages = lobby.stock.outlooks(caller.shelf?.accounts ?? [], face)
    guard !pages.isEmpty else { return nil }
    return tag("ul", .init("class", "small")) {
      for page in pages {
        tag("li") {
          tag("a", .init("href", page.address), .init("rel", "noreferrer")) {
            Phrases.lookAt(page.library)
          }
        }
      }
    }
  }

  @Children private static func heading(
    _ face: Edition, _ lobby: Lobby, _ caller: Caller
  ) -> [Node] {
    if let series = face.series {
      tag("p", .init("class", "small")) {
        tag("a", .init("href", caller.link(LobbyPaths.search.print(), ["q": "\"\(series.name)\""])))
        {
          series.name
        }
        if let position = series.position { ", \(Self.number(position))" }
      }
    }
    tag("h1", BookCards.language(of: face)) { face.title }
    if let subtitle = face.subtitle { tag("p", .init("class", "subtitle")) { subtitle } }
    if !face.authors.isEmpty {
      tag("p", .init("class", "who")) {
        marked("by \(authors(face, caller))")
      }
    }
  }

  @Children private static func authors(_ face: Edition, _ caller: Caller) -> [Node] {
    for (place, author) in face.authors.prefix(6).enumerated() {
      if place > 0 { ", " }
      tag("a", .init("href", caller.link(LobbyPaths.search.print(), ["author": author]))) {
        author
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
      tag("h2") { Phrases.about }
      for paragraph in paragraphs.prefix(60) { tag("p") { String(paragraph) } }
    }
  }

  private static func facts(_ face: Edition, _ lobby: Lobby, _ caller: Caller) -> Node? {
    let genres = Classification(subjects: face.subjects).genres.compactMap { Genre.named($0) }
    let others = face.contributors.filter { $0.role != .author }.prefix(6).map { person in
      Phrases.contributor(person.name, person.role)
    }
    let lines: [(Phrases.Detail, String?)] = [
      (.with, others.isEmpty ? nil : others.joined(separator: ", ")),
      (.published, face.published.map(Words.date)), (.publisher, face.publisher),
      (
        .language,
        face.languages.isEmpty
          ? nil
          : face.languages.map { Labels.choice($0, in: .language, { $0.rawValue }) }
            .joined(separator: ", ")
      ),
      (.audience, face.audience.map(Words.audience)),
      (.isbn, face.isbns.first.map { "\($0.digits)" }),
    ]
    let known = lines.compactMap { name, value in value.map { (name, $0) } }
    guard !known.isEmpty || !genres.isEmpty else { return nil }
    return tag("section", .init("class", "facts")) {
      tag("h2") { Phrases.details }
      tag("dl") {
        for (name, value) in known {
          tag("div") {
            tag("dt") { name.words }
            tag("dd") {
              if name == .published, let date = face.published, date.year >= 1000 {
                tag("time", .init("datetime", date.description)) { value }
              } else {
                value
              }
            }
          }
        }
      }
      if !genres.isEmpty {
        tag("ul", .init("class", "chips")) {
          for genre in genres {
            tag("li") {
              if let lane = lobby.stock.lane(named: genre.id) {
                tag("a", .init("href", caller.link(LobbyPaths.lane.print(lane.id)))) {
                  said(known: genre.title)
                }
              } else {
                tag("span") { said(known: genre.title) }
              }
            }
          }
        }
      }
    }
  }
}
