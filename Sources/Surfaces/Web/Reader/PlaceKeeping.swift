import Chapters
import EPUB
import JSON
import Reading

/// Where a reader stopped in a book: read when it is opened, written while it is turned.
struct PlaceKeeping: Sendable {
  private let visit: ReaderVisit

  init(_ visit: ReaderVisit) { self.visit = visit }

  /// Under which the place is kept: the file itself, and what the book calls itself, so that another
  /// file of it goes on where this one was left.
  private var documents: [String] {
    let book = visit.known
    return
      (["sha256:\(book.digest)"]
      + (book.identifier.map { ["book:\(String($0.prefix(240)))"] } ?? []))
      .filter { $0.utf8.count <= 256 }
  }

  /// Nil for a book that was never open, or whose place cannot be had: then it begins.
  func last() async -> (BookPlaces.Place, Locator)? {
    for document in documents {
      do throws(PositionError) {
        guard
          let kept = try await visit.stock.positions.position(
            in: document, of: visit.reader.patron)
        else { continue }
        guard let locator = Self.locator(kept.place),
          let (place, _) = visit.open.place(of: locator)
        else { return nil }
        return (place, locator)
      } catch { return nil }
    }
    return nil
  }

  private static func locator(_ text: String) -> Locator? {
    do throws(JSONError) { return Locator(try JSONValue(parsing: text)) } catch { return nil }
  }

  /// `progress` is how far through the book what is seen ends.
  func keep(_ locator: Locator, _ progress: Double) async throws(PositionError) {
    for document in documents {
      _ = try await visit.stock.positions.keep(
        Position(
          document: document, progress: min(1, max(0, progress)), place: locator.json.text(),
          device: "web", deviceID: "web", title: visit.known.title, at: 0),
        of: visit.reader.patron)
    }
  }
}
