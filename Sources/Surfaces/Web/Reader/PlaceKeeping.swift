import Catalog
import Chapters
import Circulation
import EPUB
import Phrasebook
import Reading
import Registry

/// Where a reader stopped in a book: read when it is opened, written while it is turned.
struct PlaceKeeping: Sendable {
  private let visit: ReaderVisit

  init(_ visit: ReaderVisit) { self.visit = visit }

  /// One for all browsers: who sits before which, nobody can tell.
  static let device = ReadingDevice(id: "web", name: phrase("the browser"))

  private var names: BookNames { BookNames(visit.known, work: visit.loan.entry.work) }

  /// Nil where it cannot be had: then the book begins, and nothing is offered.
  func standing() async -> Standing? {
    do throws(PositionError) {
      return try await visit.stock.positions.standing(
        in: names, on: Self.device, of: visit.reader.patron)
    } catch { return nil }
  }

  /// Where a kept position is in this book.
  func place(of position: Position) -> BookPlaces.Place? {
    visit.open.place(of: position.locator)?.0
  }

  /// `progress` is how far through the book what is seen ends.
  func keep(
    _ locator: Locator, _ progress: Double, at moment: Int64? = nil
  ) async throws(PositionError) {
    try await visit.stock.positions.keep(
      locator, progress, in: names, titled: visit.known.title, on: Self.device,
      at: moment, of: visit.reader.patron)
  }
}
