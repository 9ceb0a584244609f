import CSV
import Circulation
import FoundationEssentials
import ReadingLists
import Testing

@testable import ShelfFiles

/// All of a file that was just written down in a test.
func read(
  _ text: String, as format: ShelfFormat? = nil
) throws(ShelfFileError) -> (ShelfFile, ShelfReading) {
  try read(Array(text.utf8), as: format)
}

func read(
  _ bytes: [UInt8], as format: ShelfFormat? = nil
) throws(ShelfFileError) -> (ShelfFile, ShelfReading) {
  var file = try ShelfFile(bytes, as: format)
  let reading = ShelfReading(&file)
  return (file, reading)
}

func book(_ text: String, as format: ShelfFormat? = nil) throws -> KeptEntry {
  let (_, reading) = try read(text, as: format)
  #expect(reading.faults.map(\.meaning) == [])
  return try #require(reading.books.first).kept
}

extension ShelfReading {
  var reasons: [String] {
    faults.map { row in
      guard case .fault(let reason) = row.meaning else { return "" }
      return reason
    }
  }
}

func day(_ year: Int, _ month: Int? = nil, _ day: Int? = nil) -> PartialDate {
  PartialDate(year: year, month: month, day: day)
}

/// The same dice in every run.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state &* 0x2545_F491_4F6C_DD1D
  }

  mutating func one<T>(_ of: [T]) -> T { of[Int.random(in: 0..<of.count, using: &self)] }
}
