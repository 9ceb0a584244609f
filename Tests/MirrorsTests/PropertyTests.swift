import Circulation
import FoundationEssentials
import Machine
import ReadingLists
import TestSupport
import Testing

@testable import Mirrors

@Suite struct `Two sides that both change` {
  private static let places = ["to-read", "reading", "read", "sea"]

  /// Whatever happens on either side, in whatever order and however often it is cut off: once both are
  /// left alone, they agree after two syncs, and nothing is written after that.
  @Test(arguments: 1...12)
  func `Two sides that both change: agree in the end`(_ seed: UInt64) async throws {
    var chance = Chance.seeded(seed).generator
    let terms: ListTerms = seed % 2 == 0 ? .strict : .loose
    try await Reader.play(.sqlite, terms) { reader in
      let room = reader.room
      for number in 1...9 {
        let place = Self.places.randomElement(using: &chance) ?? "sea"
        // Wherever states exclude each other a book stands on one of them.
        let lists = terms.exclusiveStates && place == "sea" ? ["to-read", "sea"] : [place]
        room.put("\(number)", "Title \(number)", on: lists)
      }
      for _ in 0..<25 {
        reader.clock.pass(50)
        try await step(reader, &chance)
      }
      room.change { state in
        state.patience = .max
        state.hidden = []
      }
      for _ in 0..<4 {
        reader.clock.pass(200_000)
        try await reader.sync()
      }
      let writes = room.written.count
      let last = try await reader.sync()
      #expect(last.writes.isEmpty && last.arrived.isEmpty && last.left.isEmpty, "\(last)")
      #expect(room.written.count == writes)
      for place in Self.places {
        let there = room.titles(on: place)
        let here = try await reader.titles(on: place)
        #expect(here == there, "\(place)")
      }
    }
  }

  private func step(_ reader: Reader, _ chance: inout Chance.Generator) async throws {
    let number = Int.random(in: 1...9, using: &chance)
    let (item, title) = ("\(number)", "Title \(number)")
    let place = Self.places.randomElement(using: &chance) ?? "sea"
    switch Int.random(in: 0..<8, using: &chance) {
    case 0, 1:
      reader.room.change { $0.patience = 1 }
      _ = try await reader.sync()
      reader.room.change { $0.patience = .max }
    case 2: _ = try await reader.sync()
    case 3:
      reader.room.alter(item) { entry in
        let states = ["to-read", "reading", "read"].map { ListID($0) }
        if reader.room.terms.exclusiveStates, place != "sea" {
          entry.lists.removeAll { states.contains($0) }
        }
        entry.lists = (entry.lists + [ListID(place)]).distinct
      }
    case 4: reader.room.change { $0.hidden = [ItemID(item)] }
    case 5, 6:
      guard (try? await reader.list(place)) != nil,
        try await reader.member(title, on: place) == nil, reader.room[item] != nil
      else { return }
      try await reader.add(title, to: place)
    default:
      guard place == "sea" || !reader.room.terms.exclusiveStates,
        (try? await reader.list(place)) != nil,
        try await reader.member(title, on: place) != nil
      else { return }
      try await reader.remove(title, from: place)
    }
  }
}
