import Circulation
import Testing

@testable import ProviderKit

@Suite struct `Items cut into batches` {
  private func batches(_ names: [String], of size: Int) -> [String] {
    names.map { ItemID($0) }.batches(of: size).map { $0.map(\.rawValue).joined() }
  }

  @Test func `Items cut into batches keep their order and fill each batch`() {
    #expect(batches(["a", "b", "c", "d", "e"], of: 2) == ["ab", "cd", "e"])
  }

  @Test func `Items cut into batches are named once each`() {
    #expect(batches(["a", "b", "a", "c", "b"], of: 2) == ["ab", "c"])
  }

  @Test func `Items cut into batches make no batch where there are none`() {
    #expect(batches([], of: 25).isEmpty)
  }
}
