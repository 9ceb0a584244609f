import Testing

@testable import MockKit

@Suite struct `Seeded data` {
  let now = Moment(milliseconds: 1_767_225_600_000)

  @Test func `Seeded data is the same for the same seed and another for another`() {
    let one = (0..<50).map { SeededTitles(seed: 7).title($0, addedBefore: now) }
    let again = (0..<50).reversed().map { SeededTitles(seed: 7).title($0, addedBefore: now) }
    #expect(one == again.reversed())
    #expect(one != (0..<50).map { SeededTitles(seed: 8).title($0, addedBefore: now) })
  }

  /// Pinned, because fixtures and recordings out there rest on them.
  @Test func `Seeded data keeps its first numbers from release to release`() {
    var random = SeededRandom(seed: 1)
    #expect(random.next() == 0x910A_2DEC_8902_5CC1)
    #expect(random.next() == 0xBEEB_8DA1_658E_EC67)
  }

  @Test func `Seeded data has identifiers in the shape of a version 4 UUID, all different`() {
    var random = SeededRandom(seed: 3)
    let ids = (0..<1000).map { _ in random.guid() }
    #expect(Set(ids).count == 1000)
    #expect(
      ids.allSatisfy { $0.count == 36 && Array($0)[14] == "4" && "89ab".contains(Array($0)[19]) })
  }
}

@Suite struct `A fault plan` {
  let now = Moment(milliseconds: 1_767_225_600_000)

  private func strikes(_ fault: Fault, times: Int = 9) -> [Bool] {
    var plan = FaultPlan(seed: 1)
    plan.add(fault)
    return (0..<times).map { _ in
      !plan.strike(provider: "p", operation: "shelf", path: "/v1/x", at: now).faults.isEmpty
    }
  }

  @Test func `A fault plan strikes the first few`() {
    var fault = Fault(name: "f", kind: .status(500))
    fault.count = .first(2)
    #expect(strikes(fault, times: 4) == [true, true, false, false])
  }

  @Test func `A fault plan strikes every third`() {
    var fault = Fault(name: "f", kind: .reset)
    fault.count = .every(3)
    #expect(strikes(fault, times: 6) == [false, false, true, false, false, true])
  }

  @Test func `A fault plan strikes where it was aimed only`() {
    for aim in [\Fault.provider, \Fault.operation, \Fault.pathPrefix] {
      var fault = Fault(name: "f", kind: .empty)
      fault[keyPath: aim] = "/elsewhere"
      #expect(!strikes(fault).contains(true))
    }
    var late = Fault(name: "f", kind: .empty)
    late.window = now + 1..<now + 2
    #expect(!strikes(late).contains(true))
  }

  @Test func `a mock fault with a probability occurs at that rate and is reproducible`() {
    var fault = Fault(name: "f", kind: .timeout)
    fault.probability = 0.3
    let run = strikes(fault, times: 2000)
    #expect((500...700).contains(run.count { $0 }))
    #expect(run == strikes(fault, times: 2000))
  }
}
