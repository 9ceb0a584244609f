import Database
import Reading
import Registry
import Terminal

/// How pages are liked, from one book to the next: the record that is kept for every way of reading.
struct KeptTaste: Sendable {
  private let visit: Visit

  init(_ visit: Visit) { self.visit = visit }

  /// As everybody likes it, where it cannot be had.
  func read() async -> ReaderModel.Taste {
    do throws(DatabaseError) {
      return ReaderModel.Taste(text: try await visit.house.tastes.taste(of: visit.patron.id).text)
    } catch {
      return ReaderModel.Taste()
    }
  }

  /// What there is to tell the reader, if it could not be kept.
  func keep(_ taste: ReaderModel.Taste) async -> String? {
    do throws(DatabaseError) {
      try await visit.house.tastes.keep(Taste(text: taste.text), of: visit.patron.id)
      return nil
    } catch {
      return "How you like pages could not be kept."
    }
  }
}
