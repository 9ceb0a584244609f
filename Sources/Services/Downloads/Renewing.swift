import Circulation
import Crypto
import Database
import Machine
import Zip

extension BookStore {
  /// Puts an entry into the file of a loan, in the place of the one of that name, and keeps what comes of
  /// it for this loan in the file's stead. The end of the loan moves with it.
  package func put(
    _ bytes: [UInt8], as entry: String, into book: Book, until: Int64?
  ) async throws(StoreTrouble) {
    let turn = try await turn()
    defer { turn.end() }
    let draft = "\(incoming)/renewed-\(book.digest)"
    let (path, folder) = (path(of: book), incoming)
    let (digest, size) = try await onDisk { () throws(FileError) in
      try Folder.makePrivate(folder)
      try WholeFile.copy(path, to: draft)
      do throws(ZipError) { try ZipArchive.put(bytes, as: entry, into: draft) } catch {
        throw .failed(MachineError(code: 5, attempt: "change", subject: draft))
      }
      let measured = try Self.measure(draft)
      return (Hex.encode(measured.digest), measured.size)
    }
    try await place(Arrival(path: draft, digest: digest, size: size, kind: book.kind))
    let (store, now) = (store, now())
    let isOver = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) -> Bool in
        try tx.execute(
          """
          INSERT INTO book_file (digest, size, kind, open_access, stored_at, examined)
          VALUES (\(digest), \(size), \(book.kind.rawValue), \(book.isOpenAccess), \(now),
            (SELECT examined FROM book_file WHERE digest = \(book.digest)))
          ON CONFLICT (digest) DO NOTHING
          """)
        try tx.execute(
          """
          UPDATE download SET digest = \(digest) WHERE digest = \(book.digest)
          AND patron = \(book.patron.rawValue) AND account = \(book.account.rawValue)
          AND item = \(book.item.rawValue)
          """)
        try tx.execute(
          """
          UPDATE book_holder SET digest = \(digest), until = \(until)
          WHERE patron = \(book.patron.rawValue) AND account = \(book.account.rawValue)
          AND item = \(book.item.rawValue) AND digest = \(book.digest)
          """)
        guard digest != book.digest, try !tx.isHeld(book.digest) else { return false }
        try tx.forget(book.digest)
        return true
      }
    }
    if isOver { try await remove([path]) }
  }

  static func measure(_ path: String) throws(FileError) -> (digest: [UInt8], size: Int) {
    let file = try OpenFile(path)
    var stream = DigestStream(.sha256)
    var size = 0
    do throws(MachineError) {
      while case let piece = try file.read(upTo: 1 << 20), !piece.isEmpty {
        stream.update(piece)
        size += piece.count
      }
    } catch { throw .failed(error) }
    return (stream.finish(), size)
  }
}
