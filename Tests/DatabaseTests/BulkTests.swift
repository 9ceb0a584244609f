import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Many rows are inserted at once` {
  @Test(arguments: Engine.allCases)
  func `a bulk insert stores a hundred thousand rows`(engine: Engine) async throws {
    try await withStore(engine) { store in
      let count = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        return try tx.insert(
          into: "every_kind", columns: ["id", "words", "number", "flag"], rows: 0..<100_000
        ) { number, row throws(DatabaseError) in
          try row.append(number)
          try row.append("row \(number)\t\\")
          try row.append(number % 3 == 0 ? nil : Double(number) / 4)
          try row.append(number % 2 == 0)
        }
      }
      #expect(count == 100_000)
      let sums = try await store.read { snapshot throws(DatabaseError) in
        try snapshot.one(
          """
          SELECT sum(id), sum(length(words)), sum(number), sum(CASE WHEN flag THEN 1 ELSE 0 END)
          FROM every_kind
          """
        ) { row throws(DatabaseError) -> ([Int], Double) in
          ([try row[0], try row[1], try row[3]], try row[2])
        }
      }
      let numbers = 0..<100_000
      #expect(sums.0[0] == numbers.reduce(0, +))
      #expect(sums.0[1] == numbers.reduce(0) { $0 + "row \($1)\t\\".count })
      #expect(sums.0[2] == 50_000)
      #expect(sums.1 == numbers.filter { $0 % 3 != 0 }.reduce(0) { $0 + Double($1) / 4 })
    }
  }

  @Test(arguments: Engine.allCases)
  func `a bulk insert of no rows inserts none and succeeds`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let count = try await store.write { tx throws(DatabaseError) in
        try tx.insert(into: "counter", columns: ["name"], rows: [String]()) {
          name, row throws(DatabaseError) in try row.append(name)
        }
      }
      #expect(count == 0)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a bulk insert with one refused row inserts none`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await failure {
        try await store.write { tx throws(DatabaseError) in
          try tx.insert(into: "counter", columns: ["name", "number"], rows: [1, 2, -3, 4]) {
            number, row throws(DatabaseError) in
            try row.append("hunter\(number)")
            try row.append(number)
          }
        }
      }
      #expect(found?.reason == .constraint(.check, name: "counter_not_negative"))
      #expect(found.map { !"\($0)".contains("hunter") } == true)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a bulk insert whose closure throws inserts none`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write { tx throws(DatabaseError) in
          try tx.insert(into: "counter", columns: ["name", "number"], rows: 0..<100_000) {
            number, row throws(DatabaseError) in
            if number == 50_000 { throw DatabaseError.forTests }
            try row.append("n\(number)")
            try row.append(number)
          }
        }
      }
      #expect(found == DatabaseError.forTests.reason)
      try await store.expectNames([])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a bulk insert that fails inside a savepoint undoes only the savepoint`(engine: Engine)
    async throws
  {
    try await withCounters(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.add("a")
        do throws(DatabaseError) {
          try tx.savepoint { tx throws(DatabaseError) in
            try tx.insert(into: "counter", columns: ["name", "number"], rows: ["b", "a"]) {
              name, row throws(DatabaseError) in
              try row.append(name)
              try row.append(1)
            }
          }
        } catch {}
        try tx.add("c")
      }
      try await store.expectNames(["a", "c"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a deadline ends a bulk insert and undoes it`(engine: Engine) async throws {
    try await withCounters(engine) { store in
      let found = await reason {
        try await store.write(by: .now + .milliseconds(200)) { tx throws(DatabaseError) in
          try tx.insert(into: "counter", columns: ["name", "number"], rows: 0...) {
            number, row throws(DatabaseError) in
            try row.append("n\(number)")
            try row.append(number)
          }
        }
      }
      #expect(found == .deadlineExceeded)
      try await store.expectNames([])
    }
  }
}
