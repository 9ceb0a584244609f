import Circulation
import EPUB
import StoreSupport
import TestSupport
import Testing

@testable import Reading

private let (ada, bob) = (PatronID("ada"), PatronID("bob"))
private let book = AnnotatedBook(
  digest: "d1", identifier: "urn:x:1", title: "Emma", authors: ["Jane Austen"])

private func annotation(
  _ id: String, in book: AnnotatedBook = book, note: String? = nil, changed: Int64 = 5
) -> Annotation {
  var locator = Locator(href: "c.xhtml")
  locator.quote.highlight = "handsome, clever, and rich"
  return Annotation(
    id: id, book: book, kind: .note, locator: locator, note: note, tags: ["a b", "ü"],
    color: "yellow", made: 5, changed: changed)
}

@Suite struct `What a reader writes in books` {
  @Test(arguments: Engine.allCases)
  func `What a reader writes in books: is kept as it is, for this reader only`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      let one = try await annotations.keep(annotation("n1", note: "Quite so.\nIndeed"), of: ada)
      #expect(try await annotations.all(of: ada) == [one])
      #expect(try await annotations.all(of: bob) == [])
    }
  }

  @Test(arguments: Engine.allCases)
  func `annotations are found in another file of the same book and not in another book`(
    engine: Engine
  ) async throws {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      _ = try await annotations.keep(annotation("n1"), of: ada)
      let corrected = AnnotatedBook(digest: "d2", identifier: "urn:x:1", title: "Emma (2)")
      let other = AnnotatedBook(digest: "d3", identifier: "urn:x:9", title: "Emma")
      #expect(try await annotations.all(of: ada, in: corrected).count == 1)
      #expect(try await annotations.all(of: ada, in: other).count == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `an annotation is imported once, and the later of two versions is kept`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      let both = [annotation("n1", note: "old"), annotation("n2")]
      #expect(try await annotations.take(both, of: ada) == .init(added: 2))
      #expect(
        try await annotations.take([annotation("n1", note: "new", changed: 9), both[1]], of: ada)
          == .init(changed: 1, known: 1))
      _ = try await annotations.take([annotation("n1", note: "older", changed: 7)], of: ada)
      #expect(try await annotations.all(of: ada).map(\.note) == ["new", nil])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an annotation is removed only by an unambiguous id and by its own reader`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      _ = try await annotations.take([annotation("abc"), annotation("abd")], of: ada)
      await #expect(throws: AnnotationError.several("ab")) {
        try await annotations.remove("ab", of: ada)
      }
      await #expect(throws: AnnotationError.unknown("x")) {
        try await annotations.remove("x", of: ada)
      }
      await #expect(throws: AnnotationError.unknown("abc")) {
        try await annotations.remove("abc", of: bob)
      }
      #expect(try await annotations.remove("abc", of: ada).id == "abc")
      #expect(try await annotations.all(of: ada).map(\.id) == ["abd"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader writes in books: may be stars, from one to five`(engine: Engine) async throws
  {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      #expect(try await annotations.rating(of: book, by: ada) == nil)
      try await annotations.rate(book, 2, of: ada)
      try await annotations.rate(book, 4, of: ada)
      #expect(try await annotations.rating(of: book, by: ada) == 4)
      await #expect(throws: AnnotationError.unsound) {
        try await annotations.rate(book, 6, of: ada)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `What a reader writes in books: is refused where no database could hold it`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store, clock in
      let annotations = Annotations(store: store, now: { clock.now })
      for bad in [annotation(""), annotation("x\0"), annotation("x", note: "a\0b")] {
        await #expect(throws: AnnotationError.unsound) { try await annotations.keep(bad, of: ada) }
      }
    }
  }
}
