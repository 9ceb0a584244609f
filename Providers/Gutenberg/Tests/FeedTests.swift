import Archive
import Circulation
import Compression
import HTTP
import HTTPClient
import Machine
import ProviderKit
import Synchronization
import Testing

@testable import Gutenberg

@Suite struct `The feed` {
  /// Books of these numbers, in their order, with what else lies among them.
  private static func archive(
    _ numbers: [Int], _ others: [(String, String)] = [], size: Int = 0
  ) throws -> [UInt8] {
    var tar = TarWriter()
    for (name, content) in others { tar.add(name, Array(content.utf8)) }
    for number in numbers {
      // Text that packs badly, so that a small file has several blocks.
      var state = UInt32(number)
      let noise = (0..<size).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return String(state >> 8, radix: 36)
      }.joined(separator: " ")
      let record = Written.record(
        Written.title("Book \(number)") + "<dcterms:description>\(noise)</dcterms:description>",
        number: number)
      tar.add("cache/epub/\(number)/pg\(number).rdf", Array(record.utf8))
    }
    tar.finish()
    return try #require(BZip2.compress(tar.bytes, level: 1))
  }

  private static func file(
    _ bytes: [UInt8], in folder: TemporaryFolder, named name: String = "feed"
  ) throws -> CatalogueFile {
    let path = "\(folder.path)/\(name)"
    try WholeFile.write(bytes, to: path)
    return try FileProvider.open(path, Self.library)
  }

  private static let library = Library(
    id: LibraryID("g"), provider: ProviderID("gutenberg"), name: "G", endpoints: [:])

  private static let call = Call(patron: nil, deadline: .now + .seconds(600), requestID: "r")

  private static func numbers(_ page: HarvestPage) -> [String] {
    page.editions.map(\.item.rawValue)
  }

  private static func folder() throws -> TemporaryFolder { try #require(TemporaryFolder()) }

  @Test func `The feed has pages, and is read on from any of them`() async throws {
    let folder = try Self.folder()
    let all = Array(1...2500)
    let file = try Self.file(Self.archive(all), in: folder)
    #expect(file.kind == .whole)
    let first = try await file.provider.harvest(from: nil, in: Self.call)
    #expect(Self.numbers(first) == (1...1000).map(String.init))
    guard case .more(let cursor) = first.progress else {
      Issue.record("no second page")
      return
    }
    // Another process, as after a kill.
    let reopened = try FileProvider.open("\(folder.path)/feed", Self.library)
    let second = try await reopened.provider.harvest(from: cursor, in: Self.call)
    #expect(Self.numbers(second) == (1001...2000).map(String.init))
    let again = try await file.provider.harvest(from: cursor, in: Self.call)
    #expect(Self.numbers(again) == Self.numbers(second))
    guard case .more(let last) = second.progress else {
      Issue.record("no third page")
      return
    }
    let third = try await reopened.provider.harvest(from: last, in: Self.call)
    #expect(Self.numbers(third) == (2001...2500).map(String.init))
    guard case .done(let end?) = third.progress else {
      Issue.record("no end")
      return
    }
    #expect(try await reopened.provider.harvest(from: end, in: Self.call).changes.isEmpty)
  }

  @Test func `The feed passes over what is no book, and names what it cannot read`() async throws {
    let folder = try Self.folder()
    let odd = [
      ("cache/epub/DELETE-5/pg5.rdf", "x"), ("cache/epub/0/pg0.rdf", "x"), ("test/pg11.rdf", "x"),
      ("cache/epub/999999/pg999999.rdf", "x"), ("cache/epub/66/pg66.rdf", "<rdf:RDF nobody"),
      ("cache/epub/67/pg67.rdf", Written.record(Written.title("T"), number: 0)),
    ]
    let file = try Self.file(Self.archive([7], odd), in: folder)
    let page = try await file.provider.harvest(from: nil, in: Self.call)
    #expect(Self.numbers(page) == ["7"])
    #expect(page.warnings.count == 2)
    #expect(page.warnings.allSatisfy { $0.contains("pg66.rdf") || $0.contains("pg67.rdf") })
  }

  @Test func `The feed lists what is read or heard, and other media where they are asked for`()
    async throws
  {
    let folder = try Self.folder()
    let types = ["Text", "Sound", "Dataset", "Image", "MovingImage", "StillImage", "Collection"]
    var tar = TarWriter()
    for (number, type) in types.enumerated() {
      let record = Written.record(
        Written.title("Item") + Written.described("dcterms:type", type), number: number + 1)
      tar.add("cache/epub/\(number + 1)/pg\(number + 1).rdf", Array(record.utf8))
    }
    tar.finish()
    let rows = types.enumerated().map { "\($0 + 1),\($1),Item,\r\n" }.joined()
    let table = Array("Text#,Type,Title,Authors\r\n\(rows)".utf8)
    for (bytes, name) in [(tar.bytes, "archive"), (table, "table")] {
      let page = try await Self.file(bytes, in: folder, named: name)
        .provider.harvest(from: nil, in: Self.call)
      #expect(Self.numbers(page) == ["1", "2"], "\(name)")
      let all = Library(
        id: LibraryID("g"), provider: ProviderID("gutenberg"), name: "G", endpoints: [:],
        settings: ["other_media": "true"])
      let whole = try await FileProvider.open("\(folder.path)/\(name)", all)
        .provider.harvest(from: nil, in: Self.call)
      #expect(Self.numbers(whole).count == types.count, "\(name)")
    }
  }

  @Test func `The feed cut short gives all that is whole, then says where it ends`() async throws {
    let folder = try Self.folder()
    let whole = try Self.archive(Array(1...60), size: 2000)
    let file = try Self.file(Array(whole.prefix(whole.count * 2 / 3)), in: folder)
    let page = try await file.provider.harvest(from: nil, in: Self.call)
    let count = page.editions.count
    #expect(count > 20 && count < 60)
    #expect(Self.numbers(page) == (1...count).map(String.init))
    guard case .more(let cursor) = page.progress else {
      Issue.record("taken for whole")
      return
    }
    let error = await #expect(throws: CirculationError.self) {
      try await file.provider.harvest(from: cursor, in: Self.call)
    }
    #expect(error?.reason == .malformedResponse(expected: "a whole archive"))
    #expect(error?.providerSays?.contains("pg\(count + 1).rdf") == true)
    // A whole file in its place is read from its beginning, as another version.
    let mended = try Self.file(whole, in: folder)
    let next = try await mended.provider.harvest(from: cursor, in: Self.call)
    #expect(next.scope == .startsOver)
    #expect(Self.numbers(next).count == 60)
  }

  @Test func `The feed is known by what is in it, not by its name`() async throws {
    let folder = try Self.folder()
    let record = Written.record(Written.title("One"))
    let one = try Self.file(Array(record.utf8), in: folder, named: "x.csv")
    #expect(one.kind == .some)
    #expect(
      try await one.provider.harvest(from: nil, in: Self.call).editions.map(\.title) == ["One"])
    let table =
      "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\n7,Text,,T,en,,,,\n"
    let outline = try Self.file(Array(table.utf8), in: folder, named: "x.rdf")
    #expect(outline.kind == .outline)
    #expect(try await Self.numbers(outline.provider.harvest(from: nil, in: Self.call)) == ["7"])
    #expect(throws: CatalogueFileError.unknownKind) {
      try Self.file(Array("hello".utf8), in: folder)
    }
    #expect(throws: CatalogueFileError.self) {
      try FileProvider.open(folder.path + "/none", Self.library)
    }
  }

  @Test(arguments: ["<!DOCTYPE html><html><body>Are you human?</body></html>", "<feed/>"])
  func `The feed says in words that a file holds no book`(_ text: String) async throws {
    let folder = try Self.folder()
    let file = try Self.file(Array(text.utf8), in: folder)
    let error = await #expect(throws: CirculationError.self) {
      try await file.provider.harvest(from: nil, in: Self.call)
    }
    let says = try #require(error?.providerSays)
    #expect(says.contains(" ") && !says.contains("noBook") && !says.contains("unreadable("))
  }

  // MARK: - Over the wire

  /// A site of one file.
  private final class Site: Sendable {
    let asked = Mutex<[String]>([])
    let feed: Mutex<(tag: String, bytes: [UInt8])>

    init(_ bytes: [UInt8]) { feed = Mutex(("one", bytes)) }

    func session(_ folder: TemporaryFolder) -> Session {
      Session(
        provider: ProviderID("gutenberg"),
        transport: Transport(send: { [self] request async throws(TransportError) in
          asked.withLock { $0.append(request.method.rawValue) }
          let (tag, bytes) = feed.withLock { $0 }
          let head = ReplyHead(
            status: .ok,
            headers: ["ETag": "\"\(tag)\"", "Content-Length": "\(bytes.count)"])
          guard request.method == .get, case .sink(let sink) = request.delivery else {
            return Reply(head: head, body: [], address: request.address)
          }
          guard case .take = sink.begin(head), sink.write(bytes.span.bytes) else {
            throw .stoppedBySink
          }
          return Reply(head: head, body: [], address: request.address)
        }), cache: folder.path + "/kept", chance: { 0 })
    }
  }

  private static func provider(_ site: Site, _ folder: TemporaryFolder) throws -> GutenbergProvider
  {
    GutenbergProvider(settings: try Settings.production(), session: site.session(folder))
  }

  @Test func `The feed is fetched once for all its pages, and not again while it is the same`()
    async throws
  {
    let (folder, site) = (try Self.folder(), Site(try Self.archive(Array(1...1200))))
    let provider = try Self.provider(site, folder)
    let first = try await provider.harvest(from: nil, in: Self.call)
    guard case .more(let cursor) = first.progress else {
      Issue.record("one page")
      return
    }
    let second = try await Self.provider(site, folder).harvest(from: cursor, in: Self.call)
    #expect(first.editions.count + second.editions.count == 1200)
    #expect(site.asked.withLock { $0 } == ["HEAD", "GET"])
    guard case .done(let end?) = second.progress else {
      Issue.record("no end")
      return
    }
    let later = try await Self.provider(site, folder).harvest(from: end, in: Self.call)
    #expect(later == HarvestPage(changes: [], progress: .done(next: end)))
    #expect(site.asked.withLock { $0 } == ["HEAD", "GET", "HEAD"])
  }

  @Test func `The feed that is new is read from its beginning`() async throws {
    let (folder, site) = (try Self.folder(), Site(try Self.archive([1, 2])))
    let provider = try Self.provider(site, folder)
    guard case .done(let end?) = try await provider.harvest(from: nil, in: Self.call).progress
    else {
      Issue.record("no end")
      return
    }
    let bytes = try Self.archive([2, 3])
    site.feed.withLock { $0 = ("two", bytes) }
    let page = try await provider.harvest(from: end, in: Self.call)
    #expect(page.scope == .startsOver)
    #expect(Self.numbers(page) == ["2", "3"])
  }

  @Test func `The feed that is no good is not kept`() async throws {
    let whole = try Self.archive([1, 2])
    let (folder, site) = (try Self.folder(), Site(Array(whole.dropLast(20))))
    let provider = try Self.provider(site, folder)
    await #expect(throws: CirculationError.self) {
      try await provider.harvest(from: nil, in: Self.call)
    }
    // The same tag, and this time all of it.
    site.feed.withLock { $0 = ("one", whole) }
    #expect(try await Self.numbers(provider.harvest(from: nil, in: Self.call)) == ["1", "2"])
  }
}
