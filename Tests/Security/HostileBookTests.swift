import Foundation
import HTTP
import HTTPClient
import JourneySupport
import Synchronization
import TestSupport
import Testing

/// A book that a library lends to a patron, with parts that are made to keep the gateway busy or to fill its
/// memory.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A hostile book in the web reader` {
  /// A sheet of one piece, repeated, and what the gateway answers.
  struct Sheet {
    let name: String
    let piece: String
    let size: Int
    let status: Int

    var text: String { String(repeating: piece, count: size / piece.utf8.count) }
  }

  /// Every at-rule had the rest of its sheet searched.
  private static let slow = [
    Sheet(name: "at.css", piece: "@a;", size: 512 << 10, status: 200),
    Sheet(name: "at-large.css", piece: "@a;", size: 4 << 20, status: 413),
  ]
  /// 1.5 million rules, and as many as a sheet may have.
  private static let large = [
    Sheet(name: "rules.css", piece: "p{color:red}", size: 18_000_000, status: 413),
    Sheet(name: "most.css", piece: "p{color:red}", size: 1 << 20, status: 200),
  ]

  @Test(arguments: Engine.allCases)
  func `style sheets made to be slow hold up neither sign-ins nor other parts of the book`(
    engine: Engine
  ) async throws {
    try await play(engine, Self.slow) { gateway, patron, parts in
      let areShown = Mutex(false)
      async let others: Void = Self.expectService(gateway, patron, parts) {
        areShown.withLock { $0 }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            var reader = patron
            try await Self.ask(&reader, for: Self.slow, of: parts)
            let chapter = try await reader.send("\(parts)s/1")
            #expect(chapter.status.code == 200)
            #expect(String(decoding: chapter.body, as: UTF8.self).contains("The second text."))
          }
        }
        try await group.waitForAll()
      }
      areShown.withLock { $0 = true }
      try await others
    }
  }

  @Test(arguments: Engine.allCases)
  func `style sheets larger than those of any real book do not fill the memory`(
    engine: Engine
  ) async throws {
    try await play(engine, Self.large) { gateway, patron, parts in
      let before = try ProcessMemory.peak(of: gateway.processID)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<2 {
          group.addTask {
            var reader = patron
            try await Self.ask(&reader, for: Self.large, of: parts)
          }
        }
        try await group.waitForAll()
      }
      // In KiB. The sheet of 18 MB alone took 670 MB.
      let grown = try ProcessMemory.peak(of: gateway.processID) - before
      #expect(grown < 120 << 10)
    }
  }

  // MARK: -

  private static func ask(
    _ reader: inout Visitor, for sheets: [Sheet], of parts: String
  ) async throws {
    for sheet in sheets {
      let reply = try await reader.send("\(parts)r/\(sheet.name)")
      #expect(reply.status.code == sheet.status, "\(sheet.name)")
    }
  }

  /// A stranger and the patron's other pages are answered, at least once and until the sheets are shown.
  private static func expectService(
    _ gateway: RunningGateway, _ patron: Visitor, _ parts: String,
    until areShown: @Sendable () -> Bool
  ) async throws {
    var (reader, number) = (patron, 0)
    repeat {
      number += 1
      var stranger = Visitor(gateway, at: "198.51.100.\(number % 250)")
      try await expectAnswer(&stranger, "/sign-in", holds: "name=\"pin\"", in: 5)
      try await expectAnswer(&reader, "\(parts)s/0", holds: "The first text.", in: 30)
    } while !areShown()
  }

  private static func expectAnswer(
    _ visitor: inout Visitor, _ path: String, holds text: String, in seconds: Int
  ) async throws {
    let start = ContinuousClock.now
    let reply = try await visitor.send(path)
    #expect(reply.status.code == 200, "\(path)")
    #expect(String(decoding: reply.body, as: UTF8.self).contains(text), "\(path)")
    #expect(ContinuousClock.now - start < .seconds(seconds), "\(path)")
  }

  /// With the book open in a browser: the patron, and where the parts of the book are.
  private func play(
    _ engine: Engine, _ sheets: [Sheet],
    _ body: (RunningGateway, Visitor, String) async throws -> Void
  ) async throws {
    try await play(engine, lending: Self.book(sheets), body)
  }

  func play(
    _ engine: Engine, lending book: [UInt8],
    _ body: (RunningGateway, Visitor, String) async throws -> Void
  ) async throws {
    let catalog = try HostileCatalog(lending: book)
    try await Stage.play(engine) { stage in
      try stage.addSettings("http:\n  patron_hosts: [127.0.0.1]\n")
      let linked = try await stage.carrel(
        "link", "opdslibrary", "--library", catalog.address, "--name", "evil",
        "--credentials-stdin", input: "ada\n1111\n")
      try #require(linked.code == 0, "\(linked.error)")
      for line in ["harvest", "search jane", "borrow 1", "get 1"] {
        let ending = try await stage.carrel(line.split(separator: " ").map(String.init))
        try #require(ending.code == 0, "\(line): \(ending.error)")
      }
      try await stage.link(Mock.ada, "1111", as: "city")
      try await RunningGateway.serve(stage) { gateway in
        var patron = Visitor(gateway, at: "203.0.113.7")
        #expect(try await patron.signIn(Mock.ada, "1111") == 303)
        let books = String(decoding: try await patron.send("/my-books").body, as: UTF8.self)
        let written = try #require(
          books.firstMatch(of: /href="\/lib(\/read\/[^"?]*)"/)?.1, "\(books)")
        let link = written.replacing("&amp;", with: "&")
        let page = String(decoding: try await patron.send("\(link)/0").body, as: UTF8.self)
        let parts = try #require(
          page.firstMatch(of: /src="\/lib(\/book\/[^"\/]*\/)s\/0/)?.1, "\(page)")
        try await body(gateway, patron, String(parts))
      }
    }
  }

  /// Two pages, the second of which has slow sheets inside it.
  private static func book(_ sheets: [Sheet]) -> [UInt8] {
    let items = sheets.enumerated().map { number, sheet in
      "<item id='s\(number)' href='\(sheet.name)' media-type='text/css'/>"
    }
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="u">\
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\
      <dc:identifier id="u">urn:x:sheets</dc:identifier><dc:title>Sheets</dc:title>\
      <dc:language>en</dc:language></metadata><manifest>\
      <item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>\
      <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>\
      <item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>\(items.joined())</manifest>\
      <spine><itemref idref="a"/><itemref idref="b"/></spine></package>
      """
    func page(_ head: String, _ body: String) -> String {
      """
      <html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">\
      <head><title>t</title>\(head)</head><body>\(body)</body></html>
      """
    }
    let styles = slow.map { "<style>\($0.text)</style>" }.joined()
    return TestArchive.book(
      package,
      [
        TestArchive.Entry(
          "nav.xhtml",
          page("", "<nav epub:type='toc'><ol><li><a href='a.xhtml'>One</a></li></ol></nav>")),
        TestArchive.Entry("a.xhtml", page("", "<p>The first text.</p>")),
        TestArchive.Entry("b.xhtml", page(styles, "<p>The second text.</p>")).deflated(),
      ] + sheets.map { TestArchive.Entry($0.name, $0.text).deflated() }
    ).bytes
  }
}
