import Circulation
import Database
import EPUB
import StoreSupport
import TestSupport
import Testing

@testable import Reading

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))

private func note(
  _ id: String, in book: String = "d1", _ text: String = "n", changed: Int64 = 5
) -> Annotation {
  var locator = Locator(href: "c.xhtml")
  locator.quote.highlight = "handsome"
  return Annotation(
    id: id, book: AnnotatedBook(digest: book, title: book), kind: .note, locator: locator,
    note: text, made: 5, changed: changed)
}

private func position(_ document: String, on device: String = "d") -> Position {
  Position(
    document: document, progress: 0.5, place: "p", device: device, deviceID: device, at: 0)
}

@Suite struct `Limits of what a patron stores while reading` {
  @Test(arguments: Engine.allCases)
  func `a note has at most ten thousand characters, and a longer one is refused whole`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      let most = String(repeating: "\u{1F600}", count: 10_000)
      _ = try await annotations.keep(note("n1", most), of: ada)
      await #expect(throws: AnnotationError.tooLong) {
        try await annotations.keep(note("n2", most + "x"), of: ada)
      }
      await #expect(throws: AnnotationError.tooLong) {
        try await annotations.keep(note("n1", most + "x", changed: 6), of: ada)
      }
      var wide = note("n3")
      wide.locator.quote.highlight = String(repeating: "x", count: 40_000)
      let marked = wide
      await #expect(throws: AnnotationError.tooLong) {
        try await annotations.keep(marked, of: ada)
      }
      #expect(try await annotations.all(of: ada).map(\.note) == [most])
    }
  }

  @Test(arguments: Engine.allCases)
  func `notes are limited for a book and for a patron, and an import counts what it left out`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      var limits = PatronLimits()
      (limits.notesInBook, limits.notes, limits.noteCharacters) = (3, 5, 10)
      let annotations = Annotations(store: store, limits: limits, now: { clock.now })
      let file = (1...4).map { note("a\($0)") } + [note("long", "12345678901")]
      #expect(try await annotations.take(file, of: ada) == .init(added: 3, tooLong: 1, full: 1))
      let more = (1...4).map { note("b\($0)", in: "d2") }
      #expect(try await annotations.take(more, of: ada) == .init(added: 2, full: 2))
      await #expect(throws: AnnotationError.full) {
        try await annotations.keep(note("c", in: "d3"), of: ada)
      }
      _ = try await annotations.keep(note("a1", "other", changed: 9), of: ada)
      _ = try await annotations.keep(note("c", in: "d3"), of: bob)
      _ = try await annotations.remove("a2", of: ada)
      _ = try await annotations.keep(note("c", in: "d3"), of: ada)
      #expect(try await annotations.all(of: ada).count == 5)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron over a limit keeps all notes, may shorten them and adds none`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let before = Annotations(store: store, now: { clock.now })
      let text = String(repeating: "x", count: 50)
      _ = try await before.take((1...5).map { note("a\($0)", text) }, of: ada)
      var limits = PatronLimits()
      (limits.notesInBook, limits.noteCharacters, limits.charactersInBook) = (2, 10, 20)
      let annotations = Annotations(store: store, limits: limits, now: { clock.now })
      #expect(try await annotations.all(of: ada).count == 5)
      _ = try await annotations.keep(note("a1", "short", changed: 9), of: ada)
      await #expect(throws: AnnotationError.tooLong) {
        try await annotations.keep(note("a2", text + "x", changed: 9), of: ada)
      }
      await #expect(throws: AnnotationError.full) {
        try await annotations.keep(note("a6", "x"), of: ada)
      }
      #expect(try await annotations.all(of: ada).count == 5)
    }
  }

  @Test(arguments: Engine.allCases)
  func `positions of many devices are limited, and those of KOReader give way first`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      var settings = Positions.Settings()
      (settings.mostDocuments, settings.mostPositions) = (4, 6)
      let positions = Positions(store: store, settings: settings, now: { clock.now })
      _ = try await positions.keep(position("sha256:own"), of: ada)
      for number in 1...9 {
        clock.advance(by: 1)
        _ = try await positions.keep(position("koreader:\(number)"), of: ada)
      }
      #expect(try await positions.position(in: "sha256:own", of: ada) != nil)
      #expect(try await positions.position(in: "koreader:9", of: ada) != nil)
      #expect(try await positions.position(in: "koreader:6", of: ada) == nil)
      for device in 1...9 {
        clock.advance(by: 1)
        _ = try await positions.keep(position("koreader:9", on: "device \(device)"), of: ada)
      }
      let count = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.value("SELECT count(*) FROM reading_place", as: Int.self)
      }
      #expect(count == 6)
      #expect(try await positions.position(in: "sha256:own", of: ada) != nil)
    }
  }

  @Test func `a position of an app has at most two thousand and forty-eight bytes`() {
    func body(_ count: Int) -> [UInt8] {
      let place = String(repeating: "x", count: count)
      return Array(#"{"document":"d","progress":"\#(place)","percentage":0.5}"#.utf8)
    }
    #expect(Position(koreader: body(2_048)) != nil)
    #expect(Position(koreader: body(2_049)) == nil)
  }
}
