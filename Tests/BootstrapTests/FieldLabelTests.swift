import Phrasebook
import ProviderKit
import Testing

@testable import Bootstrap

@Suite struct `What services ask for` {
  @Test(arguments: Tongue.allCases.filter { $0 != .english })
  func `What services ask for: is asked for in every tongue`(_ tongue: Tongue) throws {
    let catalogue = try #require(Catalogue.of(tongue))
    let labels = allProviders.flatMap(\.fields).map(\.label)
    #expect(labels.filter { catalogue.entries[$0] == nil } == [])
  }
}
