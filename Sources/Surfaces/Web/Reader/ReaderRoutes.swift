import Catalog
import Chapters
import Circulation
import Database
import Downloads
import EPUB
import FrontDesk
import HTTP
import HTTPServer
import JSON
import LCP
import Licenses
import Machine
import Markup
import Phrasebook
import Reading
import Registry

/// The web reader: a page for each section of a book, and a few around it. All of it works without
/// script; with it, the same addresses are turned like pages.
extension Lobby {
  func addReader<Note: Sendable>(
    to router: inout Router<Note>, _ stock: ReadingStock, _ notes: Notes<Note>
  ) {
    for asset in ReaderAssets.all {
      router.immediate(.get, at: asset.path, note: notes.open) { _ in .cached(asset.body) }
    }
    router.on(.get, at: ReaderPaths.parts, note: notes.open) { request, name in
      await PartRoute(lobby: self, stock: stock, request: request).answer(name.0, name.1)
    }
    router.on(.get, at: LobbyPaths.read, note: notes.reader) { request, work in
      await reading(request, stock) { caller, _ throws(Problem) in try await read(work, caller) }
    }
    router.on(.get, at: ReaderPaths.book, note: notes.reader) { request, name in
      await reading(request, stock) { caller, reader throws(Problem) in
        try await start(name, stock, caller, reader)
      }
    }
    router.on(.post, at: ReaderPaths.book, note: notes.reader, body: .document) { request, name in
      await reading(request, stock) { caller, reader throws(Problem) in
        try await ReaderDeeds.answer(self, stock, name, caller, reader)
      }
    }
    router.on(.get, at: ReaderPaths.section, note: notes.reader) { request, name in
      await visiting(request, stock, (name.0, name.1)) { visit throws(Problem) in
        try await SectionPage.answer(visit, name.2)
      }
    }
    router.on(.get, at: ReaderPaths.marks, note: notes.reader) { request, name in
      await visiting(request, stock, (name.0, name.1)) { visit throws(Problem) in
        try await SectionFacts.answer(visit, name.2)
      }
    }
    router.on(.get, at: ReaderPaths.offline, note: notes.reader) { request, name in
      await visiting(request, stock, name) { visit throws(Problem) in
        try await OfflineList.answer(visit)
      }
    }
    add(ReaderPaths.contents, to: &router, stock, notes.reader) { visit throws(Problem) in
      try await ContentsPage.make(visit)
    }
    add(ReaderPaths.search, to: &router, stock, notes.reader) { visit throws(Problem) in
      FindPage.make(visit)
    }
    add(ReaderPaths.notes, to: &router, stock, notes.reader) { visit throws(Problem) in
      try await NotesPage.make(visit)
    }
    add(ReaderPaths.display, to: &router, stock, notes.reader) { visit throws(Problem) in
      try await DisplayPage.make(visit)
    }
    add(ReaderPaths.share, to: &router, stock, notes.reader) { visit throws(Problem) in
      SharePage.make(visit)
    }
    add(ReaderPaths.end, to: &router, stock, notes.reader) { visit throws(Problem) in
      try await EndPage.make(visit)
    }
    add(ReaderPaths.leave, to: &router, stock, notes.reader) { visit throws(Problem) in
      try LeavePage.make(visit)
    }
  }

  private func add<Note: Sendable>(
    _ path: RoutePath<(String, String)>, to router: inout Router<Note>, _ stock: ReadingStock,
    _ note: Note, _ make: @escaping @Sendable (ReaderVisit) async throws(Problem) -> Page
  ) {
    router.on(.get, at: path, note: note) { request, name in
      await visiting(request, stock, name) { visit throws(Problem) in
        passing(try await make(visit), visit.caller)
      }
    }
  }

  // MARK: - Who reads what

  func reading(
    _ request: Request, _ stock: ReadingStock,
    _ make: @Sendable (Caller, Caller.Reader) async throws(Problem) -> Response
  ) async -> Response {
    do throws(Problem) {
      let caller = try await caller(request)
      guard let reader = caller.reader else { return toSignIn(request) }
      do throws(Problem) { return try await make(caller, reader) } catch {
        return refusal(error, request, to: caller)
      }
    } catch {
      return refusal(error, request)
    }
  }

  private func visiting(
    _ request: Request, _ stock: ReadingStock, _ name: (String, String),
    _ make: @Sendable (ReaderVisit) async throws(Problem) -> Response
  ) async -> Response {
    await reading(request, stock) { caller, reader throws(Problem) in
      let loan = try await loan(name, caller)
      guard let file = try await file(of: loan, stock, reader.patron) else {
        return redirect(caller.link(ReaderPaths.book.print(name)))
      }
      return try await make(
        ReaderVisit(
          lobby: self, stock: stock, caller: caller, reader: reader, loan: loan, file: file,
          open: try await open(file, stock, ReaderVisit.attempt(loan)),
          signer: try await stock.signer()))
    }
  }

  /// Where the reader stopped, or where the book begins; or what keeps it from being read.
  private func start(
    _ name: (String, String), _ stock: ReadingStock, _ caller: Caller, _ reader: Caller.Reader
  ) async throws(Problem) -> Response {
    let loan = try await loan(name, caller)
    guard let file = try await file(of: loan, stock, reader.patron) else {
      return try await WaitingPage.answer(self, stock, loan, caller, reader)
    }
    let open: OpenBook
    do throws(Problem) {
      open = try await self.open(file, stock, ReaderVisit.attempt(loan))
    } catch {
      guard error.code == Self.passphraseNeeded else { throw error }
      return PassphrasePage.answer(self, loan, caller, reader, hint: error.remedy)
    }
    let visit = ReaderVisit(
      lobby: self, stock: stock, caller: caller, reader: reader, loan: loan, file: file, open: open,
      signer: try await stock.signer())
    if let license = open.book.license { try await settle(license, file, stock, loan.library) }
    // Only what is thrown out first when the disk is full depends on it.
    try? await stock.files.opened(file)
    let keeping = PlaceKeeping(visit)
    let standing = await keeping.standing()
    var query = FormFields()
    // Where another device was is offered on the page that opens.
    if standing?.elsewhere != nil { query.add("offer", "1") }
    if let here = standing?.here, let place = keeping.place(of: here) {
      if let cfi = visit.cfi(place) { query.add("at", "\(cfi)") }
      return redirect(visit.link(section: place.spine, query))
    }
    guard let first = visit.open.line.first else {
      throw Problem(
        .conflict, code: "spine-nothing-readable", detail: said("Nothing in this book can be read.")
      )
    }
    return redirect(visit.link(section: first, query))
  }

  /// What the lender says of the licence: it may have ended, or have been renewed.
  private func settle(
    _ license: License, _ file: BookStore.Book, _ stock: ReadingStock, _ library: LibraryID
  ) async throws(Problem) {
    switch await stock.licenses.standing(of: license, for: file.patron, from: library) {
    case .unknown, .good: return
    case .ended(let state):
      throw Problem(
        .conflict, code: EPUB.Refusal.Code.drmLCP.rawValue,
        detail: LicenseRefusal(.endedByStatus, state.rawValue).words,
        remedy: said("Look at your books: the loan may be over."))
    case .renewed(let fresh):
      // Where it cannot be put in place now, it is fetched again the next time.
      try? await stock.files.put(
        fresh.document, as: License.entry, into: file,
        until: fresh.rights.end?.millisecondsSinceEpoch ?? file.until)
      do throws(LicenseRefusal) { try fresh.checkRights(at: stock.licenses.moment) } catch {
        throw Problem(
          .conflict, code: EPUB.Refusal.Code.drmLCP.rawValue, detail: error.words,
          remedy: said("Look at your books: the loan may be over."))
      }
    }
  }

  /// The work's loan that is opened here, the first of several.
  private func read(_ work: String, _ caller: Caller) async throws(Problem) -> Response {
    let entry = try await stock.whole(WorkID(work), caller.reach)
    guard let way = Way.ranked(entry, for: caller.shelf).first(where: { $0.loan != nil }) else {
      throw Problem(
        .notFound, code: "not_borrowed", detail: said("This book is not on loan to you."),
        remedy: said("Look at your books: what you wrote in it is kept."))
    }
    let name = (way.listed.library.rawValue, way.listed.edition.item.rawValue)
    return redirect(caller.link(ReaderPaths.book.print(name)))
  }
}

extension ReaderVisit {
  func cfi(_ place: BookPlaces.Place) -> CFI? {
    guard let text = try? open.text(at: place.spine) else { return nil }
    return open.places.cfi(place.range, in: text, spine: place.spine)
  }
}
