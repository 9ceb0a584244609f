import Circulation
import Database
import Desk
import Synchronization

/// Chance that is the same for the same seed (splitmix64).
struct Dice: Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
    // Neighbors must not walk the same road a step apart.
    state = UInt64(roll(.max)) << 1
  }

  mutating func roll(_ count: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(count))
  }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
}

/// A town, its readers and their gateway, living through whatever one seed holds.
final class Simulation: Sendable {
  let seed: UInt64
  let house: House
  private let dice: Mutex<Dice>
  private let trouble = Mutex(Trouble())
  private let readers: [AccountID]
  private let items: [ItemID] = ["emma", "persuasion", "sanditon"]

  private struct Trouble {
    var isOn = false
    /// The next call to the library is the gateway's last.
    var crash: (@Sendable () async -> Void)?
    var emptied: Set<AccountID> = []
    /// What befell the present operation.
    var faults: [String] = []
  }

  /// What went against the promises, with all that led there.
  struct Violation: Error, CustomStringConvertible { let description: String }

  init(seed: UInt64, house: House) {
    (self.seed, self.house) = (seed, house)
    dice = Mutex(Dice(seed: seed))
    readers = (0..<3).map { AccountID("s\(seed)-r\($0)") }
  }

  func run(operations: Int) async throws -> Int {
    for (item, copies) in zip(items, [1, 1, 2]) { house.town.stock(item, copies: copies) }
    house.town.chance.withLock { $0 = { _, _ in nil } }
    var starts = 1
    var gateway = try await house.gateway(process: "s\(seed)-1")
    var log: [String] = []
    for number in 1...operations {
      let (verb, reader, item) = (
        roll(Verb.allCases.count + 1), pick(readers), pick(items)
      )
      spoil(crashing: roll(25) == 0 ? gateway.store : nil)
      let attempt = "s\(seed)-\(number)"
      let crashes = trouble.withLock { $0.crash != nil }
      let word: String
      if verb == Verb.allCases.count {
        word = await gateway.reader(reader).sync().told.joined(separator: ", ")
      } else {
        word = await gateway.reader(reader).perform(Verb.allCases[verb], item, attempt)
      }
      let what = verb == Verb.allCases.count ? "sync" : Verb.allCases[verb].rawValue
      log.append(
        "\(number) \(house.clock.real / 1000 % 100_000) \(reader) \(what) \(item): \(word)")
      log.append(contentsOf: trouble.withLock { $0.faults.map { "     \($0)" } })
      let ended = crashes && trouble.withLock { $0.crash == nil }
      trouble.withLock { $0 = Trouble(isOn: false, crash: nil, emptied: $0.emptied) }
      if ended {
        await gateway.store.close()
        house.ended.withLock { _ = $0.insert("s\(seed)-\(starts)") }
        starts += 1
        // Between the end of a process and the start of the next.
        house.clock.step(seconds: 3)
        gateway = try await house.gateway(process: "s\(seed)-\(starts)")
        log.append("crash")
        if verb < Verb.allCases.count, roll(2) == 0 {
          spoil(crashing: nil)
          let word = await gateway.reader(reader).perform(Verb.allCases[verb], item, attempt)
          log.append("\(number) repeated: \(word)")
          trouble.withLock { $0.isOn = false }
          try check(word, attempt, Verb.allCases[verb], item, reader, log)
        }
      } else if verb < Verb.allCases.count {
        try check(word, attempt, Verb.allCases[verb], item, reader, log)
      }
      house.clock.step(seconds: Int64(pick([0, 0, 3, 3, 6, 12, 60])))
      if roll(30) == 0 { house.clock.set(seconds: Int64(pick([-86_400, -300, 120, 300]))) }
      if number % 10 == 0 || number == operations { try await reconcile(gateway, &log) }
    }
    await gateway.store.close()
    return operations
  }

  private func roll(_ count: Int) -> Int { dice.withLock { $0.roll(count) } }

  private func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }

  // MARK: - Faults

  private func spoil(crashing store: Store?) {
    trouble.withLock { trouble in
      trouble.isOn = true
      if let store { trouble.crash = { @Sendable () async in await store.close() } }
    }
    house.town.chance.withLock { chance in
      chance = { operation, account in
        let fault = self.fault(operation, account)
        self.trouble.withLock {
          $0.faults.append("\(operation) \(fault.map { "\($0)" } ?? "well")")
        }
        return fault
      }
    }
  }

  private func fault(_ operation: Circulation.Operation, _ account: AccountID) -> Fault? {
    let (crash, isOn) = trouble.withLock { ($0.crash, $0.isOn) }
    guard isOn else { return nil }
    if let crash, operation != .availability, roll(2) == 0 {
      trouble.withLock { $0.crash = nil }
      return pick([.first(crash), .then(crash), .thenLost(crash)])
    }
    let wasEmptied = trouble.withLock { $0.emptied.remove(account) != nil }
    guard roll(10) < 3 else { return nil }
    let silence = pick([
      CirculationError.Reason.networkFailure, .deadlineExceeded, .providerUnavailable, .cancelled,
      .malformedResponse(expected: "sense"),
    ])
    switch operation {
    case .shelf:
      switch roll(4) {
      case 0, 1: return .stale(seconds: 6)
      case 2 where !wasEmptied:
        trouble.withLock { _ = $0.emptied.insert(account) }
        return .empty
      default: return .fail(silence)
      }
    case .availability: return .fail(silence)
    default:
      switch roll(5) {
      case 0: return .fail(silence)
      case 1: return .lose(silence)
      case 2: return .late(seconds: Int64(pick([3, 6, 9, 12])), silence)
      case 3: return .fail(pick([.accountBlocked, .providerBusy(retryAfter: nil)]))
      default: return .fail(pick([.alreadyBorrowed, .notBorrowed, .alreadyOnHold, .notOnHold]))
      }
    }
  }

  // MARK: - Promises

  private func check(
    _ word: String, _ attempt: String, _ verb: Verb, _ item: ItemID, _ reader: AccountID,
    _ log: [String]
  ) throws {
    let effects = house.town.effects(of: attempt)
    try require(effects <= 1, "\(attempt) had \(effects) effects", log)
    // "Already" is a renewal that had been in doubt, and proved true when this one was asked for.
    let stands =
      isAsWanted(verb, item, house.town.shelf(of: reader))
      || (verb == .renew && word == "already")
    switch word {
    case "lent", "done", "had", "already":
      try require(effects == 1 || stands, "\(attempt) never happened", log)
    case "in doubt": break
    case "all out, a queue", "all out, no queue", "waiting":
      try require(effects == 0, "\(attempt) was sent", log)
    default:
      try require(effects == 0, "\(attempt) happened, and was called \(word)", log)
    }
  }

  private func isAsWanted(_ verb: Verb, _ item: ItemID, _ shelf: Shelf) -> Bool {
    let (loan, hold) = (shelf.loan(of: item), shelf.hold(on: item))
    switch verb {
    case .borrow: return loan != nil
    case .giveBack: return loan == nil
    case .renew: return false
    case .placeHold: return hold != nil || loan != nil
    case .cancelHold: return hold == nil
    case .suspendHold: return hold?.word == "suspended"
    case .resumeHold: return hold?.word == "waiting"
    }
  }

  /// Once nothing can be under way, two rounds settle everything, and all is as at the library.
  private func reconcile(_ gateway: Gateway, _ log: inout [String]) async throws {
    house.town.chance.withLock { $0 = { _, _ in nil } }
    for round in 1...2 {
      house.clock.step(seconds: 30)
      for sync in await gateway.desk.sync(readers, in: Reader.call("sync")) {
        log.append("round \(round) \(sync.account): \(sync.word) \(sync.told)")
      }
    }
    try require(
      try await gateway.desk.accountsInDoubt().allSatisfy { !readers.contains($0) },
      "still in doubt", log)
    for reader in readers {
      let (kept, truth) = (try await gateway.shelf(of: reader), house.town.shelf(of: reader))
      try require(kept == truth, "\(reader) has \(truth), and is shown \(kept)", log)
      let states = try await gateway.states(of: reader)
      for (attempt, state) in states {
        let effects = house.town.effects(of: attempt)
        try require(effects <= 1, "\(attempt) had \(effects) effects", log)
        let isFair = state == "done" || effects == 0
        try require(isFair, "\(attempt) is \(state) with \(effects) effects", log)
      }
      for deed in house.town.effects where deed.account == reader {
        try require(states[deed.attempt] == "done", "\(deed.attempt) was lost", log)
      }
    }
  }

  private func require(_ condition: Bool, _ what: String, _ log: [String]) throws {
    guard !condition else { return }
    throw Violation(
      description: "seed \(seed): \(what)\n" + log.suffix(60).joined(separator: "\n"))
  }
}
