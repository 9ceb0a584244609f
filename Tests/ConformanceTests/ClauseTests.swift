import Circulation
import OverDriveMock
import ProviderKit
import Testing

@testable import Conformance

/// A promise is worth something only if it can be seen to be broken.
@Suite struct `The conformance suite` {
  /// Says that it can do what it cannot.
  struct Boaster: CirculationProvider {
    static let capabilities: Set<Capability> = [.shelf, .renewal]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: ProviderID("boaster"), availabilityBatch: 1)
    }
  }

  /// Can do what it says that it cannot, and sees an empty shelf everywhere.
  struct Modest: CirculationProvider {
    static let capabilities: Set<Capability> = [.shelf]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: ProviderID("modest"), availabilityBatch: 1)
    }

    func shelf(in call: Call) async throws(CirculationError) -> Shelf { Shelf() }

    func checkOut(_ item: ItemID, as format: Format?, in call: Call)
      async throws(CirculationError) -> BorrowOutcome
    {
      .borrowed(Loan(item: item, until: nil))
    }
  }

  private func house(of provider: some CirculationProvider) -> House {
    let listing = ProviderListing(
      id: provider.describe().provider, title: "x", capabilities: type(of: provider).capabilities,
      fields: [], make: { _, _, _ in provider })
    return House(
      listing, playedBy: OverDriveDialect.dialect, mockLibrary: "4225", openFormats: [],
      endpoints: [])
  }

  private func clause(_ sentence: String, _ provider: any CirculationProvider.Type) throws
    -> Clause
  {
    try #require(Clause.all(binding: provider).first { $0.promise.sentence == sentence })
  }

  @Test func `The conformance suite has promises enough, and no two alike`() {
    let sentences = Promise.all.map(\.sentence)
    #expect(sentences.count >= 45)
    #expect(Set(sentences).count == sentences.count)
    #expect(Set(Promise.all.flatMap(\.needs)) == Set(Capability.allCases))
    #expect(Set(Peril.all.map(\.name)).count == Peril.all.count)
  }

  @Test func `The conformance suite names both halves`() throws {
    let clauses = Clause.all(binding: Boaster.self).map(\.testDescription)
    #expect(clauses.contains("keeps: an empty shelf is an answer"))
    #expect(clauses.contains("refuses: reading lists have names, each its own"))
  }

  @Test func `The conformance suite catches a provider that declares what it cannot do`()
    async throws
  {
    let clause = try clause("a loan that has just begun is not renewed", Boaster.self)
    await withKnownIssue { try await clause.check(in: house(of: Boaster())) }
  }

  @Test func `The conformance suite catches a provider that hides what it can do`() async throws {
    let clause = try clause("a loan ends when the library says", Modest.self)
    await withKnownIssue { try await clause.check(in: house(of: Modest())) }
  }

  @Test func `The conformance suite lets a provider refuse what it does not declare`() async throws
  {
    let clause = try clause("friends have names, each their own", Modest.self)
    try await clause.check(in: house(of: Modest()))
  }

  @Test func `The conformance suite catches a provider that takes silence for an empty shelf`()
    async throws
  {
    let clause = try clause("an answer without a word is no empty shelf", Modest.self)
    await withKnownIssue { try await clause.check(in: house(of: Modest())) }
    let cell = try #require(
      Cell.all(for: Modest.self).first { $0.testDescription == "shelf: empty with status 200" })
    await withKnownIssue { try await cell.check(in: house(of: Modest())) }
  }
}
