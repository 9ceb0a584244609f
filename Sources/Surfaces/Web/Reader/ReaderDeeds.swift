import Chapters
import Circulation
import Database
import Downloads
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import Phrasebook
import Reading
import Registry

/// What the forms of the reader do, and what its script tells.
struct ReaderDeeds: Sendable {
  private let visit: ReaderVisit
  private let form: FormFields

  static func answer(
    _ lobby: Lobby, _ stock: ReadingStock, _ name: (String, String), _ caller: Caller,
    _ reader: Caller.Reader
  ) async throws(Problem) -> Response {
    guard let form = caller.request.form, reader.seal.allows(caller.request, form) else {
      throw Lobby.unsealed
    }
    let loan = try await lobby.loan(name, caller)
    guard let file = try await lobby.file(of: loan, stock, reader.patron) else {
      try await WaitingPage.fetch(loan, stock, reader)
      return lobby.redirect(caller.link(ReaderPaths.book.print(name)))
    }
    if form["do"] == "unlock" {
      return try await PassphrasePage.unlock(form, lobby, stock, loan, file, caller, reader)
    }
    let visit = ReaderVisit(
      lobby: lobby, stock: stock, caller: caller, reader: reader, loan: loan, file: file,
      open: try await lobby.open(file, stock, ReaderVisit.attempt(loan)),
      signer: try await stock.signer())
    return try await ReaderDeeds(visit: visit, form: form).answer()
  }

  private func answer() async throws(Problem) -> Response {
    do {
      switch form["do"] {
      case "open": return visit.lobby.redirect(visit.link(ReaderPaths.book))
      case "place": return try await keepPlace()
      case "bookmark": return try await mark(.bookmark)
      case "highlight":
        let hasNote = form["note"].map { !$0.allSatisfy(\.isWhitespace) } ?? false
        return try await mark(hasNote ? .note : .highlight)
      case "edit": return try await edit()
      case "remove":
        _ = try await visit.stock.annotations.remove(form["id"] ?? "", of: visit.reader.patron)
        return done()
      case "taste": return try await taste()
      case "rate":
        guard let stars = form["stars"].flatMap(Int.init), (1...5).contains(stars) else {
          throw Self.incomplete
        }
        try await visit.stock.annotations.rate(visit.known, stars, of: visit.reader.patron)
        return visit.lobby.redirect(visit.link(ReaderPaths.end, ["did": "rate"]))
      default: throw Self.incomplete
      }
    } catch let problem as Problem {
      throw problem
    } catch is ResourceError {
      throw Problem(.conflict, code: "unreadable", detail: said("This section cannot be read."))
    } catch AnnotationError.unsound {
      throw Problem(
        .unprocessableContent, code: "bad_value", detail: said("This note or tag is too long."))
    } catch AnnotationError.tooLong {
      let (note, mark) = (
        PatronLimits.standard.noteCharacters, PatronLimits.standard.markCharacters
      )
      throw Problem(
        .unprocessableContent, code: "too_long",
        detail: said(
          "A note has at most \(note) characters, and marked text at most \(mark)."),
        remedy: said("Nothing was stored. Go back and shorten it."))
    } catch AnnotationError.full {
      let (book, all) = (PatronLimits.standard.notesInBook, PatronLimits.standard.notes)
      throw Problem(
        .conflict, code: "limit_reached",
        detail: said(
          """
          You have as many bookmarks and notes as this gateway stores: \(book) in a book, \
          \(all) in all, or too much text altogether.
          """),
        remedy: said("Remove some of them first."))
    } catch AnnotationError.unknown {
      throw Problem(.notFound, code: "not_found", detail: said("This note is not there any more."))
    } catch {
      throw Refusals.unread(said("What you do cannot be kept now."))
    }
  }

  private static var incomplete: Problem {
    Problem(
      .badRequest, code: "bad_value", detail: said("This form is not complete."))
  }

  // MARK: - Places

  /// A range of a section: as steps, or as what the script counts on the page that is shown.
  private func range() throws -> (Range<Int>, ItemText, Int) {
    if let at = form["at"], let cfi = try? CFI(at), let (place, _) = visit.open.place(of: cfi) {
      return (
        place.range.lowerBound..<place.range.lowerBound, try visit.open.text(at: place.spine),
        place.spine
      )
    }
    guard let section = form["section"].flatMap(Int.init),
      visit.book.document.spine.indices.contains(section)
    else { throw Self.incomplete }
    let text = try visit.open.text(at: section)
    let (start, end) = (try place("start", section) ?? 0, try place("end", section))
    return (start..<max(start, end ?? start), text, section)
  }

  private func place(_ name: String, _ section: Int) throws -> Int? {
    guard let shown = form[name].flatMap(Int.init), shown >= 0 else { return nil }
    return try visit.open.place(ofShown: shown, at: section, visit.addresses)
  }

  private func keepPlace() async throws -> Response {
    let (range, text, section) = try range()
    let place = range.lowerBound
    let locator = visit.open.places.locator(place..<place, in: text, spine: section)
    let positions = visit.open.places.positions
    // At the very end all is read; before that, never quite.
    let isOver = form["over"] == "1"
    let progress =
      isOver
      ? 1
      : min(
        0.9999,
        positions.total(at: section, progression: text.progression(of: range.upperBound)))
    // A device that had no network tells later when that was.
    try await PlaceKeeping(visit).keep(locator, progress, at: form["when"].flatMap(Int64.init))
    return visit.lobby.json([
      "cfi": JSONValue(locator.cfi.map { "\($0)" }),
      "position": locator.position.map { .integer($0) } ?? .null,
      "chapter": JSONValue(locator.title),
    ])
  }

  private func mark(_ kind: Annotation.Kind) async throws -> Response {
    let (range, text, section) = try range()
    let isPlace = kind == .bookmark || range.isEmpty
    let locator = visit.open.places.locator(
      isPlace ? range.lowerBound..<range.lowerBound : range, in: text, spine: section)
    // Pressed once more where it is marked already, the mark goes.
    if kind == .bookmark, let known = await bookmark(at: section, range) {
      _ = try await visit.stock.annotations.remove(known.id, of: visit.reader.patron)
      return done(["removed": .string(known.id)])
    }
    let now = visit.lobby.stock.now()
    let made = Annotation(
      id: Annotation.freshID(), book: visit.known, kind: isPlace ? .bookmark : kind,
      locator: locator, note: note, tags: tags,
      color: isPlace ? nil : Self.colors.first { $0 == form["color"] } ?? Self.colors[0],
      made: now, changed: now)
    _ = try await visit.stock.annotations.keep(made, of: visit.reader.patron)
    return done(["id": .string(made.id)])
  }

  /// The bookmark whose place is on the page that is seen.
  private func bookmark(at section: Int, _ range: Range<Int>) async -> Annotation? {
    await visit.marks().first { mark in
      guard mark.kind == .bookmark, let place = Anchoring(mark, in: visit.open)?.place,
        place.spine == section
      else { return false }
      return place.range.lowerBound == range.lowerBound || range.contains(place.range.lowerBound)
    }
  }

  private func edit() async throws -> Response {
    guard let id = form["id"], var mark = await visit.marks().first(where: { $0.id == id }) else {
      throw AnnotationError.unknown(form["id"] ?? "")
    }
    // What the form does not have stays as it is.
    let note = form["note"] == nil ? mark.note : note
    let kind: Annotation.Kind =
      mark.kind == .bookmark ? .bookmark : note == nil ? .highlight : .note
    mark = Annotation(
      id: mark.id, book: mark.book, kind: kind, locator: mark.locator, note: note,
      tags: form["tags"] == nil ? mark.tags : tags,
      color: Self.colors.first { $0 == form["color"] } ?? mark.color, made: mark.made,
      changed: max(mark.changed + 1, visit.lobby.stock.now()))
    _ = try await visit.stock.annotations.keep(mark, of: visit.reader.patron)
    return done()
  }

  static let colors = [
    phrase("yellow"), phrase("green"), phrase("blue"), phrase("pink"), phrase("orange"),
    phrase("purple"),
  ]

  private var note: String? {
    form["note"].flatMap { note in
      note.allSatisfy(\.isWhitespace) ? nil : note.replacing("\r\n", with: "\n")
    }
  }

  private var tags: [String] {
    (form["tags"] ?? "").split(separator: ",").map {
      String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }.filter { !$0.isEmpty }
  }

  // MARK: - Taste

  private func taste() async throws -> Response {
    var words = Taste()
    for name in Self.words {
      if let value = form[name], value.utf8.count <= 100 { words[name] = value }
    }
    // What nobody offers is not kept.
    let meant = PageTaste(words).taste
    for name in Self.words where words[name] != nil { words[name] = meant[name] }
    try await visit.stock.tastes.keep(words, of: visit.reader.patron)
    guard wantsJSON else { return done() }
    return visit.lobby.json(await visit.taste().json)
  }

  private static let words = [
    "colors", "face", "size", "spacing", "margin", "columns", "brightness", "manner", "edge",
  ]

  // MARK: - Answers

  private var wantsJSON: Bool { visit.caller.request["Accept"] == "application/json" }

  private func done(_ facts: JSONObject = [:]) -> Response {
    if wantsJSON { return visit.lobby.json(.object(facts)) }
    let back = form["back"].map { Onward($0).path }
    if let back, back != "/" { return visit.lobby.redirect(visit.caller.request.link(back)) }
    guard let section = form["section"].flatMap(Int.init) else {
      return visit.lobby.redirect(visit.link(ReaderPaths.book))
    }
    return visit.lobby.redirect(
      visit.link(section: section, form["at"].map { ["at": $0] } ?? FormFields()))
  }
}
