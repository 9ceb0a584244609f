import Database
import Foundation
import StoreSupport
import TestSupport
import Testing

@Suite struct `The file of a database` {
  @Test
  func `The file of a database and its new folders are closed to others`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("new/deep/carrel.sqlite3")
      try await withStore(at: .sqlite(path: path)) { store in
        try await store.write { tx throws(DatabaseError) in try tx.execute(everyKind) }
        for name in ["", "-wal", "-shm"] { #expect(try mode(of: path + name) == 0o600) }
        #expect(try mode(of: folder.path("new")) == 0o700)
        #expect(try mode(of: folder.path("new/deep")) == 0o700)
      }
    }
  }

  @Test
  func `The file of a database is closed to others if it was open to them`() async throws {
    try await withTemporaryFolder { folder in
      let path = try folder.write([], to: "carrel.sqlite3", mode: 0o644)
      try await withStore(at: .sqlite(path: path)) { store in try await store.expectAnswers() }
      #expect(try mode(of: path) == 0o600)
    }
  }

  @Test
  func `The file of a database cannot be a folder`() async throws {
    try await withTemporaryFolder { folder in
      let found = await reason { try await Store.open(.sqlite(path: folder.path)) }
      #expect(found != nil)
    }
  }

  @Test
  func `The file of a database may have a name that SQLite reads meanings into`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("a?mode=ro#b%41 'c'.db")
      try await withStore(at: .sqlite(path: path)) { store in try await store.expectAnswers() }
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }

  @Test
  func `The file of a database is one file again after closing`() async throws {
    try await withTemporaryFolder { folder in
      try await withStore(at: .sqlite(path: folder.path("a.db"))) { store in
        try await store.write { tx throws(DatabaseError) in try tx.execute(everyKind) }
        _ = try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1", as: Int.self)
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.db"])
    }
  }

  @Test
  func `The file of a database can be copied while it is written to`() async throws {
    try await withTemporaryFolder { folder in
      try await withStore(at: .sqlite(path: folder.path("a.db"))) { store in
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(counters)
          try tx.add("kept")
        }
        try await store.write { tx throws(DatabaseError) in
          try tx.add("open")
          blocking { try? await store.backUp(to: folder.path("copy.db")) }
        }
      }
      #expect(try mode(of: folder.path("copy.db")) == 0o600)
      try await withStore(at: .sqlite(path: folder.path("copy.db"))) { copy in
        try await copy.expectNames(["kept"])
        #expect(try await copy.integrityFaults() == [])
      }
    }
  }

  @Test
  func `The file of a database is not copied onto itself`() async throws {
    try await withTemporaryFolder { folder in
      try await withStore(at: .sqlite(path: folder.path("a.db"))) { store in
        try FileManager.default.createSymbolicLink(
          atPath: folder.path("link.db"), withDestinationPath: folder.path("a.db"))
        for name in ["a.db", "./a.db", "link.db"] {
          let found = await reason { try await store.backUp(to: folder.path(name)) }
          #expect(found == .misuse("a backup onto itself"))
        }
        try await store.expectAnswers()
      }
    }
  }

  @Test
  func `The file of a database names a row whose parent is missing`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("a.db")
      let made = try await run(
        "sqlite3",
        [
          path,
          """
          CREATE TABLE p (id INTEGER PRIMARY KEY);
          CREATE TABLE c (p INTEGER REFERENCES p (id)); INSERT INTO c VALUES (1)
          """,
        ])
      #expect(made.end == .exited(0))
      try await withStore(at: .sqlite(path: path)) { store in
        let faults = try await store.integrityFaults()
        #expect(faults == ["a row of c refers to a missing row of p"])
      }
    }
  }

  private func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }
}
