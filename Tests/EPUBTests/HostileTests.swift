import TestSupport
import Testing

@testable import EPUB

@Suite struct `A book made to do harm` {
  /// Numbers that look drawn and are the same each time.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64 = 88_172_645_463_325_252

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }

  /// Opens what can be opened and looks at all of it. A crash is what would fail here.
  private func look(_ bytes: [UInt8]) -> Bool {
    guard let book = try? Book(bytes) else { return false }
    _ = book.cover()
    return book.examine().count < 5000 && book.positions > 0
  }

  private let names = [
    "META-INF/container.xml", "META-INF/encryption.xml", "OPS/book.opf", "OPS/nav.xhtml",
    "OPS/toc.ncx", "OPS/one.xhtml",
  ]

  private var rich: TestBook {
    var book = TestBook().packaged(
      metadata: TestBook.metadata + "<meta name='cover' content='pic'/>",
      manifest: TestBook.manifest
        + "<item id='ncx' href='toc.ncx' media-type='application/x-dtbncx+xml'/>",
      spine: TestBook.spine.replacing("<spine>", with: "<spine toc='ncx'>"))
    book["OPS/toc.ncx"] = TestBook.ncx(
      "<navPoint><navLabel><text>x</text></navLabel><content src='one.xhtml'/></navPoint>")
    book["META-INF/encryption.xml"] = TestBook.encryption(
      "http://www.idpf.org/2008/embedding", "OPS/font.otf")
    return book
  }

  @Test func `A book made to do harm is opened or refused whatever is changed in its documents`()
    throws
  {
    var numbers = Numbers()
    var opened = 0
    for _ in 0..<600 {
      var book = rich
      let name = try #require(names.randomElement(using: &numbers))
      var bytes = Array(try #require(book[name]).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: bytes.removeSubrange(place..<min(bytes.count - 1, place + 9))
        default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
        }
      }
      book.archive[name] = TestArchive.Entry(name, bytes)
      if look(book.archive.bytes) { opened += 1 }
    }
    // Most changes are in words, or are mended.
    #expect(opened > 200)
  }

  @Test func `A book made to do harm is opened or refused whatever is changed in its archive`()
    throws
  {
    var numbers = Numbers()
    let sound = rich.archive.bytes
    var refused = 0
    for _ in 0..<600 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        let tail = Bool.random(using: &numbers) ? 700 : bytes.count
        let place = bytes.count - Int.random(in: 1...tail, using: &numbers)
        bytes[place] = UInt8.random(in: 0...255, using: &numbers)
      }
      if !look(bytes) { refused += 1 }
    }
    #expect(refused > 0 && refused < 600)
  }

  @Test func `A book made to do harm has no use for entities of its own`() {
    let bomb = """
      <!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM \
      "file:///etc/passwd">]>
      """
    #expect(
      TestBook().with("OPS/book.opf", bomb + TestBook.package()).refusal?.code == .opfMalformed)
    let nav = TestBook().with(
      "OPS/nav.xhtml", bomb + TestBook.nav("<ol><li><a href='one.xhtml'>&c;</a></li></ol>"))
    #expect((try? nav.faults()) == ["nav-malformed", "toc-missing"])
  }

  @Test func `A book made to do harm is not followed where it is too deep`() {
    let deep =
      String(repeating: "<x>", count: 60_000) + String(repeating: "</x>", count: 60_000)
    #expect(TestBook().packaged(metadata: deep).refusal?.code == .opfMalformed)
  }

  @Test func `A book made to do harm opens in moments with long chains and many places`() throws {
    let count = 5000
    let items = (0..<count).map { number in
      "<item id='x\(number)' href='font.otf' media-type='x/y' fallback='x\(number + 1)'/>"
    }.joined()
    let references = (0..<count).map { "<itemref idref='x\($0)'/>" }.joined()
    let book = TestBook().packaged(
      manifest: TestBook.manifest + items,
      spine: "<spine><itemref idref='one'/>\(references)</spine>",
      after: "<guide>"
        + String(
          repeating: "<reference type='cover' href='one.xhtml'/>", count: count) + "</guide>")
    let clock = ContinuousClock()
    let taken = try clock.measure { _ = try book.opened().cover() }
    #expect(taken < .seconds(2))
    #expect(try book.opened().document.spine.count == count + 1)
  }
}
