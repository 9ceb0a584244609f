import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `What one engine could not keep is refused by both` {
  @Test(arguments: Engine.allCases)
  func `both database engines refuse a text with a zero byte`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT \("half\0text")", as: String.self)
        }
      }
      #expect(found == .unstorable(.zeroByteInText))
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse a text with a zero byte in a bulk insert`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(everyKind)
          try tx.insert(into: "every_kind", columns: ["id", "words"], rows: ["a", "b\0c"]) {
            text, row throws(DatabaseError) in
            try row.append(text.utf8.count)
            try row.append(utf8: text.utf8.span)
          }
        }
      }
      #expect(found == .unstorable(.zeroByteInText))
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse invalid UTF-8 in a bulk insert`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(everyKind)
          try tx.insert(into: "every_kind", columns: ["words"], rows: [[0x61, 0xFF, 0x62]]) {
            bytes, row throws(DatabaseError) in
            try row.append(utf8: bytes.span)
          }
        }
      }
      #expect(found == .unstorable(.notUTF8))
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse a bulk row of the wrong length`(engine: Engine) async throws {
    try await withStore(engine) { store in
      for count in [0, 1, 3] {
        let found = await reason {
          try await store.write { tx throws(DatabaseError) in
            try tx.execute(everyKind)
            try tx.insert(into: "every_kind", columns: ["id", "whole"], rows: [1]) {
              number, row throws(DatabaseError) in
              for _ in 0..<count { try row.append(number) }
            }
          }
        }
        guard case .misuse = found else {
          Issue.record("\(String(describing: found))")
          return
        }
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse a real that is not a number`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT \(Double.nan)", as: Double.self)
        }
      }
      #expect(found == .unstorable(.notANumber))
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse more values than a statement takes`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.read { snapshot throws(DatabaseError) in
          try snapshot.value("SELECT 1 IN (\(Array(0..<70_000)))", as: Bool.self)
        }
      }
      #expect(found == .unstorable(.tooManyBindings))
    }
  }

  @Test(arguments: Engine.allCases)
  func `both database engines refuse a value of another type than its column`(engine: Engine)
    async throws
  {
    try await withStore(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.execute(everyKind)
          try tx.execute("INSERT INTO every_kind (id, whole) VALUES (1, \("seven"))")
        }
      }
      guard case .constraint(.dataType, _) = found else {
        Issue.record("\(String(describing: found))")
        return
      }
    }
  }
}
