import Circulation
import Crypto
import Database
import Downloads
import Machine
import Registry
import Testing

@testable import Web

extension LobbyRoom {
  /// The file of a loan, as if it had been fetched.
  func shelve(_ bytes: [UInt8], for item: String, kind: String = "epub") async throws {
    let digest = Hex.encode(Digest.sha256.hash(bytes))
    let (patron, account) = (ada.patron.rawValue, ada.id.rawValue)
    try await store.write { tx throws(DatabaseError) in
      try tx.execute(
        """
        INSERT INTO book_file (digest, size, kind, open_access, stored_at)
        VALUES (\(digest), \(bytes.count), \(kind), FALSE, 1) ON CONFLICT DO NOTHING
        """)
      try tx.execute(
        """
        INSERT INTO book_holder (patron, account, item, digest, title, authors, until, stored_at)
        VALUES (\(patron), \(account), \(item), \(digest), 'A Book', '', NULL, 1)
        """)
    }
    let books = try await reading.files.books(of: ada.patron)
    let stored = try #require(books.first { $0.digest == digest })
    let path = reading.files.path(of: stored)
    try Folder.makePrivate(String(path.dropLast(digest.count + 1)))
    try WholeFile.write(bytes, to: path)
  }
}
