package import Circulation
import ProviderKit
import Testing

/// A promise as one provider is bound to it: declared, it must be kept; undeclared, every operation
/// that it takes must say so. A capability can lie in neither direction.
package struct Clause: Sendable, CustomTestStringConvertible {
  let promise: Promise
  let missing: Set<Capability>

  package var testDescription: String {
    "\(missing.isEmpty ? "keeps" : "refuses"): \(promise.sentence)"
  }

  package static func all(
    binding provider: any CirculationProvider.Type, lacking: Set<Capability> = []
  ) -> [Clause] {
    let declared = provider.capabilities.subtracting(lacking)
    return Promise.all.map { promise in
      Clause(promise: promise, missing: promise.needs.subtracting(declared))
    }
  }

  package func check(in house: House) async throws {
    try await Premises.open(house) { premises in
      guard !missing.isEmpty else { return try await promise.kept(premises) }
      for capability in missing { try await capability.isRefused(on: premises) }
    }
  }
}

extension Capability {
  /// Tries everything that this capability would allow.
  func isRefused(on premises: Premises) async throws {
    let item = try premises.title()
    let desk = try premises.ada
    if self == .harvestSince, premises.declares(.harvest) {
      return try await onlyWholeHarvests(desk, premises)
    }
    for deed in Deed.all where deed.capability == self {
      // Where nobody needs an account there is nobody to be refused.
      if deed.operation == .checkAccount,
        premises.house.listing.fields.isEmpty || premises.declares(.shelf)
          || premises.declares(.lists)
      {
        continue
      }
      let error = await #expect(throws: CirculationError.self, "\(deed.name)") {
        _ = try await deed.perform(desk, item, premises.call)
      }
      #expect(error?.reason == .unsupported(self), "\(deed.name)")
      #expect(error?.operation == deed.operation, "\(deed.name)")
      #expect(error?.provider == premises.house.listing.id, "\(deed.name)")
    }
    #expect(premises.requests.isEmpty, "something was sent before the refusal")
  }

  /// It has no operation of its own: a harvest that ends then leaves nothing to go on from.
  private func onlyWholeHarvests(
    _ desk: any CirculationProvider, _ premises: Premises
  ) async throws {
    let harvest = try await premises.harvest(by: desk)
    guard let next = harvest.next else { return }
    do throws(CirculationError) {
      // Of a catalogue that is one file it may tell that it is the same, or begin it anew.
      let page = try await desk.harvest(from: next, in: premises.call)
      #expect(page.changes.isEmpty || page.scope == .startsOver)
    } catch {
      #expect(error.reason == .unsupported(.harvestSince))
    }
  }
}
