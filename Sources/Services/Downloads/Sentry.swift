package import Database
import Machine
package import Scanning

/// Who looks for malware in what came, before anybody gets it. What a lender has locked stays locked for
/// the scanner too.
package struct Sentry: Sendable {
  package enum Sighting: Sendable, Hashable {
    case clean
    case found(String)
    /// Nobody could say; why not.
    case unexamined(ScanFault)
  }

  package let scanner: Scanner
  /// Whether what nobody could examine is refused.
  package let isRequired: Bool
  private let tell: @Sendable (Sighting) -> Void

  /// `tell` may be called from any thread, and must not wait.
  package init(
    _ scanner: Scanner, isRequired: Bool, tell: @escaping @Sendable (Sighting) -> Void = { _ in }
  ) {
    (self.scanner, self.isRequired, self.tell) = (scanner, isRequired, tell)
  }

  /// Before anything is fetched that would have to be thrown away again.
  func expectScanner() async throws(Trouble) {
    guard isRequired else { return }
    do throws(ScanFault) { try await scanner.ping() } catch {
      if error == .cancelled { throw .stopped }
      throw Trouble("scanner_away", .house)
    }
  }

  /// Refused by throwing.
  package func look(at path: String) async throws(Trouble) -> ScanMark {
    let verdict: Scanner.Verdict
    do throws(ScanFault) { verdict = try await scanner.scan(path) } catch {
      return try unexamined(error)
    }
    switch verdict {
    case .clean:
      tell(.clean)
      return .clean
    case .found(let name):
      tell(.found(name))
      throw .malware
    }
  }

  private func unexamined(_ fault: ScanFault) throws(Trouble) -> ScanMark {
    if fault == .cancelled { throw .stopped }
    tell(.unexamined(fault))
    guard isRequired else { return .unexamined }
    switch fault {
    case .tooLarge: throw .unscannable
    case .unreadable: throw .unwritable
    case .away, .timedOut, .cut, .garbled, .cancelled: throw .scannerAway
    }
  }
}

/// What stands beside a file of the store that a scanner was there for.
package enum ScanMark: String, Sendable, Hashable {
  case clean, unexamined
}

extension Trouble {
  static let malware = Trouble.final("malware_found")
  static let scannerAway = Trouble.again("scanner_away")
  static let unscannable = Trouble.final("unscannable")
}

extension BookStore {
  /// Takes a file out that has come to be known as harmful, whoever holds it.
  func condemn(_ digest: String) async throws(StoreTrouble) {
    let turn = try await turn()
    defer { turn.end() }
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in try tx.forget(digest) }
    }
    try await remove([path(of: digest)])
  }

  /// How many files nobody has examined although somebody was to.
  package func unexamined() async throws(DatabaseError) -> Int {
    try await store.read { tx throws(DatabaseError) in
      try tx.value(
        "SELECT count(*) FROM book_file WHERE examined = \(ScanMark.unexamined.rawValue)",
        as: Int.self)
    }
  }

  /// Examines what was put by while the scanner was away; ends with the first that it cannot say.
  package func examineLeft(by sentry: Sentry) async throws(StoreTrouble) {
    let left = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        try tx.rows(
          """
          SELECT digest FROM book_file WHERE examined = \(ScanMark.unexamined.rawValue)
          ORDER BY stored_at
          """
        ) { row throws(DatabaseError) -> String in try row[0] }
      }
    }
    for digest in left {
      let seen: ScanMark
      do throws(Trouble) { seen = try await sentry.look(at: path(of: digest)) } catch {
        guard error == .malware else { return }
        try await condemn(digest)
        continue
      }
      if seen == .clean { try await mark(digest, seen) }
    }
  }

  private func mark(_ digest: String, _ mark: ScanMark) async throws(StoreTrouble) {
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in try tx.mark(digest, mark) }
    }
  }
}

extension Transaction {
  func mark(_ digest: String, _ mark: ScanMark) throws(DatabaseError) {
    try execute("UPDATE book_file SET examined = \(mark.rawValue) WHERE digest = \(digest)")
  }
}
