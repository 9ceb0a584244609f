import Circulation
import Console
import Crypto
import Downloads
import EPUB
package import Items
import Machine
import Phrasebook
import Pictures
import Reading
import Registry
package import Setup
import Terminal
import TextSafety

extension LinkedEngine {
  /// Reads a book to its end, or until the reader has enough of it.
  package func read(_ order: ReadOrder, at seat: Seat) async throws(ErrorItem) {
    var own: Book?
    var digesting: Task<Result<String, ErrorItem>, Never>?
    if case .file(let source) = order.book {
      // A file that is no book is told before anything else is opened; one that is takes its time to
      // be read through, beside the database.
      own = try Self.openPlain(source, order.key)
      digesting = Task.detached {
        Result { () throws(ErrorItem) in try Self.digest(of: source) }
      }
    }
    try await visit(seat) { [own, digesting] visit throws(ErrorItem) in
      let (source, lent) = try await visit.source(of: order.book)
      let book: Book
      if let own { book = own } else { book = try await visit.open(source, lent, order.key) }
      guard !(book.isLicensed && order.isWrittenOut) else { throw ErrorItem("not-written-out") }
      let digest: String
      if let lent {
        digest = lent.file.digest
      } else if let digesting {
        digest = try await digesting.value.get()
      } else {
        digest = try Self.digest(of: source)
      }
      let known = AnnotatedBook(book, digest: digest)
      if let lent { try await visit.opened(lent) }
      let work = await visit.work(of: lent, digest)
      let bookcase = Bookcase(visit, known, lent, work)
      let standing = await bookcase.standing()
      let start = standing?.here?.locator
      let elsewhere = standing?.elsewhere.map { ElsewherePlace($0.locator, on: $0.device) }
      switch order.manner {
      case .pages(let isColored):
        let marks = try await bookcase.marks(in: book)
        try await Self.show(book, start, elsewhere, marks, order, isColored, bookcase)
      case .linear(let say, let ask):
        try await Self.tell(book, start, elsewhere, bookcase, say, ask)
      }
    }
  }

  static func digest(of source: BookSource) throws(ErrorItem) -> String {
    switch source {
    case .bytes(let bytes): return Hex.encode(Digest.sha256.hash(bytes))
    case .file(let path):
      do throws(FileError) {
        return Hex.encode(try fileDigest(path))
      } catch {
        throw ErrorItem("unreadable", "\(error)")
      }
    }
  }

  /// Piece by piece: a book may be larger than what a reader wants to spare for it.
  private static func fileDigest(_ path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(path)
    var stream = DigestStream(.sha256)
    do throws(MachineError) {
      while case let piece = try file.read(upTo: 1 << 20), !piece.isEmpty { stream.update(piece) }
    } catch {
      throw .failed(error)
    }
    return stream.finish()
  }

  private static func show(
    _ book: Book, _ start: Locator?, _ elsewhere: ElsewherePlace?, _ marks: [ReaderMark],
    _ order: ReadOrder, _ isColored: Bool, _ bookcase: Bookcase
  ) async throws(ErrorItem) {
    guard let screen = FullScreen() else { throw ErrorItem("no-terminal", "") }
    defer { screen.close() }
    let size = screen.size
    let taste = await KeptTaste(bookcase.visit).read()
    guard
      var model = ReaderModel(
        book, window: ReaderModel.Window(columns: size.columns, rows: size.rows), at: start,
        marks: marks, taste: taste)
    else { throw ErrorItem("spine-nothing-readable", "") }
    model.showJacket(elsewhere)
    let palette = Palette(
      term: order.environment["TERM"], colorTerm: order.environment["COLORTERM"],
      isColored: isColored)
    let picture = await CoverPicture(
      book, order.environment, palette, bookcase.visit.house.pictures)
    var loop = ReaderLoop(model, on: screen, Painter(palette), bookcase.desk) { columns, rows in
      await picture.rows(columns, rows)
    }
    do throws(OutputStream.Trouble) { try await loop.run() } catch {
      throw ErrorItem("unwritable", "\(error)")
    }
  }

  private static func tell(
    _ book: Book, _ start: Locator?, _ elsewhere: ElsewherePlace?, _ bookcase: Bookcase,
    _ say: @Sendable (String) throws -> Void, _ ask: (@Sendable () -> String?)?
  ) async throws(ErrorItem) {
    var reader = LinearReader(
      book, at: ask == nil ? nil : start, elsewhere: ask == nil ? nil : elsewhere)
    do {
      try say(reader.opening())
      while !reader.isOver, !Task.isCancelled {
        guard let ask else {
          try say(reader.next())
          continue
        }
        guard let line = ask() else { return }
        try say(reader.answer(line))
        if let place = reader.locator {
          _ = await bookcase.keep(place, place.totalProgression ?? 0)
        }
      }
    } catch {
      throw ErrorItem("unwritable", "\(error)")
    }
  }
}

/// What one reader has of one book.
private struct Bookcase: Sendable {
  let visit: Visit
  let book: AnnotatedBook
  /// Nil for a file of the reader's own.
  private let lent: LentBook?
  private let names: BookNames
  private let annotations: Annotations

  private static let device = ReadingDevice(id: "terminal", name: phrase("the terminal"))

  init(_ visit: Visit, _ book: AnnotatedBook, _ lent: LentBook?, _ work: WorkID?) {
    (self.visit, self.book, self.lent) = (visit, book, lent)
    names = BookNames(book, work: work)
    annotations = visit.house.annotations
  }

  /// Nil where places cannot be had: the book can be read all the same.
  func standing() async -> Standing? {
    do throws(PositionError) {
      return try await visit.house.positions.standing(
        in: names, on: Self.device, of: visit.patron.id)
    } catch { return nil }
  }

  func keep(_ locator: Locator, _ progress: Double) async -> String? {
    do throws(PositionError) {
      try await visit.house.positions.keep(
        locator, progress, in: names, titled: book.title, on: Self.device, of: visit.patron.id)
      return nil
    } catch { return "Your place could not be kept." }
  }

  func marks(in book: Book) async throws(ErrorItem) -> [ReaderMark] {
    let kept: [Annotation]
    do throws(AnnotationError) {
      kept = try await annotations.all(of: visit.patron.id, in: self.book)
    } catch { throw ErrorItem(error) }
    let places = BookPlaces(book)
    var reading = TextReading(book)
    return kept.map { one in
      ReaderMark(
        id: one.id, ReaderMark.Kind(rawValue: one.kind.rawValue) ?? .highlight, one.locator,
        note: one.note, place: Anchoring(one, in: places, &reading).place)
    }
  }

  var desk: ReaderDesk {
    var desk = ReaderDesk(
      keepPlace: { await keep($0, $1) },
      addMark: { await add($0) },
      removeMark: { await remove($0) },
      rate: { await rate($0) },
      giveBack: { await giveBack() })
    let kept = KeptTaste(visit)
    desk.keepTaste = { await kept.keep($0) }
    return desk
  }

  private func giveBack() async -> String {
    guard let lent else { return "This is a file of your own: there is nothing to return." }
    do throws(ErrorItem) {
      let receipt = try await visit.circulate(
        ShelfOrder(.giveBack, "\(lent.account.name):\(lent.item.rawValue)"))
      return switch receipt.result {
      case .returned: "Returned. Your notes and your place stay."
      case .alreadyReturned: "It was not on loan any more."
      default: "The library has not said whether it took it back: carrel sync tells."
      }
    } catch {
      return "It could not be returned: \(error.code.split(separator: "_").joined(separator: " "))."
    }
  }

  private func add(_ mark: ReaderMark) async -> ReaderDesk.Kept {
    let now = visit.house.time.now().millisecondsSinceEpoch
    let annotation = Annotation(
      id: Annotation.freshID(), book: book,
      kind: Annotation.Kind(rawValue: mark.kind.rawValue) ?? .highlight, locator: mark.locator,
      note: mark.note, made: now, changed: now)
    do throws(AnnotationError) {
      return .named(try await annotations.keep(annotation, of: visit.patron.id).id)
    } catch { return .not("That could not be kept.") }
  }

  private func remove(_ mark: ReaderMark) async -> String? {
    do throws(AnnotationError) {
      _ = try await annotations.remove(mark.id, of: visit.patron.id)
      return nil
    } catch { return "That could not be taken out." }
  }

  private func rate(_ stars: Int) async -> String? {
    do throws(AnnotationError) {
      try await annotations.rate(book, stars, of: visit.patron.id)
      return nil
    } catch { return "The rating could not be kept." }
  }
}

/// The cover as `chafa` draws it, where that is installed. It sees pixels that were decoded and written anew,
/// never what is in the book.
private struct CoverPicture: Sendable {
  private let picture: [UInt8]?
  private let environment: [String: String]
  private let colors: String

  init(
    _ book: Book, _ environment: [String: String], _ palette: Palette, _ pictures: PictureMaker
  ) async {
    self.environment = environment
    colors =
      switch palette {
      case .none: "none"
      case .sixteen: "16"
      case .many: "256"
      case .all: "full"
      }
    guard let path = book.cover()?.path else {
      picture = nil
      return
    }
    // No more than a terminal shows.
    let bytes = try? book.bytes(of: path, upTo: 10 << 20)
    guard let bytes else {
      picture = nil
      return
    }
    picture = try? await pictures.plain(PictureBox(800, 1200), bytes)
  }

  /// No rows where nothing can draw it: the title page serves as well.
  func rows(_ columns: Int, _ rows: Int) async -> [TerminalText] {
    guard let picture, columns >= 20, rows >= 6 else { return [] }
    let program = ChildProgram(
      "chafa",
      [
        "--format=symbols", "--colors=\(colors)", "--size=\(columns)x\(rows)", "--animate=off", "-",
      ],
      environment: Environment(environment))
    do throws(Capture.Failure) {
      let drawn = try await program.capture(feeding: picture, within: .seconds(2))
      guard drawn.ending == .exited(0) else { return [] }
      return String(decoding: drawn.output, as: UTF8.self).split(separator: "\n")
        .map { TerminalText(styled: String($0)) }
    } catch { return [] }
  }
}
