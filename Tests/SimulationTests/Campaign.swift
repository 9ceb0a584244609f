import Books
import Circulation
import Database
import Desk
import Downloads
import FoundationEssentials
import HTTPServer
import Log
import Machine
import MockKit
import Registry
import Schedule
import Synchronization
import TestSupport

@testable import Bootstrap

/// A town, its readers and their gateway, living through whatever one seed holds.
final class Campaign {
  /// What went against the promises, with all that led there.
  struct Violation: Error, CustomStringConvertible { let description: String }

  /// What a seed has been through.
  struct Tally: Sendable {
    /// Where the time went.
    var took: [String: Duration] = [:]
    var steps = 0
    var crashes = 0
    var effects = 0
    var words: [String: Int] = [:]
    var perils: [Peril: Int] = [:]
    var ends: [String: Int] = [:]
    var harms: [String: Int] = [:]
    /// All that was told and done, in order: the same for the same seed.
    var story: [String] = []
  }

  let town: Town
  let seed: UInt64
  let fate: Fate
  let time = SimulatedTime()
  let mocks = Town.mocks()
  let wire: PlayedWire
  let doom: Doom
  let log = TownLog()
  let path: String
  var house: Bootstrap.House
  var machine = TownMachine()
  var tally = Tally()
  var attempts: [Attempt] = []
  /// Who stands behind each card, in the order of `Town.cards`.
  var accounts: [(card: TownCard, account: Account)] = []

  struct Attempt {
    let verb: Verb
    let card: Int
    let item: ItemID
    let name: String
    /// Since the evening before.
    let madeAt: Duration
  }

  init(
    town: Town, seed: UInt64, name: String, strikesQuestions: Bool = true
  ) async throws {
    (self.town, self.seed, fate) = (town, seed, Fate(seed: seed))
    wire = PlayedWire(
      mocks, time, fate, cards: Set(Town.cards.map(\.number)), strikesQuestions: strikesQuestions)
    doom = Doom(fate)
    let doom = doom
    wire.crash.withLock { crash in
      crash = { place in
        doom.strikes(place, kind: String(place.prefix { $0 != " " }) + " sending")
      }
    }
    let began = ContinuousClock.now
    path = try await town.morning(name)
    house = try await town.open(path, time, Self.trial(wire, doom, machine.run(by: time)), log)
    for card in Town.cards {
      let patron = try await house.registry.patron(named: card.reader)
      accounts.append((card, try await house.registry.account(named: card.name, of: patron.id)))
    }
    tally.took["opening"] = ContinuousClock.now - began
  }

  private static func trial(_ wire: PlayedWire, _ doom: Doom, _ run: MachineRun) -> HouseTrial {
    HouseTrial(
      transport: wire.transport, store: doom.store, disk: doom.disk, run: run, chance: { 0.5 })
  }

  // MARK: - The course of events

  func run(steps: Int) async throws -> Tally {
    let result: Result<Void, any Error>
    do { result = .success(try await live(steps)) } catch { result = .failure(error) }
    await house.close()
    await town.leave(path)
    (tally.perils, tally.effects) = (wire.perils, wire.effects.count)
    (tally.ends, tally.harms) = doom.tally
    try result.get()
    return tally
  }

  private func live(_ steps: Int) async throws {
    for number in 1...steps {
      try await timed("steps") { try await step(number) }
      if number % 12 == 0 || number == steps {
        try await timed("quiet") { try await settle(number) }
      }
    }
    try await timed("search") { try await searchForSecrets() }
    tally.steps = steps
  }

  private func timed(_ what: String, _ work: () async throws -> Void) async throws {
    let began = ContinuousClock.now
    defer { tally.took[what, default: .zero] += ContinuousClock.now - began }
    try await work()
  }

  private func step(_ number: Int) async throws {
    await wire.arrive()
    let deed = choose(number)
    let isCrashing = fate.draw("crash \(number)", 8) == 0
    doom.begin(
      step: number, isOn: fate.draw("store \(number)", 4) == 0,
      crashingAfter: isCrashing ? fate.draw("when \(number)", 24) : nil)
    wire.begin(
      step: number, attempt: deed.name,
      danger: fate.pick("danger \(number)", [0, 0, 0, 15, 25, 25, 50, 80]))
    let word = await perform(deed)
    let requests = wire.end()
    let troubles = doom.end()
    say("\(number) \(clockText) \(deed): \(word)")
    for line in requests + troubles { say("     \(line)") }
    tally.words[word, default: 0] += 1
    if doom.isDead {
      try await startAgain()
    } else if case .command(let attempt) = deed {
      try check(word, attempt)
    }
    await passTime(number)
  }

  func say(_ line: String) { tally.story.append(line) }

  private var clockText: String {
    let off = time.wrong.milliseconds / 1000
    return "\(time.passed.milliseconds / 1000)s" + (off == 0 ? "" : " (clock \(off)s off)")
  }

  /// A process that ended leaves its files and nothing else. Now and then the machine ended with it, or
  /// another one takes over.
  private func startAgain() async throws {
    let isOther = fate.draw("machine \(tally.crashes)", 3) == 0
    if isOther { machine.startAgain(at: time.passed) }
    try await timed("starting again") {
      await house.close()
      doom.revive()
      wire.isDead = false
      house = try await town.open(path, time, Self.trial(wire, doom, machine.run(by: time)), log)
    }
    tally.crashes += 1
    say(isOther ? "started again, and its machine too" : "started again")
  }

  /// Whatever a gateway does each minute it does before a long time has passed.
  private func passTime(_ number: Int) async {
    let isLong = fate.draw("long \(number)", 6) == 0
    let spans = [0, 0, 2, 3, 6, 12, 45, 600] + (isLong ? [2 * 86_400, 19 * 86_400] : [])
    let span = fate.pick("pass \(number)", spans)
    time.pass(.seconds(min(span, 60)))
    if span > 60 {
      await wire.arrive()
      _ = await DueWork.settling.perform(house, wholeHouse, .silent)
      time.pass(.seconds(span - 60))
    }
    if fate.draw("jump \(number)", 12) == 0 {
      time.wrong = .seconds(fate.pick("off \(number)", [-300, -60, 0, 0, 120, 300]))
    }
  }
}
