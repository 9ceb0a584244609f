import Catalog
import Chapters
import Circulation
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Markup
import Phrasebook
import Reading

/// What the script has to know: of the book with the page, of each section when it is opened.
enum SectionFacts {
  static func start(
    _ visit: ReaderVisit, _ section: Int, _ start: SectionPage.Start, _ taste: PageTaste
  ) -> JSONValue {
    let positions = visit.open.places.positions
    let items = visit.book.document.spine.indices.map { spine -> JSONValue in
      let item = visit.book.document.spine[spine]
      let isOnLine = visit.open.line.contains(spine) ? 1 : 0
      return [
        .integer(positions.items[spine].first), .integer(positions.items[spine].count),
        .integer(isOnLine), .integer(visit.book.document.isFixed(item) ? 1 : 0),
        .string(item.rendition.pageSpread?.rawValue ?? ""),
      ]
    }
    let address = visit.link(ReaderPaths.book)
    return [
      "book": .string(address), "title": .string(visit.title),
      "authors": .array(visit.authors.map(JSONValue.string)),
      "seal": .string(visit.reader.seal.text), "section": .integer(section),
      "parts": .string(visit.parts), "items": .array(items), "count": .integer(positions.count),
      "backward": .bool(visit.book.document.progression == .rightToLeft),
      "spread": .string((visit.book.document.rendition.spread ?? .auto).rawValue),
      "flow": .string((visit.book.document.rendition.flow ?? .auto).rawValue),
      "active": JSONValue(visit.book.document.metadata.media.activeClass),
      "at": at(visit, section, start), "taste": taste.json, "words": ReaderWords.json,
      "record": .string(
        visit.caller.request.absoluteLink(
          LobbyPaths.work.print(visit.loan.entry.work.rawValue))),
    ]
  }

  /// On the page that is shown; null for its top.
  private static func at(
    _ visit: ReaderVisit, _ section: Int, _ start: SectionPage.Start
  ) -> JSONValue {
    switch start {
    case .top: .null
    case .end: .integer(-1)
    case .place(let place):
      (try? visit.open.shown(ofPlace: place, at: section, visit.addresses))
        .map { .integer($0) } ?? .null
    }
  }

  static func answer(_ visit: ReaderVisit, _ section: Int) async throws(Problem) -> Response {
    do throws(ResourceError) {
      // Steps into the book are followed here; the script knows characters only.
      if let at = visit.caller.query["at"], let cfi = try? CFI(at) {
        guard let (place, _) = visit.open.place(of: cfi) else { throw .missing }
        let shown = try visit.open.shown(
          ofPlace: place.range.lowerBound, at: place.spine, visit.addresses)
        return visit.lobby.json(["section": .integer(place.spine), "at": .integer(shown)])
      }
      return visit.lobby.json(try await facts(visit, section))
    } catch {
      throw Problem(
        .notFound, code: "not_found", detail: said("This section of the book cannot be shown."))
    }
  }

  private static let charactersOfNotes = 100_000

  private static func facts(
    _ visit: ReaderVisit, _ section: Int
  ) async throws(ResourceError) -> JSONValue {
    let addresses = visit.addresses
    let chapter = try visit.open.chapter(at: section, addresses)
    let text = try visit.open.text(at: section)
    func shown(_ place: Int) throws(ResourceError) -> JSONValue {
      .integer(try visit.open.shown(ofPlace: place, at: section, addresses))
    }
    var chapters: [JSONValue] = []
    var lastLabel: String?
    // The heads of a section, as finely as its contents tell them.
    for place in visit.open.chapterStarts(in: text, at: section) {
      let label = visit.open.places.chapter(at: section, place, in: text)?.label ?? ""
      if label != lastLabel { chapters.append([try shown(place), .string(label)]) }
      lastLabel = label
    }
    var marks: [JSONValue] = []
    // Long notes are whole on the page of notes; here is what fits.
    var left = Self.charactersOfNotes
    for mark in await visit.marks().prefix(PatronLimits.standard.notesInBook) {
      guard let place = Anchoring(mark, in: visit.open)?.place, place.spine == section else {
        continue
      }
      let length = mark.note?.unicodeScalars.count ?? 0
      let isWhole = length <= left
      left -= isWhole ? length : 0
      let note = isWhole ? mark.note : mark.note.map { $0.limited(to: 200) + "…" }
      var facts: JSONObject = [
        "id": .string(mark.id), "kind": .string(mark.kind.rawValue),
        "start": try shown(place.range.lowerBound), "end": try shown(place.range.upperBound),
        "color": JSONValue(mark.color), "note": JSONValue(note),
      ]
      if !isWhole { facts["cut"] = true }
      marks.append(.object(facts))
    }
    var facts: JSONObject = [
      "parts": .string(visit.parts), "length": .integer(chapter.length),
      "chapters": .array(chapters), "marks": .array(marks),
      "clips": .array(clips(visit, section)),
    ]
    if let box = chapter.box { facts["box"] = [.integer(box.width), .integer(box.height)] }
    if let fault = text.fault { facts["fault"] = .string(fault) }
    return .object(facts)
  }

  /// What is read aloud of this section: element, recording, from, to.
  private static func clips(_ visit: ReaderVisit, _ section: Int) -> [JSONValue] {
    guard visit.book.overlays > 0,
      let path = visit.book.document.spine[section].shown?.path
    else { return [] }
    let addresses = visit.addresses
    return visit.open.timeline.entries.filter { $0.clip.text.path == path }.compactMap { entry in
      guard let audio = entry.clip.audio?.path else { return nil }
      return [
        .string(entry.clip.text.fragment ?? ""), .string(addresses.resource(audio)),
        JSONValue(entry.clip.begin), entry.clip.end.map { JSONValue($0) } ?? .null,
      ]
    }
  }
}

extension Anchoring {
  init?(_ annotation: Annotation, in open: OpenBook) {
    var reading = open.reading
    self.init(annotation, in: open.places, &reading)
  }
}

extension ReaderVisit {
  /// What the reader wrote in this book; nothing where it cannot be read.
  func marks() async -> [Annotation] {
    (try? await stock.annotations.all(of: reader.patron, in: known)) ?? []
  }
}

extension Lobby {
  func json(_ value: JSONValue) -> Response {
    var response = Response.text(value.text(), .json)
    response.headers.set("Cache-Control", "no-store")
    return response
  }
}

extension PageTaste {
  var json: JSONValue {
    [
      "theme": .string(theme.name), "columns": .string(columns.rawValue),
      "brightness": .integer(brightness), "scrolled": .bool(isScrolled),
    ]
  }
}
