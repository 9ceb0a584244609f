import Crypto
import Database
import Machine
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Safekeeping

@Suite struct `A backup` {
  private let keeping = Safekeeping(Holdings.scope)

  struct Way: Sendable, CustomTestStringConvertible {
    let from: Engine
    let to: Engine
    var testDescription: String { "\(from.rawValue) to \(to.rawValue)" }

    static let all = Engine.allCases.flatMap { from in
      Engine.allCases.map { Way(from: from, to: $0) }
    }
  }

  @Test(arguments: Way.all)
  func `A backup of either engine fills either, with every value, number and trigger`(_ way: Way)
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup.tar")
      let before = try await withStore(way.from, tables: [Holdings.migrations]) { store in
        try await Holdings.add(50, to: store)
        // The highest number is given out, and gone.
        try await store.write { tx throws(DatabaseError) in
          try tx.execute("DELETE FROM belonging WHERE thing = 50")
          try tx.execute("DELETE FROM thing WHERE id = 50")
        }
        let manifest = try await keeping.copy(of: store, at: path)
        #expect(manifest.rows == 49 + 49 + 1)
        return try await Holdings.told(store)
      }
      try await withStore(way.to) { store in
        try await keeping.put(path, into: store)
        #expect(try await Holdings.told(store) == before)
        try await Holdings.add(1, to: store)
        let after = try await Holdings.told(store)
        #expect(after.contains { $0.hasPrefix("51 ") })
        #expect(after.last == "told 51")
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `A backup is of one moment, while others write`(_ engine: Engine) async throws {
    try await withTemporaryFolder { folder in
      try await withStore(engine, tables: [Holdings.migrations]) { store in
        try await Holdings.add(200, to: store)
        let load = Task {
          for start in stride(from: 200, to: 100_000, by: 1) where !Task.isCancelled {
            try await Holdings.add(1, to: store, from: start)
          }
        }
        for round in 0..<5 {
          let path = folder.path("\(round).tar")
          let manifest = try await keeping.copy(of: store, at: path)
          let rows = Dictionary(uniqueKeysWithValues: manifest.tables.map { ($0.name, $0.rows) })
          // Both are written in one transaction: a copy never has one without the other.
          #expect(rows["thing"] == rows["belonging"])
          #expect(try Safekeeping.verify(path, passphrase: nil) == manifest)
        }
        load.cancel()
        _ = await load.result
      }
    }
  }

  @Test(arguments: [nil, Secret(Array("correct horse".utf8))])
  func `A backup with any bit changed, or cut anywhere, is refused`(_ passphrase: Secret?)
    async throws
  {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup")
      try folder.write([UInt8](repeating: 7, count: 700), to: "book")
      let digest = Hex.encode(Digest.sha256.hash([UInt8](repeating: 7, count: 700)))
      try await withStore(.sqlite, tables: [Holdings.migrations]) { store in
        try await Holdings.add(3, to: store)
        _ = try await keeping.copy(
          of: store, at: path, passphrase: passphrase, keys: [1, 2, 3],
          books: [KeptFile(digest: digest, path: folder.path("book"))])
      }
      let whole = try folder.read("backup")
      // Every passphrase costs a third of a second.
      let step = passphrase == nil ? 13 : whole.count / 7
      for place in stride(from: 0, to: whole.count, by: step) {
        var bytes = whole
        bytes[place] ^= 1 << UInt8(place % 8)
        try folder.write(bytes, to: "flipped")
        #expect(throws: BackupError.self, "byte \(place)") {
          try Safekeeping.verify(folder.path("flipped"), passphrase: passphrase)
        }
      }
      for length in stride(from: 0, to: whole.count, by: step * 5 + 1) {
        try folder.write(Array(whole.prefix(length)), to: "cut")
        #expect(throws: BackupError.self, "\(length) bytes") {
          try Safekeeping.verify(folder.path("cut"), passphrase: passphrase)
        }
      }
      try folder.write(whole + [0], to: "longer")
      #expect(throws: BackupError.self) {
        try Safekeeping.verify(folder.path("longer"), passphrase: passphrase)
      }
    }
  }

  @Test func `A backup that was changed names the part`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup.tar")
      try await withStore(.sqlite, tables: [Holdings.migrations]) { store in
        try await Holdings.add(3, to: store)
        _ = try await keeping.copy(of: store, at: path)
      }
      var bytes = try folder.read("backup.tar")
      let place = try #require(bytes.firstRange(of: Array("wörd".utf8))).lowerBound
      bytes[place] ^= 1
      try folder.write(bytes, to: "backup.tar")
      let error = #expect(throws: BackupError.self) {
        try Safekeeping.verify(path, passphrase: nil)
      }
      guard case .damaged(let member)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(member.hasPrefix("tables/"))
    }
  }

  @Test func `A backup that is sealed shows nothing, and wants its passphrase`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup.sealed")
      let right = Secret(Array("correct horse".utf8))
      let before = try await withStore(.sqlite, tables: [Holdings.migrations]) { store in
        try await Holdings.add(2000, to: store)
        _ = try await keeping.copy(of: store, at: path, passphrase: right)
        return try await Holdings.told(store)
      }
      let bytes = try folder.read("backup.sealed")
      #expect(bytes.firstRange(of: Array("belonging".utf8)) == nil)
      #expect(throws: BackupError.self) { try Safekeeping.verify(path, passphrase: nil) }
      #expect(throws: BackupError.self) {
        try Safekeeping.verify(path, passphrase: Secret(Array("wrong horse".utf8)))
      }
      try await withStore(.sqlite) { store in
        try await keeping.put(path, into: store, passphrase: right)
        #expect(try await Holdings.told(store) == before)
      }
    }
  }

  @Test func `A backup of an older program is brought up to date`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup.tar")
      try await withStore(.sqlite, tables: [Holdings.migrations]) { store in
        try await Holdings.add(3, to: store)
        _ = try await keeping.copy(of: store, at: path)
      }
      for engine in Engine.allCases {
        try await withStore(engine) { store in
          try await Safekeeping(Holdings.newer).put(path, into: store)
          let notes = try await store.read { tx throws(DatabaseError) in
            try tx.rows("SELECT note FROM thing") { row throws(DatabaseError) -> String in
              try row[0]
            }
          }
          #expect(notes == ["none", "none", "none"])
          // And what is newer than the program is refused.
          let newest = folder.path("newest-\(engine.rawValue).tar")
          _ = try await Safekeeping(Holdings.newer).copy(of: store, at: newest)
          try await withStore(.sqlite) { other in
            await #expect(throws: BackupError.self) { try await keeping.put(newest, into: other) }
          }
        }
      }
    }
  }

  @Test func `A backup that fails half way into PostgreSQL leaves what was there`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.path("backup.tar")
      try await withStore(.sqlite, tables: [Holdings.migrations]) { store in
        try await Holdings.add(30, to: store)
        _ = try await keeping.copy(of: store, at: path)
      }
      try await withStore(.postgres, tables: [Holdings.migrations]) { store in
        try await Holdings.add(5, to: store)
        let before = try await Holdings.told(store)
        var manifest = try Safekeeping.verify(path, passphrase: nil)
        manifest.tables[manifest.tables.count - 1].digest = String(repeating: "0", count: 64)
        await #expect(throws: BackupError.self) {
          try await keeping.put(path, into: store, manifest)
        }
        #expect(try await Holdings.told(store) == before)
        // While a gateway is there nothing is touched.
        let presence = try #require(try store.news(holding: 4711))
        var lines = presence.makeAsyncIterator()
        #expect(await lines.next() == .listening)
        await #expect(throws: BackupError.self) { try await keeping.put(path, into: store) }
        #expect(try await Holdings.told(store) == before)
      }
    }
  }
}
