package import BackOffice
package import Books
package import FrontDesk
package import HTTP
package import HTTPServer
import Machine
package import Pictures
package import Registry

/// The pages for readers: what the libraries have, and what they have of it.
package struct Lobby: Sendable {
  package let stock: Stock
  package let lending: LendingStock
  package let registry: Registry
  package let books: MyBooks
  /// Shared with the other ways in, so that what is done by one is seen by all.
  package let watch: Watch
  package let signer: Signer
  package let fetching: FetchDesk
  package let settings: LobbySettings
  /// For operators; nil where nothing stands behind their pages.
  package var office: BackOffice?
  /// Nil where no books are opened.
  let reading: ReadingStock?
  let memory: PageMemory
  /// What stands behind readers' own pages; nil where there are none.
  let own: OwnStock?
  let pictures: PictureMaker
  let lanes = LaneMemory()
  let tongues = TongueMemory()
  let sessions = KnownSessions()

  package init(
    _ stock: Stock, _ lending: LendingStock, registry: Registry, books: MyBooks, watch: Watch,
    signer: Signer, fetching: FetchDesk, pictures: PictureMaker,
    reading: ReadingStock? = nil, _ settings: LobbySettings, own: OwnStock? = nil
  ) {
    (self.stock, self.lending, self.registry) = (stock, lending, registry)
    (self.books, self.watch, self.signer) = (books, watch, signer)
    (self.fetching, self.settings, self.own, self.reading) = (fetching, settings, own, reading)
    self.pictures = pictures
    memory = PageMemory(capacity: settings.memory)
  }

  /// The owner's words for who may use a route.
  package struct Notes<Note: Sendable>: Sendable {
    package let open: Note
    /// Readers, and strangers where the catalogue is public.
    package let catalog: Note
    package let reader: Note
    package let operators: Note

    package init(open: Note, catalog: Note, reader: Note, operators: Note? = nil) {
      (self.open, self.catalog, self.reader) = (open, catalog, reader)
      self.operators = operators ?? reader
    }
  }

  package func add<Note: Sendable>(to router: inout Router<Note>, _ notes: Notes<Note>) {
    router.decideUploads { uploadLimit($0) }
    router.speaking { addAll(to: &$0, notes) }
  }

  private func addAll<Note: Sendable>(to router: inout Router<Note>, _ notes: Notes<Note>) {
    addPage(LobbyPaths.home, to: &router, notes.catalog, .anybody) { caller, _ throws(Problem) in
      try await HomePage.make(self, caller)
    }
    addPage(LobbyPaths.lane, to: &router, notes.catalog, .anybody) { caller, name throws(Problem) in
      try await LanePageRoute.make(self, caller, name)
    }
    addPage(LobbyPaths.search, to: &router, notes.catalog, .anybody) { caller, _ throws(Problem) in
      try await SearchPage.make(self, caller)
    }
    addPage(LobbyPaths.work, to: &router, notes.catalog, .anybody) { caller, work throws(Problem) in
      try await BookPage.make(self, caller, work)
    }
    addPage(LobbyPaths.myBooks, to: &router, notes.reader, .readers) { caller, _ throws(Problem) in
      try await MyBooksPage.make(self, caller)
    }
    addPage(LobbyPaths.ignore, to: &router, notes.reader, .readers) {
      caller, work throws(Problem) in
      try await IgnorePage.make(self, caller, work)
    }
    addPage(LobbyPaths.pickUp, to: &router, notes.reader, .readers) {
      caller, name throws(Problem) in
      try await PickUpPage.make(self, caller, (name.0, name.1, name.2))
    }
    addPage(LobbyPaths.queue, to: &router, notes.reader, .readers) { caller, _ throws(Problem) in
      try await QueuePage.make(self, caller)
    }
    router.on(.post, at: LobbyPaths.work, note: notes.reader) { request, work in
      await self.carry(request, work)
    }
    router.on(.post, at: LobbyPaths.queue, note: notes.reader) { await self.changeQueue($0) }
    router.on(.get, at: LobbyPaths.file, note: notes.reader) { request, name in
      await self.file(request, name.0, name.1)
    }
    router.on(.get, at: LobbyPaths.there, note: notes.reader) { request, name in
      await self.readThere(request, name)
    }
    router.speakingEnglish { router in
      // What only a script reads.
      router.on(.get, at: LobbyPaths.suggestions, note: notes.catalog) { request in
        await self.suggest(request)
      }
    }
    addLook(to: &router, notes.open)
    addTongue(to: &router, notes.open)
    addSignIn(to: &router, notes.open)
    addCodes(to: &router, notes.open)
    addProofs(to: &router, notes.reader)
    addOwn(to: &router, notes.reader)
    addOffice(to: &router, notes.operators)
    if let reading { addReader(to: &router, reading, notes) }
  }

  private func addPage<Value, Note>(
    _ path: RoutePath<Value>, to router: inout Router<Note>, _ note: Note, _ audience: Audience,
    _ make: @escaping @Sendable (Caller, Value) async throws(Problem) -> Page
  ) {
    router.deciding(.get, at: path, note: note) { request, value in
      self.answer(request, for: audience) { caller throws(Problem) in
        try await make(caller, value)
      }
    }
  }
}

/// How the owner wants the pages to be.
package struct LobbySettings: Sendable {
  /// Of the whole catalogue.
  package var title: String
  /// Whether strangers may look around.
  package var isPublic: Bool
  /// Bytes of pages that are kept.
  package var memory: Int
  /// Whether the office is open only to those who sign in with codes.
  package var wantsCodes: Bool

  package init(
    title: String, isPublic: Bool, memory: Int = 16 << 20, wantsCodes: Bool = false
  ) {
    (self.title, self.isPublic, self.memory) = (title, isPublic, memory)
    self.wantsCodes = wantsCodes
  }
}

enum LobbyPaths {
  static let home = Path.root
  static let signIn = Path.root / "sign-in"
  static let photo = signIn / "photo"
  static let code = signIn / "code"
  static let proof = signIn / "proof"
  static let link = signIn / "link"
  static let linkSecret = signIn / "link" / .text("secret")
  static let signOut = Path.root / "sign-out"
  static let lane = Path.root / "lanes" / .text("lane")
  static let search = Path.root / "search"
  static let suggestions = Path.root / "search" / "suggestions"
  static let work = Path.root / "works" / .text("work")
  static let ignore = Path.root / "works" / .text("work") / "ignore"
  static let pickUp =
    Path.root / "works" / .text("work") / "pick-up" / .text("library") / .text("item")
  static let queue = Path.root / "downloads"
  static let file = Path.root / "files" / .text("library") / .text("item")
  static let read = Path.root / "read" / .text("work")
  static let there = Path.root / "read-there" / .text("library") / .text("item")
  static let myBooks = Path.root / "my-books"
}
