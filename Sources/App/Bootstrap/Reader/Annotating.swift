import Circulation
import EPUB
package import Items
import Machine
import Reading
import Registry
package import Setup

extension LinkedEngine {
  package func annotate(_ order: AnnotationOrder, at seat: Seat)
    async throws(ErrorItem) -> AnnotationItem
  {
    let book = try await opened(order.book, order.key, at: seat)
    let known = AnnotatedBook(book, digest: try Self.digest(of: order.book))
    let locator = try Self.locator(order, in: book)
    return try await visit(seat) { visit throws(ErrorItem) in
      let now = visit.house.time.now().millisecondsSinceEpoch
      let annotation = Annotation(
        id: Annotation.freshID(), book: known,
        kind: Annotation.Kind(rawValue: order.kind.rawValue) ?? .highlight, locator: locator,
        note: order.note, tags: order.tags, made: now, changed: now)
      return AnnotationItem(
        try await toldOfNotes { () throws(AnnotationError) in
          try await visit.house.annotations.keep(annotation, of: visit.patron.id)
        }, .exact(BookPlaces.Place(spine: 0, range: 0..<0)))
    }
  }

  package func annotations(_ choice: AnnotationChoice, at seat: Seat)
    async throws(ErrorItem) -> [AnnotationItem]
  {
    try await chosen(choice, at: seat).map { AnnotationItem($0, $1) }
  }

  package func removeAnnotation(_ name: String, at seat: Seat)
    async throws(ErrorItem) -> AnnotationItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      AnnotationItem(
        try await toldOfNotes { () throws(AnnotationError) in
          try await visit.house.annotations.remove(name, of: visit.patron.id)
        }, nil)
    }
  }

  package func exportAnnotations(
    _ choice: AnnotationChoice, as format: String, at seat: Seat
  ) async throws(ErrorItem) -> String {
    guard let format = AnnotationFormat(rawValue: format) else {
      throw ErrorItem("bad_value", format)
    }
    let all = try await chosen(choice, at: seat).map(\.0)
    return AnnotationExport(all, at: Time.system.now()).text(format)
  }

  package func importAnnotations(
    _ bytes: [UInt8], into source: BookSource?, opening key: LockKey?, at seat: Seat
  ) async throws(ErrorItem) -> AnnotationIntakeItem {
    var book: (Book, AnnotatedBook)?
    if let source {
      let opened = try await opened(source, key, at: seat)
      book = (opened, AnnotatedBook(opened, digest: try Self.digest(of: source)))
    }
    let target = book
    return try await visit(seat) { visit throws(ErrorItem) in
      let read: AnnotationImport
      do throws(AnnotationImport.Fault) {
        read = try AnnotationImport(
          bytes, for: target?.1, now: visit.house.time.now().millisecondsSinceEpoch)
      } catch {
        switch error {
        case .noJSON(let why): throw ErrorItem("unknown_notes", why)
        case .unknownShape:
          throw ErrorItem("unknown_notes", "neither Web Annotations nor notes of KOReader")
        }
      }
      let lost = target.map { book, _ in
        Self.anchored(read.annotations, in: book).count { $0.1 == .lost }
      }
      let intake = try await toldOfNotes { () throws(AnnotationError) in
        try await visit.house.annotations.take(read.annotations, of: visit.patron.id)
      }
      return AnnotationIntakeItem(
        added: intake.added, changed: intake.changed, known: intake.known, skipped: read.skipped,
        tooLong: intake.tooLong, full: intake.full, lost: lost)
    }
  }

  /// What is locked opens by a key that the reader's books left behind, or by what was typed.
  private func opened(
    _ source: BookSource, _ key: LockKey?, at seat: Seat
  ) async throws(ErrorItem) -> Book {
    if let book = try Self.openPlain(source, key) { return book }
    return try await visit(seat) { visit throws(ErrorItem) in
      try await visit.open(source, nil, key)
    }
  }

  // MARK: - Choosing

  private func chosen(_ choice: AnnotationChoice, at seat: Seat)
    async throws(ErrorItem) -> [(Annotation, Anchoring?)]
  {
    var book: (Book, AnnotatedBook)?
    if let source = choice.book {
      let opened = try await opened(source, choice.key, at: seat)
      book = (opened, AnnotatedBook(opened, digest: try Self.digest(of: source)))
    }
    let target = book
    let all = try await visit(seat) { visit throws(ErrorItem) in
      try await toldOfNotes { () throws(AnnotationError) in
        try await visit.house.annotations.all(of: visit.patron.id, in: target?.1)
      }
    }
    let kinds = Set(choice.kinds.map(\.rawValue))
    let wanted = all.filter { one in
      guard kinds.contains(one.kind.rawValue) else { return false }
      if let tag = choice.tag, !one.tags.contains(tag) { return false }
      guard let words = choice.title else { return true }
      return one.book.title?.lowercased().contains(words.lowercased()) == true
    }
    guard let (book, _) = target else { return wanted.map { ($0, nil) } }
    return Self.anchored(wanted, in: book).map { ($0, $1) }
  }

  private static func anchored(_ all: [Annotation], in book: Book) -> [(Annotation, Anchoring)] {
    let places = BookPlaces(book)
    var reading = TextReading(book)
    return all.map { ($0, Anchoring($0, in: places, &reading)) }
  }

  // MARK: - Places

  private static func locator(
    _ order: AnnotationOrder, in book: Book
  ) throws(ErrorItem) -> Locator {
    let places = BookPlaces(book)
    var reading = TextReading(book)
    switch order.place {
    case .percent(let percent):
      let (spine, progression) = places.positions.place(ofTotal: percent / 100)
      let text = try self.text(spine, &reading)
      let place = text.place(ofProgression: progression)
      return places.locator(place..<place, in: text, spine: spine)
    case .steps(let steps):
      let cfi: CFI
      do throws(CFI.Fault) { cfi = try CFI(steps) } catch { throw ErrorItem("bad_value", steps) }
      guard let (place, _) = places.place(of: cfi, &reading) else {
        throw ErrorItem("no_such_place", steps)
      }
      let text = try self.text(place.spine, &reading)
      return places.locator(place.range, in: text, spine: place.spine)
    case .words(let words):
      var search: ContentSearch
      do throws(ContentSearch.Fault) { search = try ContentSearch(words, in: book) } catch {
        throw ErrorItem("query-too-long", "at most \(ContentSearch.longest) characters")
      }
      guard let hit = search.next(), let text = search.text else {
        throw ErrorItem("no_such_place", words)
      }
      return places.locator(hit.range, in: text, spine: hit.spine)
    }
  }

  private static func text(_ spine: Int, _ reading: inout TextReading) throws(ErrorItem) -> ItemText
  {
    do throws(ResourceError) { return try reading.text(at: spine) } catch {
      throw ErrorItem("item-unreadable", "\(spine)")
    }
  }
}

private func toldOfNotes<T: Sendable>(
  _ body: () async throws(AnnotationError) -> T
) async throws(ErrorItem) -> T {
  do throws(AnnotationError) { return try await body() } catch { throw ErrorItem(error) }
}

extension AnnotationItem {
  fileprivate init(_ one: Annotation, _ anchored: Anchoring?) {
    self.init(
      id: one.id, kind: one.kind.rawValue, title: one.book.title, authors: one.book.authors,
      chapter: one.locator.title, position: one.locator.position,
      progression: one.locator.totalProgression, quote: one.quote, note: one.note, tags: one.tags,
      madeAt: Timestamp(millisecondsSinceEpoch: one.made).rfc3339(), anchored: anchored?.word)
  }
}
