import Chapters
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Markup
import Phrasebook
import Reading

/// One section of a book in a frame, and the ways on. Without script it is scrolled; the script turns
/// the same frame's content like pages.
enum SectionPage {
  /// Where in a section one begins.
  enum Start: Sendable, Hashable {
    case top, end
    case place(Int)
  }

  static func answer(_ visit: ReaderVisit, _ section: Int) async throws(Problem) -> Response {
    guard visit.book.document.spine.indices.contains(section) else {
      throw Problem(
        .notFound, code: "not_found", detail: said("The book has no such section."),
        remedy: said("Open it anew."))
    }
    let query = visit.caller.query
    var start = Start.top
    if query["at"] == "end" {
      start = .end
    } else if let text = query["at"], let cfi = try? CFI(text),
      let (place, _) = visit.open.place(of: cfi)
    {
      guard place.spine == section else {
        return visit.lobby.redirect(visit.link(section: place.spine, ["at": text]))
      }
      start = .place(place.range.lowerBound)
    } else if let shown = query["shown"].flatMap(Int.init), shown > 0,
      let place = try? visit.open.place(ofShown: shown, at: section, visit.addresses)
    {
      start = .place(place)
    } else if let fragment = query["to"], let text = try? visit.open.text(at: section),
      let place = text.place(ofID: fragment)
    {
      start = .place(place)
    }
    let text = try? visit.open.text(at: section)
    let offer = query["offer"] == nil ? nil : await offer(visit)
    // Not while another place is offered: what is kept last is what is gone on from.
    let isAhead =
      query[OfflineList.ahead] != nil || visit.caller.request["Sec-Purpose"] != nil
    if !isAhead, offer == nil, let text {
      await keep(visit, section, start, text)
    }
    let taste = await visit.taste()
    return visit.lobby.shell(view(visit, section, start, text, taste, offer))
  }

  /// As far as is known without script: with it, each page that is turned is kept.
  private static func keep(
    _ visit: ReaderVisit, _ section: Int, _ start: Start, _ text: ItemText
  ) async {
    let place: Int
    switch start {
    case .top: place = 0
    case .end: return
    case .place(let known): place = known
    }
    let locator = visit.open.places.locator(place..<place, in: text, spine: section)
    // Not to be kept is not to be read on from here: nothing that the page could mend.
    try? await PlaceKeeping(visit).keep(locator, locator.totalProgression ?? 0)
  }

  /// To where another device was after this one.
  private static func offer(_ visit: ReaderVisit) async -> Node? {
    let keeping = PlaceKeeping(visit)
    guard let there = await keeping.standing()?.elsewhere, let place = keeping.place(of: there)
    else { return nil }
    let cfi = visit.cfi(place)
    return tag("p", .init("class", "offer"), .init("role", "status")) {
      tag(
        "a",
        .init(
          "href", visit.link(section: place.spine, cfi.map { ["at": "\($0)"] } ?? FormFields()))
      ) {
        said(
          "Go to \(Int((there.progress * 100).rounded())) %, where you were with \(said(known: there.device))"
        )
      }
    }
  }

  // MARK: - The page

  private static func view(
    _ visit: ReaderVisit, _ section: Int, _ start: Start, _ text: ItemText?,
    _ taste: PageTaste, _ offer: Node?
  ) -> Node {
    let place: Int =
      switch start {
      case .top: 0
      case .end: text?.text.count ?? 0
      case .place(let place): place
      }
    let positions = visit.open.places.positions
    let progression = text?.progression(of: place) ?? 0
    let number = positions.number(at: section, progression: progression)
    let chapter = text.flatMap { visit.open.places.chapter(at: section, place, in: $0)?.label }
    let percent = Int((positions.total(at: section, progression: progression) * 100).rounded())
    let here = text.flatMap { text in
      visit.cfi(.init(spine: section, range: place..<min(place, text.text.count)))
    }
    let back: FormFields =
      place > 0 && here != nil ? ["at": here.map { "\($0)" } ?? ""] : FormFields()
    let frame = ReaderFrame(visit, section, back)
    return frame.page(chapter, taste) {
      tag("h1", .init("class", "unseen")) {
        [visit.title, chapter].compactMap(\.self).joined(separator: ": ")
      }
      offer
      tag("noscript") {
        tag(
          "iframe", .init("class", "sheet"), .init("title", chapter ?? visit.title),
          // With the site's origin, so that pictures and fonts are asked for with the session's cookie;
          // no script runs in it.
          .init("sandbox", "allow-same-origin allow-top-navigation-by-user-activation"),
          .init("src", "\(visit.parts)s/\(section)\(fragment(text, place))"))
      }
    } foot: {
      frame.turns(before(visit, section), after(visit, section))
      tag("p", .init("class", "where"), .init("id", "where")) {
        if let chapter { tag("span", .init("class", "chapter")) { chapter } }
        tag("span", .init("class", "position")) {
          "\(said("\(number) of \(positions.count)")) · \(percent) %"
        }
      }
      tag(
        "progress", .init("id", "bar"), .init("max", max(1, positions.count)),
        .init("value", number), .init("aria-label", said("How far through the book")))
    } data: {
      SectionFacts.start(visit, section, start, taste)
    }
  }

  /// The last thing with a name before a place: a frame without script can be opened there.
  private static func fragment(_ text: ItemText?, _ place: Int) -> String {
    guard let text, place > 0 else { return "" }
    let source = text.source(of: place)
    var found: String?
    for (number, node) in text.tree.nodes.enumerated() where node.isElement {
      if Int(node.start) > source { break }
      if let id = text.tree.attribute(.id, of: number), !id.isEmpty { found = id }
    }
    return found.map { "#" + PercentCoding.encode(query: $0) } ?? ""
  }

  /// The section before this one on the line; from off the line, the one that stands before.
  static func before(_ visit: ReaderVisit, _ section: Int) -> Int? {
    visit.open.line.last { $0 < section }
  }

  static func after(_ visit: ReaderVisit, _ section: Int) -> Int? {
    visit.open.line.first { $0 > section }
  }
}

extension ReaderVisit {
  /// As everybody likes it, where the reader's own taste cannot be had.
  func taste() async -> PageTaste {
    guard let taste = try? await stock.tastes.taste(of: reader.patron) else { return PageTaste() }
    return PageTaste(taste)
  }
}

extension Lobby {
  /// A page of the reader: it runs our script, and frames the book.
  func shell(_ node: Node) -> Response {
    var response = Response.bytes(HTMLWriter.document(node, reserving: 16 << 10), .html)
    response.headers.set("Content-Security-Policy", Self.shellPolicy)
    response.headers.set("Cache-Control", "no-store")
    return response
  }

  private static let shellPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    + "media-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; "
    + "base-uri 'none'; frame-ancestors 'none'"
}
