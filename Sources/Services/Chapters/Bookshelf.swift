package import EPUB
import Synchronization

/// The books that are being read, open; the one that was not looked into for longest is closed first.
package final class Bookshelf: Sendable {
  private struct State {
    var books: [(path: String, book: OpenBook)] = []
  }

  private let state = Mutex(State())
  private let capacity: Int
  /// What is made of all these books.
  package let making = PartMaking()
  /// Unpacks what is large, so that pages do not wait for it.
  package let unpacking = PartMaking()

  package init(capacity: Int = 16) { self.capacity = capacity }

  /// `path` is where the file lies, under the digest of what is in it: another file has another name.
  package func book(at path: String, digest: String) throws(OpeningError) -> OpenBook {
    if let open = state.withLock({ Self.found(path, &$0) }) { return open }
    let book = OpenBook(try Book(file: path), digest: digest)
    return state.withLock { state in
      // Somebody may have been faster; then both have the same one.
      if let open = Self.found(path, &state) { return open }
      state.books.append((path, book))
      if state.books.count > capacity { state.books.removeFirst() }
      return book
    }
  }

  private static func found(_ path: String, _ state: inout State) -> OpenBook? {
    guard let place = state.books.firstIndex(where: { $0.path == path }) else { return nil }
    let one = state.books.remove(at: place)
    state.books.append(one)
    return one.book
  }
}
