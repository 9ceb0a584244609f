import Circulation
import HTTP
import HTTPClient
import Images
import Machine
import PictureWork
import Pictures
import Synchronization
import Testing

@testable import Covers

@Suite struct `A cover` {
  private let hoard: Hoard
  private let book = CoveredBook(
    work: "w1", title: "The Tin Harbour", authors: ["Odile Marsh"],
    at: ["https://covers.example/1.jpg", "https://covers.example/2.jpg"])

  init() throws { hoard = try Hoard() }

  @Test func `A cover is fetched once and kept in each size`() async throws {
    hoard.serve("/1.jpg", try Hoard.picture(1000, 1500))
    let shelf = hoard.shelf()
    let first = try await shelf.cover(of: book, .thumbnail)
    #expect(first.origin == .fetched && first.mediaType == "image/jpeg")
    let header = try ImageHeader(reading: first.bytes)
    #expect(header.width == 200 && header.height == 300)
    let second = try await shelf.cover(of: book, .large)
    #expect(second.origin == .kept)
    #expect(try ImageHeader(reading: second.bytes).height == 1200)
    #expect(try await hoard.shelf().cover(of: book, .thumbnail).bytes == first.bytes)
    #expect(hoard.asked == ["/1.jpg"])
  }

  @Test func `A cover is fetched once for all who ask at the same time`() async throws {
    hoard.serve("/1.jpg", try Hoard.picture())
    hoard.close()
    let (shelf, book) = (hoard.shelf(), book)
    let askers = (0..<20).map { _ in
      Task { try await shelf.cover(of: book, .thumbnail).origin }
    }
    while hoard.asked.isEmpty { await Task.yield() }
    for _ in 0..<500 { await Task.yield() }
    hoard.open()
    for asker in askers { #expect(try await asker.value != .drawn) }
    #expect(hoard.asked == ["/1.jpg"])
  }

  @Test func `A cover is not lost because the first to ask went away`() async throws {
    hoard.serve("/1.jpg", try Hoard.picture())
    hoard.close()
    let (shelf, book) = (hoard.shelf(), book)
    let hurried = Task { try await shelf.cover(of: book, .thumbnail) }
    while hoard.asked.isEmpty { await Task.yield() }
    let patient = Task { try await shelf.cover(of: book, .thumbnail) }
    hurried.cancel()
    hoard.open()
    #expect(try await patient.value.origin != .drawn)
    #expect(hoard.asked == ["/1.jpg"])
  }

  @Test func `A cover is looked for at the next address`() async throws {
    hoard.serve("/2.jpg", try Hoard.picture())
    #expect(try await hoard.shelf().cover(of: book, .thumbnail).origin == .fetched)
    #expect(hoard.asked == ["/1.jpg", "/2.jpg"])
  }

  @Test func `A cover that is not there is not asked for again for a week`() async throws {
    let shelf = hoard.shelf()
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .drawn)
    hoard.pass(seconds: 6 * 86_400)
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .drawn)
    #expect(hoard.asked.count == 2)
    hoard.serve("/1.jpg", try Hoard.picture())
    hoard.pass(seconds: 2 * 86_400)
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .fetched)
  }

  @Test(arguments: [429, 500, 503])
  func `A cover that could not be had is asked for again soon`(_ status: Int) async throws {
    hoard.serve("/1.jpg", [], status: status)
    let shelf = hoard.shelf()
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .drawn)
    hoard.serve("/1.jpg", try Hoard.picture())
    hoard.pass(seconds: 300)
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .drawn)
    hoard.pass(seconds: 400)
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .fetched)
  }

  @Test func `A cover that no provider has is drawn once for each book and size`() async throws {
    let drawn = Drawings()
    let shelf = CoverShelf(
      in: hoard.folder, over: { [hoard] _ in hoard.transport }, pictures: drawn.maker, now: { 0 })
    for _ in 0..<3 {
      let cover = try await shelf.cover(of: book, .thumbnail)
      #expect(cover.origin == .drawn && cover.mediaType == "image/png")
    }
    #expect(drawn.count == 1)
    _ = try await shelf.cover(of: book, .large)
    let other = CoveredBook(work: "other", title: "T", authors: [], at: [])
    _ = try await shelf.cover(of: other, .thumbnail)
    #expect(drawn.count == 3)
  }

  @Test(arguments: [ImageFault.busy, .stopped, .noProgram])
  func `A cover that could not be decoded just now is asked for again soon`(fault: ImageFault)
    async throws
  {
    hoard.serve("/1.jpg", try Hoard.picture())
    let shelf = CoverShelf(
      in: hoard.folder, over: { [hoard] _ in hoard.transport },
      pictures: PictureMaker { _ throws(ImageFault) in throw fault }, now: { 0 })
    await #expect(throws: fault) { try await shelf.cover(of: book, .thumbnail) }
    #expect(hoard.notes.contains("later"))
  }

  @Test func `A cover that is no picture is none`() async throws {
    var bomb = try Picture(width: 20, height: 20, .white).png()
    bomb.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
    let point = try Picture(width: 1, height: 1, .white).png()
    for bytes in [Array("<html>".utf8), [], bomb, point] {
      let hoard = try Hoard()
      hoard.serve("/1.jpg", bytes)
      #expect(try await hoard.shelf().cover(of: book, .thumbnail).origin == .drawn)
      #expect(hoard.notes == ["none", "none"])
    }
  }

  @Test(arguments: ["ftp://covers.example/1", "javascript:1", "", "no address", "/etc/passwd"])
  func `a cover at an address that is not a web address is not fetched`(_ address: String)
    async throws
  {
    let book = CoveredBook(work: "w", title: "T", authors: [], at: [address])
    #expect(try await hoard.shelf().cover(of: book, .thumbnail).origin == .drawn)
    #expect(hoard.asked.isEmpty)
  }

  @Test(arguments: ["http://127.0.0.1:9/1.jpg", "http://169.254.169.254/latest", "http://[::1]/1"])
  func `A cover inside the house's own network is not reached`(_ address: String) async throws {
    let client = try Client(ClientConfiguration())
    let book = CoveredBook(work: "w", title: "T", authors: [], at: [address])
    let shelf = CoverShelf(
      in: hoard.folder, over: { _ in client.transport }, pictures: .withinThisProcess, now: { 0 })
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .drawn)
    await client.shutdown()
    // As what is never there, not as what may come: it was not even tried.
    #expect(hoard.notes == ["none"])
  }

  @Test
  func `a cover refused to a patron's catalog is still fetched for a library of the settings`()
    async throws
  {
    hoard.serve("/1.jpg", try Hoard.picture())
    let evil = LibraryID("https://evil.example/opds")
    let shelf = CoverShelf(
      in: hoard.folder,
      over: { [hoard] library in library.isAddress ? .refusing : hoard.transport },
      pictures: .withinThisProcess, now: { 0 })
    let address = "https://covers.example/1.jpg"
    let given = CoveredBook(work: "w", title: "T", authors: [], at: [address], from: evil)
    let own = CoveredBook(work: "v", title: "T", authors: [], at: [address])
    #expect(try await shelf.cover(of: given, .thumbnail).origin == .drawn)
    #expect(hoard.asked.isEmpty)
    #expect(try await shelf.cover(of: own, .thumbnail).origin == .fetched)
    #expect(try await shelf.cover(of: given, .thumbnail).origin == .drawn)
  }

  @Test func `A cover is found at an address with braces and blanks`() async throws {
    hoard.serve("/%7BA%7D%20b.jpg", try Hoard.picture())
    let book = CoveredBook(
      work: "w", title: "T", authors: [], at: ["https://covers.example/{A} b.jpg"])
    #expect(try await hoard.shelf().cover(of: book, .thumbnail).origin == .fetched)
  }

  @Test func `A cover that a power cut spoilt is fetched anew`() async throws {
    hoard.serve("/1.jpg", try Hoard.picture())
    _ = try await hoard.shelf().cover(of: book, .thumbnail)
    for kept in hoard.folder.all() {
      try hoard.folder.write([0xFF, 0xD8, 0xFF], to: kept.name, at: 0)
    }
    #expect(try await hoard.shelf().cover(of: book, .thumbnail).origin == .fetched)
  }

  @Test func `A cover is shown where nothing can be kept`() async throws {
    hoard.serve("/1.jpg", try Hoard.picture())
    let shelf = CoverShelf(
      in: CacheFolder("/dev/null/covers"), over: { [hoard] _ in hoard.transport },
      pictures: .withinThisProcess, now: { 0 })
    #expect(try await shelf.cover(of: book, .thumbnail).origin == .fetched)
  }

  @Test func `A cover makes room by what was not looked at for longest`() async throws {
    let picture = try Hoard.picture()
    for number in 1...9 { hoard.serve("/\(number).jpg", picture) }
    func book(_ number: Int) -> CoveredBook {
      CoveredBook(
        work: "w", title: "T", authors: [], at: ["https://covers.example/\(number).jpg"])
    }
    _ = try await hoard.shelf().cover(of: book(1), .thumbnail)
    let one = hoard.folder.all().reduce(0) { $0 + $1.size }
    let shelf = hoard.shelf(capacity: one * 4 + one / 2)
    for number in 1...4 {
      hoard.pass(seconds: 7200)
      _ = try await shelf.cover(of: book(number), .thumbnail)
    }
    hoard.pass(seconds: 7200)
    for size in CoverSize.allCases { _ = try await shelf.cover(of: book(1), size) }
    hoard.pass(seconds: 7200)
    _ = try await shelf.cover(of: book(5), .thumbnail)
    #expect(hoard.folder.all().reduce(0) { $0 + $1.size } <= one * 4 + one / 2)
    let before = hoard.asked.count
    _ = try await shelf.cover(of: book(1), .thumbnail)
    #expect(hoard.asked.count == before)
    _ = try await shelf.cover(of: book(2), .thumbnail)
    #expect(hoard.asked.count == before + 1)
  }
}

extension Transport {
  fileprivate static let refusing = Transport(send: { request throws(TransportError) in
    throw .refusedAddress(Refusal(request.address.host.text, .loopback))
  })
}

/// Counts what is drawn.
private final class Drawings: Sendable {
  private let drawn = Mutex(0)
  var count: Int { drawn.withLock { $0 } }

  var maker: PictureMaker {
    PictureMaker { [self] order throws(ImageFault) in
      drawn.withLock { $0 += 1 }
      return try PictureWork(with: order.means).make(order)
    }
  }
}
