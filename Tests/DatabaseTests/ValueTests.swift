import Database
import StoreSupport
import TestSupport
import Testing

@Suite struct `Values come back as they were stored` {
  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var whole: Int64?
    var number: Double?
    var words: String?
    var bytes: [UInt8]?
    var flag: Bool?
  }

  static let samples = [
    Sample(testDescription: "nothing at all"),
    Sample(
      testDescription: "zeros and empties", whole: 0, number: 0, words: "", bytes: [], flag: false),
    Sample(
      testDescription: "largest", whole: .max, number: .greatestFiniteMagnitude,
      words: String(repeating: "long ", count: 50_000),
      bytes: [UInt8](repeating: 0xFF, count: 300_000),
      flag: true),
    Sample(
      testDescription: "smallest", whole: .min, number: -.leastNonzeroMagnitude, words: "'",
      bytes: [0], flag: true),
    Sample(
      testDescription: "odd texts", whole: -1, number: .infinity,
      words: "🦉👩🏽‍🚀 e\u{301} \u{FEFF}\u{10FFFF} \\N \\. \t\r\n\u{1}\u{7F} '\"; --",
      bytes: Array(0...255)),
    Sample(testDescription: "sum of tenths", number: 0.1 + 0.2),
  ]

  @Test(arguments: Engine.allCases, samples)
  func `Values come back as they were stored: through a statement`(engine: Engine, sample: Sample)
    async throws
  {
    try await withStore(engine) { store in
      try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        try tx.execute(
          """
          INSERT INTO every_kind (id, whole, number, words, bytes, flag)
          VALUES (1, \(sample.whole), \(sample.number), \(sample.words), \(sample.bytes),
            \(sample.flag))
          """)
      }
      try await expect(sample, in: store)
    }
  }

  @Test(arguments: Engine.allCases, samples)
  func `Values come back as they were stored: through the bulk path`(engine: Engine, sample: Sample)
    async throws
  {
    try await withStore(engine) { store in
      let count = try await store.write { tx throws(DatabaseError) in
        try tx.execute(everyKind)
        return try tx.insert(
          into: "every_kind", columns: ["id", "whole", "number", "words", "bytes", "flag"],
          rows: [sample]
        ) { sample, row throws(DatabaseError) in
          try row.append(1)
          try row.append(sample.whole)
          try row.append(sample.number)
          try row.append(sample.words)
          try row.append(sample.bytes)
          try row.append(sample.flag)
        }
      }
      #expect(count == 1)
      try await expect(sample, in: store)
    }
  }

  private func expect(_ sample: Sample, in store: Store) async throws {
    let found = try await store.read { snapshot throws(DatabaseError) in
      try snapshot.one("SELECT * FROM every_kind") { row throws(DatabaseError) in
        Sample(
          testDescription: "", whole: try row["whole"], number: try row["number"],
          words: try row["words"], bytes: try row["bytes"], flag: try row[5])
      }
    }
    #expect(found.whole == sample.whole)
    #expect(found.number == sample.number)
    #expect(found.words.map { Array($0.utf8) } == sample.words.map { Array($0.utf8) })
    #expect(found.bytes == sample.bytes)
    #expect(found.flag == sample.flag)
  }
}
