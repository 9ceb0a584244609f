package import Circulation
import Database
package import EPUB
import JSON

/// What a reader reads with.
package struct ReadingDevice: Sendable, Hashable {
  package let id: String
  /// As its owner knows it: `the terminal`.
  package let name: String

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}

/// All that a book is called where places in it are kept: by its file, by the name it gives itself,
/// so that another file of it goes on where this one was left, and by the work it is of, as reading
/// apps know it.
package struct BookNames: Sendable, Hashable {
  package let documents: [String]
  /// Where an app that reads the work by another file may look.
  let work: String?

  package init(_ book: AnnotatedBook, work: WorkID? = nil) {
    self.work = work?.rawValue
    let names =
      [Self.file(book.digest)] + [book.identifier.map { "book:\($0.prefix(240))" }, self.work]
    documents = names.compactMap(\.self).filter { $0.utf8.count <= 256 }
  }

  static func file(_ digest: String) -> String { "sha256:\(digest)" }
}

/// How far a reader is in a book, seen from one device.
package struct Standing: Sendable, Hashable {
  /// Where this device was last.
  package let here: Position?
  /// Where another was after that, if it was somewhere else: to be offered, never to be forced.
  package let elsewhere: Position?

  /// Less than this is the same page in another window.
  static let same = 0.002

  /// `positions` has the newest first.
  init(_ positions: [Position], on device: ReadingDevice) {
    let here = positions.first { $0.deviceID == device.id }
    self.here = here
    let newest = positions.first { $0.deviceID != device.id }
    elsewhere = newest.flatMap { newest in
      guard let here else { return newest.progress > Self.same ? newest : nil }
      return newest.at > here.at && abs(newest.progress - here.progress) > Self.same ? newest : nil
    }
  }
}

extension Positions {
  /// Where the reader stands in a book, for one who opens it on a device.
  package func standing(
    in book: BookNames, on device: ReadingDevice, of patron: PatronID
  ) async throws(PositionError) -> Standing {
    let positions = try await database { () throws(DatabaseError) in
      try await store.read { snapshot throws(DatabaseError) in
        try snapshot.positions(in: book.documents, of: patron)
      }
    }
    return Standing(positions, on: device)
  }

  /// Keeps where a device is, under all names of the book at once. `at` is when it was there, for one
  /// that could not say so then; what it said later stays.
  package func keep(
    _ place: Locator, _ progress: Double, in book: BookNames, titled title: String?,
    on device: ReadingDevice, at moment: Int64? = nil, of patron: PatronID
  ) async throws(PositionError) {
    let (now, settings) = (now(), settings)
    let at = min(moment ?? now, now)
    let kept = book.documents.map { document in
      // Other apps read steps, and nothing else of what we keep.
      let words = document == book.work ? place.cfi.map { "#\($0)" } ?? "" : place.json.text()
      return Position(
        document: document, progress: min(1, max(0, progress)), place: words,
        device: device.name, deviceID: device.id, title: title, at: at)
    }
    guard kept.allSatisfy(\.isSound) else { throw .unsound }
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        for position in kept {
          let known = try tx.positions(in: [position.document], of: patron)
          if known.contains(where: { $0.deviceID == device.id && $0.at > at }) { continue }
          try tx.keep(position, of: patron, now: now, settings)
        }
      }
    }
  }

  /// The work that a file is of, where that was noted when it was handed out or opened.
  package func note(
    file digest: String, of work: WorkID, for patron: PatronID
  ) async throws(PositionError) {
    let name = BookNames.file(digest)
    guard try await self.work(of: name, for: patron) != work else { return }
    try await note([name], of: work, for: patron)
  }

  package func work(
    ofFile digest: String, for patron: PatronID
  ) async throws(PositionError) -> WorkID? {
    try await work(of: BookNames.file(digest), for: patron)
  }
}

extension Position {
  /// What leads there in a book: our own notation, the steps that an app told, or how far it is.
  package var locator: Locator {
    if let json = try? JSONValue(parsing: place), let locator = Locator(json) { return locator }
    var locator = Locator(href: "")
    for line in place.split(separator: "\n") {
      let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let (path, fragment) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
      if let steps = [fragment ?? "", path].first(where: { $0.hasPrefix("epubcfi(") }) {
        locator.cfi = locator.cfi ?? (try? CFI(steps))
      } else if locator.href.isEmpty, !path.isEmpty, let fragment {
        (locator.href, locator.fragments) = (path, [fragment])
      }
    }
    locator.totalProgression = progress
    return locator
  }
}
