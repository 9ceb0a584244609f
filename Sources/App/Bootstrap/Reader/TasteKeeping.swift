import Circulation
import Database
import Reading
import Registry
import Terminal

/// How one reader likes pages, from one book to the next, with what their other devices know of it.
struct KeptTaste: Sendable {
  private let tastes: Tastes
  private let patron: PatronID

  init(_ visit: Visit) { (tastes, patron) = (visit.house.tastes, visit.patron.id) }

  /// As for everybody, where it cannot be read now: a book opens all the same.
  func read() async -> ReaderModel.Taste {
    do throws(DatabaseError) {
      return ReaderModel.Taste(text: try await tastes.taste(of: patron).text)
    } catch {
      return ReaderModel.Taste()
    }
  }

  /// What there is to tell the reader, if it could not be kept.
  func keep(_ taste: ReaderModel.Taste) async -> String? {
    do throws(DatabaseError) {
      try await tastes.keep(ReadingTaste(text: taste.text), of: patron)
      return nil
    } catch {
      return "How you like pages could not be kept."
    }
  }
}
