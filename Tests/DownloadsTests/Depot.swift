import Circulation
import Crypto
import Database
import Desk
import FoundationEssentials
import HTTP
import HTTPClient
import LCP
import Machine
import StoreSupport
import Synchronization
import TestSupport

@testable import Downloads

/// A house with a line, a store of books and a lender whose server says what a test makes it say.
final class Depot: Sendable {
  struct Move: Sendable, Hashable {
    let item: String
    let event: BookEvent
  }

  private struct State {
    var asked = 0
    var answers: [@Sendable (Int) throws(DeskError) -> Fulfilment] = []
  }

  let store: Store
  let clock: Clock
  let root: TestSupport.TemporaryFolder
  let queue: DownloadQueue
  let books: BookStore
  let client: Client
  let news = Journal<Porter.News>()
  private let state = Mutex(State())

  init(
    _ store: Store, settings: DownloadQueue.Settings = .forTests, budget: Int = 1 << 30
  ) throws {
    let clock = Clock(at: Int64(Time.system.now().millisecondsSinceEpoch))
    (self.store, self.clock) = (store, clock)
    root = try TestSupport.TemporaryFolder()
    queue = DownloadQueue(
      store: store, settings: settings, now: { clock.now }, chance: { 0 },
      moved: { tx, ticket, event throws(DatabaseError) in
        try tx.execute(
          """
          INSERT INTO told (item, event)
          VALUES (\(ticket.wish.item.rawValue), \(event.rawValue))
          """)
      })
    var keeping = BookStore.Settings()
    keeping.budget = budget
    books = BookStore(
      in: root.path("books"), store: store, settings: keeping, now: { clock.now })
    var configuration = ClientConfiguration()
    configuration.gate = AddressGate(
      allowing: [AddressGate.Allowance("127.0.0.1")].compactMap(\.self))
    client = try Client(configuration)
  }

  // MARK: - The lender

  /// How often an address was asked for.
  var fulfilled: Int { state.withLock { $0.asked } }

  /// What the lender answers from now on; it is told the how-manieth time it is.
  func lend(_ answer: @escaping @Sendable (Int) throws(DeskError) -> Fulfilment) {
    state.withLock { $0.answers = [answer] }
  }

  func lend(_ server: RawServer, _ format: Format = .plainBook, path: String = "/book") {
    let address = server.url(path)
    lend { _ throws(DeskError) in .file(.init(address: address, format: format)) }
  }

  func porter(
    over transport: Transport? = nil, mostBytes: Int = 1 << 26, look: Duration = .milliseconds(5),
    beat: Duration = .milliseconds(5), trusting roots: LicenseRoots = LicenseRoots(),
    guarded sentry: Sentry? = nil
  ) -> Porter {
    var settings = Porter.Settings()
    (settings.look, settings.beat, settings.mostBytes) = (look, beat, mostBytes)
    let over = transport ?? client.transport
    return Porter(
      queue, into: books, over: { _ in over }, time: .system, settings: settings,
      sentry: sentry, tell: { [news] in news.append($0) }, trusting: { roots },
      fulfil: { [self] _, _, _, _ throws(DeskError) in
        let (answer, count) = state.withLock { state in
          state.asked += 1
          return (state.answers.first, state.asked)
        }
        guard let answer else {
          throw .provider(CirculationError(.titleGone, from: ProviderID("p"), during: .fulfil))
        }
        return try answer(count)
      })
  }

  // MARK: - The line

  func wish(
    _ item: String = "i1", patron: String = "ada", library: String = "city",
    format: Format? = nil, isOpenAccess: Bool = false, until: Int64? = nil
  ) -> Wish {
    Wish(
      ItemID(item), on: AccountID("\(patron)-card"), of: LibraryID(library),
      for: PatronID(patron), title: "A Book", authors: ["An Author"], format: format,
      isOpenAccess: isOpenAccess, until: until)
  }

  @discardableResult
  func ask(
    _ item: String = "i1", patron: String = "ada", library: String = "city",
    isOpenAccess: Bool = false, until: Int64? = nil
  ) async throws -> Ticket {
    try await queue.ask(
      wish(
        item, patron: patron, library: library, isOpenAccess: isOpenAccess, until: until)
    ).ticket
  }

  func ticket(_ ticket: Ticket) async throws -> Ticket? { try await queue.ticket(ticket.id) }

  /// What the states of the books were told, in order.
  func moves(of item: String = "i1") async throws -> [BookEvent] {
    try await store.read { tx throws(DatabaseError) in
      try tx.rows("SELECT event FROM told WHERE item = \(item) ORDER BY id") {
        row throws(DatabaseError) -> BookEvent? in BookEvent(rawValue: try row[0])
      }
    }.compactMap(\.self)
  }

  /// Where the table of states leads by them, from a loan that was not downloaded; nil where one of
  /// them is no move at all.
  func state(of item: String = "i1") async throws -> BookState? {
    var state = BookState.notDownloaded
    for event in try await moves(of: item) {
      guard let next = state.after(event) else { return nil }
      state = next
    }
    return state
  }

  func book(_ item: String = "i1", patron: String = "ada") async throws -> BookStore.Book? {
    try await books.book(
      of: PatronID(patron), ItemID(item), on: AccountID("\(patron)-card"))
  }

  /// The bytes that are kept for a loan.
  func bytes(_ item: String = "i1", patron: String = "ada") async throws -> [UInt8]? {
    guard let book = try await book(item, patron: patron) else { return nil }
    return try WholeFile.read(books.path(of: book), upTo: 1 << 27)
  }

  /// The names of all files below a folder of the store.
  func names(_ folder: String) -> [String] {
    let path = "\(books.folder)/\(folder)"
    if folder == "files" {
      return (0...255).flatMap { names("files/\(Hex.encode([UInt8($0)]))") }
    }
    return CacheFolder(path).all().map(\.name).sorted()
  }
}

extension DownloadQueue.Settings {
  static var forTests: DownloadQueue.Settings { DownloadQueue.Settings() }
}

extension Format {
  static let plainBook = Format(id: "epub", content: .epub, protection: .none)
  static let plainText = Format(id: "text", content: .text, protection: .none)

  static func of(_ content: Content, _ protection: Protection = .none) -> Format {
    Format(id: content.rawValue, content: content, protection: protection)
  }
}

/// Things that happened on other threads.
final class Journal<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  func append(_ value: Value) { values.withLock { $0.append(value) } }
  var all: [Value] { values.withLock { $0 } }
}

/// For a test to wait for, without sleeping.
final class Signals: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() { continuation.yield() }

  func next() async {
    for await _ in stream { return }
  }
}

func withDepot<R>(
  _ engine: Engine, settings: DownloadQueue.Settings = .forTests, budget: Int = 1 << 30,
  _ body: (Depot) async throws -> R
) async throws -> R {
  let told = MigrationList(
    "told",
    [
      Migration(
        "told",
        [
          """
          CREATE TABLE told (id \(.countedKey), item \(.text) NOT NULL, event \(.text) NOT NULL)
          """
        ])
    ])
  let tables = [Desk.migrations, DownloadQueue.migrations, told]
  return try await withStore(engine, tables: tables) { store in
    let depot = try Depot(store, settings: settings, budget: budget)
    let result = try await body(depot)
    await depot.client.shutdown()
    return result
  }
}

enum Samples {
  /// A sound EPUB, of about so many bytes.
  static func epub(_ size: Int = 20_000, seed: UInt8 = 1) -> [UInt8] {
    let noise = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) &+ seed }
    return TestArchive([
      .init("mimetype", "application/epub+zip"),
      .init(
        "META-INF/container.xml",
        """
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">\
        <rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/>\
        </rootfiles></container>
        """),
      .init(
        "b.opf",
        """
        <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="u">n\
        </dc:identifier><dc:title>t</dc:title><dc:language>en</dc:language></metadata><manifest>\
        <item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>\
        <spine><itemref idref="c"/></spine></package>
        """),
      .init(
        "c.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>x</p></body></html>"),
      .init("noise", noise),
    ]).bytes
  }

  static let token = """
    <fulfillmentToken fulfillmentType="loan" xmlns="http://ns.adobe.com/adept">\
    <resource>urn:x</resource></fulfillmentToken>
    """

  static let licence = """
    {"id":"1","encryption":{"profile":"http://readium.org/lcp/basic-profile"},\
    "links":[{"rel":"publication","href":"https://books.example/1"}]}
    """
}

/// A server that gives one file, knows ranges, and cuts its connections as it is told.
struct Shelf: Sendable {
  var bytes: [UInt8]
  var headers = ["ETag: \"v1\""]
  var cut: Int?
  var ignoresRanges = false

  func serve(_ request: RawConnection.Request, on connection: RawConnection) {
    let start = request.header("Range").flatMap { range -> Int? in
      guard !ignoresRanges, range.hasPrefix("bytes="), range.hasSuffix("-"),
        let condition = request.header("If-Range"),
        headers.contains("ETag: \(condition)")
      else { return nil }
      return Int(range.dropFirst(6).dropLast())
    }
    let rest = bytes[(start ?? 0)...]
    var lines = headers + ["Content-Length: \(rest.count)"]
    if let start {
      lines.append("Content-Range: bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
    }
    let status = start == nil ? "200 OK" : "206 Partial Content"
    connection.write("HTTP/1.1 \(status)\r\n\(lines.joined(separator: "\r\n"))\r\n\r\n")
    connection.write(Array(rest.prefix(cut ?? rest.count)))
  }
}
