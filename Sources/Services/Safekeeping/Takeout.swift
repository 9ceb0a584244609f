import Archive
import Crypto
package import Database
import JSON
package import Machine

/// What readers can take along: rows as lines of JSON with the names of their columns, a file for each
/// kind, without secrets; and the files of books.
package struct Takeout: Sendable {
  /// Which columns of a table go along, under which kind.
  package struct Part: Sendable, Hashable {
    package let kind: String
    package let table: String
    /// What only this house can use: numbers that it counts, marks made with its keys.
    package let leftOut: Set<String>

    package init(_ kind: String, _ table: String, leaving leftOut: Set<String> = []) {
      (self.kind, self.table, self.leftOut) = (kind, table, leftOut)
    }
  }

  package struct Book: Sendable, Hashable {
    package let name: String
    package let file: KeptFile

    package init(name: String, file: KeptFile) { (self.name, self.file) = (name, file) }
  }

  package let parts: [Part]
  let leftOut: Set<String>

  package init(_ parts: [Part], leavingOut leftOut: Set<String>) {
    (self.parts, self.leftOut) = (parts, leftOut.union(["carrel_migration"]))
  }

  static let form = "carrel-export/1"
  static let manifest = "manifest.json"

  /// Whose rows, of which tables.
  package struct Order: Sendable {
    package let readers: [String]
    package let madeAt: String
    package let rows: @Sendable (Snapshot) throws(DatabaseError) -> [Removal]
    package let books: @Sendable (Snapshot) throws(DatabaseError) -> [Book]

    package init(
      readers: [String], madeAt: String,
      rows: @escaping @Sendable (Snapshot) throws(DatabaseError) -> [Removal],
      books: @escaping @Sendable (Snapshot) throws(DatabaseError) -> [Book]
    ) {
      (self.readers, self.madeAt, self.rows, self.books) = (readers, madeAt, rows, books)
    }
  }

  /// How many of what went along.
  package struct Tally: Sendable, Hashable {
    package var kinds: [(name: String, lines: Int)] = []
    package var books = 0

    package static func == (one: Tally, other: Tally) -> Bool {
      one.books == other.books && one.kinds.map(\.name) == other.kinds.map(\.name)
        && one.kinds.map(\.lines) == other.kinds.map(\.lines)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(books) }
  }

  /// Writes one state of all that is asked for.
  package func write(
    _ order: Order, from store: Store, to place: TakeoutPlace
  ) async throws(BackupError) -> Tally {
    let result: Result<Tally, BackupError>
    do throws(DatabaseError) {
      result = try await store.read(by: Safekeeping.patience) { snapshot throws(DatabaseError) in
        do throws(BackupError) { return .success(try written(order, snapshot, place)) } catch {
          if case .database(let error) = error { throw error }
          return .failure(error)
        }
      }
    } catch {
      throw .database(error)
    }
    return try result.get()
  }

  private func written(
    _ order: Order, _ snapshot: Snapshot, _ place: TakeoutPlace
  ) throws(BackupError) -> Tally {
    var tally = Tally()
    var files: [JSONValue] = []
    let (shapes, rows) = try reading { () throws(DatabaseError) in
      (try snapshot.tables(leavingOut: leftOut), try order.rows(snapshot))
    }
    try place.add("README.txt", Array(Self.words.utf8))
    for kind in parts.map(\.kind).distinct {
      var (lines, count) = ([UInt8](), 0)
      for part in parts where part.kind == kind {
        guard let shape = shapes.first(where: { $0.name == part.table }) else {
          throw .unknownTable(part.table)
        }
        for chosen in rows where chosen.table == part.table {
          try reading { () throws(DatabaseError) in
            try snapshot.walk(shape, of: chosen) { values throws(DatabaseError) in
              Self.line(part, shape, values).append(to: &lines)
              lines.append(UInt8(ascii: "\n"))
              count += 1
              return .next
            }
          }
        }
      }
      let name = "\(kind).jsonl"
      try place.add(name, lines)
      tally.kinds.append((kind, count))
      files.append(
        [
          "kind": .string(kind), "file": .string(name), "lines": .integer(count),
          "sha256": .string(Hex.encode(Digest.sha256.hash(lines))),
        ])
    }
    var books: [JSONValue] = []
    for book in try reading({ () throws(DatabaseError) in try order.books(snapshot) }) {
      let name = BookMember.folder + book.name
      guard try place.copy(book.file.path, to: name) else { continue }
      tally.books += 1
      books.append(["file": .string(name), "sha256": .string(book.file.digest)])
    }
    let manifest: JSONValue = [
      "form": .string(Self.form), "made_at": .string(order.madeAt),
      "readers": .array(order.readers.map(JSONValue.string)), "kinds": .array(files),
      "books": .array(books),
    ]
    try place.add(Self.manifest, manifest.bytes(.indented))
    try place.finish()
    return tally
  }

  private static func line(_ part: Part, _ shape: TableShape, _ values: [Value]) -> JSONValue {
    var row: [JSONObject.Member] = []
    for (column, value) in zip(shape.columns, values) where !part.leftOut.contains(column.name) {
      row.append(.init(column.name, RowLine.json(value)))
    }
    return ["table": .string(part.table), "row": .object(JSONObject(row))]
  }

  private static let words = """
    What a Carrel gateway keeps of its readers, made by: carrel export --all

    Take it in again with: carrel import PATH
    manifest.json  what is here, with digests
    *.jsonl        one line of JSON for each thing: which table it is of, and its columns by name;
                   times are milliseconds since 1970
    books/         the files of books on loan, as far as they may be read here

    Card numbers and PINs are not here: sign in to each card again with carrel account login.

    """
}

extension [String] {
  /// Each once, in the order of their first coming.
  fileprivate var distinct: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}

/// Where it is written: a folder, or an archive that goes wherever its bytes are sent.
package final class TakeoutPlace: Sendable {
  private enum Form: Sendable {
    case folder(String)
    case archive(@Sendable ([UInt8]) throws(MachineError) -> Void)
  }

  private let form: Form

  /// The folder is made, for its owner alone.
  package init(folder: String) throws(BackupError) {
    do throws(FileError) {
      try Folder.makePrivate(folder)
      try Folder.makePrivate(folder + "/books")
    } catch {
      throw .file(error)
    }
    form = .folder(folder)
  }

  package init(archive send: @escaping @Sendable ([UInt8]) throws(MachineError) -> Void) {
    form = .archive(send)
  }

  func add(_ name: String, _ bytes: [UInt8]) throws(BackupError) {
    try filing { () throws(MachineError) in
      switch form {
      case .folder(let folder): try WholeFile.write(bytes, to: "\(folder)/\(name)")
      case .archive(let send):
        try send(TarWriter.head(of: name, size: bytes.count))
        try send(bytes)
        try send(TarWriter.padding(after: bytes.count))
      }
    }
  }

  /// False where it is gone.
  func copy(_ path: String, to name: String) throws(BackupError) -> Bool {
    let source: OpenFile
    do throws(FileError) { source = try OpenFile(path) } catch {
      if error.isMissing { return false }
      throw .file(error)
    }
    switch form {
    case .folder(let folder):
      do throws(FileError) { try WholeFile.copy(path, to: "\(folder)/\(name)") } catch {
        throw .file(error)
      }
    case .archive(let send):
      try filing { () throws(MachineError) in
        try send(TarWriter.head(of: name, size: source.size))
        while case let piece = try source.read(), !piece.isEmpty { try send(piece) }
        try send(TarWriter.padding(after: source.size))
      }
    }
    return true
  }

  func finish() throws(BackupError) {
    guard case .archive(let send) = form else { return }
    try filing { () throws(MachineError) in try send(TarWriter.end) }
  }
}
