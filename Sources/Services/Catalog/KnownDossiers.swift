import Database
import Matching
import Synchronization

/// Editions that were read for the matcher lately. Of a catalogue that is read as a whole nearly each
/// is compared with many that came before it, and what takes time is not to compare but to read.
///
/// An edition is known by its number and the time of its last change, which is another one after
/// every change. What a transaction read is known once it is committed: what it undoes may be
/// written in another way under the same number and time.
final class KnownDossiers: Sendable {
  struct Entry: Sendable {
    let changed: Int64
    let dossier: Dossier
  }

  private let known = Mutex<[Int64: Entry]>([:])
  /// Then all are forgotten, so that memory does not grow with the catalogue.
  private static let most = 20_000

  /// Of the editions that changed at these times and not since, those that are known.
  func dossiers(of editions: [(number: Int64, changed: Int64)]) -> [Int64: Dossier] {
    known.withLock { known in
      var found: [Int64: Dossier] = Dictionary(minimumCapacity: editions.count)
      for edition in editions {
        guard let entry = known[edition.number], entry.changed == edition.changed else { continue }
        found[edition.number] = entry.dossier
      }
      return found
    }
  }

  func keep(_ read: [Int64: Entry]) {
    known.withLock { known in
      if known.count + read.count > Self.most { known = [:] }
      known.merge(read) { $1 }
    }
  }

  func forget() { known.withLock { $0 = [:] } }
}

extension Catalog {
  /// A transaction in which editions are matched.
  func matching<T: Sendable>(
    by deadline: ContinuousClock.Instant? = nil,
    _ body: @escaping @Sendable (Kin) throws(DatabaseError) -> T
  ) async throws(DatabaseError) -> T {
    let done = try await store.write(by: deadline) { [known] tx throws(DatabaseError) in
      let kin = Kin(in: tx, known)
      let value = try body(kin)
      return Matched(value: value, read: kin.read)
    }
    known.keep(done.read)
    return done.value
  }
}

private struct Matched<T: Sendable>: Sendable {
  let value: T
  let read: [Int64: KnownDossiers.Entry]
}
