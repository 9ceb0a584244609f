import Circulation
import StoreSupport
import TestSupport
import Testing

@testable import Reading

@Suite struct `A reader's taste` {
  @Test(arguments: Engine.allCases)
  func `reading preferences are one record in which each way of reading changes its own entries`(
    engine: Engine
  ) async throws {
    try await withStore(engine, tables: [Tastes.migrations]) { store in
      let tastes = Tastes(store: store, now: { 1 })
      let (ada, bob) = (PatronID("ada"), PatronID("bob"))
      #expect(try await tastes.taste(of: ada) == Taste())
      try await tastes.keep(Taste(text: "width 44\ncolors sepia\n"), of: ada)
      try await tastes.keep(Taste(text: "colors white on black\nface serif\n"), of: ada)
      let taste = try await tastes.taste(of: ada)
      #expect(taste["width"] == "44" && taste["face"] == "serif")
      #expect(taste["colors"] == "white on black")
      #expect(try await tastes.taste(of: bob) == Taste())
    }
  }
}
