import Circulation
import Log
import Machine
import Membership
import ProviderKit
import Registry
import Schedule

extension JobKind {
  static let signIns: JobKind = "sign-ins"
}

extension DueWork {
  /// Cards that were linked before it was noted whether their library found the PIN right. Nothing is
  /// planned once each of them is decided.
  static let signIns = DueWork(
    kind: .signIns,
    plans: { house in
      guard try await house.registry.undecidedCount() > 0 else { return [] }
      return [Plan(.signIns, of: wholeHouse, every: .seconds(300))]
    },
    perform: { house, _, logger in
      if let locked = await house.vaultTrouble() { return JobOutcome(failed: [locked]) }
      do throws(RegistryError) {
        let decided = try await house.decideSignIns()
        if decided > 0 { logger.info("cards decided for sign-in", [.pair("count", decided)]) }
        let left = try await house.registry.undecidedCount()
        let note = "\(decided) decided, \(left) left"
        return left == 0 ? .over(note: note) : .done(note: note)
      } catch {
        return JobOutcome(failed: error)
      }
    })
}

extension House {
  /// A library that is not configured at the moment, or whose settings cannot be read, keeps its cards
  /// undecided. Returns how many were decided.
  func decideSignIns() async throws(RegistryError) -> Int {
    let houses = enrollment.houses
    let without = houses.all.filter { $0.pinCheck == .never }.map(\.id)
    var count = try await registry.decideAgainst(without)
    let request = Self.requestID()
    let sure = houses.all.filter { $0.pinCheck == .always }.map(\.id)
    let end = time.monotonic() + .seconds(400)
    var batch = try await registry.undecidedAccounts(at: sure, atMost: 500)
    while !batch.isEmpty, time.monotonic() < end {
      for one in batch {
        // Its library was asked when the PIN was linked. Without one there was nothing to ask about.
        try await registry.decideSignIn(
          of: one.account.id, isVerified: one.keepsPIN || one.isMember, request: request)
        count += 1
      }
      batch = try await registry.undecidedAccounts(at: sure, atMost: 500)
    }
    for house in houses.all where house.pinCheck == .whenChallenged {
      for one in try await registry.undecidedAccounts(at: [house.id], atMost: 20) {
        guard let isVerified = await verifies(one) else { continue }
        try await registry.decideSignIn(
          of: one.account.id, isVerified: isVerified, request: request)
        count += 1
      }
    }
    return count
  }

  /// Nil where the library gives no answer now.
  private func verifies(_ undecided: UndecidedAccount) async -> Bool? {
    guard undecided.keepsPIN else { return false }
    return try? await enrollment.verifies(undecided.account, in: call(nil))
  }
}
