import Circulation
import Database
import Desk
import Synchronization
import TestSupport
import Testing

/// Where a gateway may end, as seen from outside. Its store is closed there, so that nothing it does
/// afterwards is kept.
enum Step: String, CaseIterable, CustomTestStringConvertible {
  case intentWritten, arrivesLater, carriedOut, answered
  case beforeSecondLook, afterSecondLook, beforeSecondLookAfterDeed, afterSecondLookAfterDeed

  var testDescription: String { rawValue }

  /// Whether the library has done it when all is over.
  var isDone: Bool {
    switch self {
    case .intentWritten, .beforeSecondLook, .afterSecondLook: false
    case .arrivesLater, .carriedOut, .answered, .beforeSecondLookAfterDeed,
      .afterSecondLookAfterDeed:
      true
    }
  }

  func prepare(
    _ town: Town, _ operation: Circulation.Operation, end: @escaping @Sendable () async -> Void
  ) {
    let ending = [Fault.first(end), .then(end)]
    switch self {
    case .intentWritten:
      // The request was never sent: the ended gateway does nothing more.
      town.plan(operation, .fail(.networkFailure))
      town.plan(.shelf, ending[0])
    case .arrivesLater:
      town.plan(operation, .late(seconds: 9, .cancelled))
      town.plan(.shelf, ending[0])
    case .carriedOut: town.plan(operation, .thenLost(end))
    case .answered: town.plan(operation, .then(end))
    case .beforeSecondLook, .afterSecondLook:
      town.plan(operation, .fail(.networkFailure))
      town.plan(.shelf, ending[self == .beforeSecondLook ? 0 : 1])
    case .beforeSecondLookAfterDeed, .afterSecondLookAfterDeed:
      town.plan(operation, .lose(.networkFailure))
      town.plan(.shelf, ending[self == .beforeSecondLookAfterDeed ? 0 : 1])
    }
  }
}

@Suite struct `After an end at any step` {
  private static let verbs: [(Verb, Circulation.Operation)] = [
    (.borrow, .checkOut), (.giveBack, .checkIn), (.renew, .renew), (.placeHold, .placeHold),
    (.cancelHold, .cancelHold), (.suspendHold, .suspendHold), (.resumeHold, .resumeHold),
  ]

  @Test(arguments: Engine.allCases, Step.allCases)
  func `after a crash at any step the next gateway settles every command`(
    engine: Engine, step: Step
  )
    async throws
  {
    try await withHouse(engine) { house in
      for (number, (verb, operation)) in Self.verbs.enumerated() {
        let account = AccountID("reader-\(number)")
        let town = house.town
        let (mine, his) = (ItemID("mine-\(number)"), ItemID("his-\(number)"))
        town.stock(mine)
        town.stock(his)
        let first = try await house.gateway()
        try await setUp(verb, first, account, mine, his)
        house.clock.step(seconds: 60)
        let item = [.borrow, .giveBack, .renew].contains(verb) ? mine : his
        step.prepare(town, operation) { await first.store.close() }
        _ = await first.reader(account).perform(verb, item, "last-\(number)")
        await first.store.close()

        let next = try await house.gateway()
        let reader = next.reader(account)
        #expect(try await next.desk.accountsInDoubt() == [account], "\(verb)")
        // Nothing is made up as long as it may be under way.
        let early = await reader.sync()
        for told in early.settled { #expect(told.happened == true && step.isDone, "\(verb)") }
        house.clock.step(seconds: 30)
        let late = await reader.sync()
        #expect(try await next.desk.accountsInDoubt() == [], "\(verb)")
        let told = early.told + late.told
        #expect(told == ["\(verb.rawValue) \(item): \(step.isDone)"], "\(verb)")
        #expect(town.effects(of: "last-\(number)") == (step.isDone ? 1 : 0), "\(verb)")
        #expect(try await next.shelf(of: account) == town.shelf(of: account), "\(verb)")
      }
    }
  }

  private func setUp(
    _ verb: Verb, _ gateway: Gateway, _ account: AccountID, _ mine: ItemID, _ his: ItemID
  ) async throws {
    let reader = gateway.reader(account)
    if verb == .giveBack || verb == .renew {
      #expect(await reader.perform(.borrow, mine) == "lent")
    }
    #expect(await gateway.reader("other").perform(.borrow, his) == "lent")
    if [.cancelHold, .suspendHold, .resumeHold].contains(verb) {
      #expect(await reader.perform(.placeHold, his) == "done")
    }
    if verb == .resumeHold { #expect(await reader.perform(.suspendHold, his) == "done") }
  }
}

@Suite struct `A command that is called off` {
  @Test(arguments: Engine.allCases)
  func `a command canceled before it is sent has no effect`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      let gate = Gate()
      let command = Task {
        await gate.wait()
        return await ada.perform(.giveBack, "emma", "off")
      }
      command.cancel()
      gate.open()
      _ = await command.value
      #expect(house.town.effects.isEmpty)
      #expect(house.town.count(.checkIn) == 0)
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a command canceled while the library works on it is finished`(engine: Engine) async throws {
    try await withReader(engine) { house, gateway, ada async throws in
      house.town.stock("emma")
      let running = Running()
      house.town.plan(.checkOut, .then { running.cancel() })
      #expect(await running.start { await ada.perform(.borrow, "emma") } == "lent")
      #expect(try await gateway.shelf(of: "ada").loans.count == 1)

      // Its answer is lost with it: the shelf tells.
      house.clock.step(seconds: 60)
      house.town.plan(.checkIn, .thenLost { running.cancel() })
      #expect(await running.start { await ada.perform(.giveBack, "emma") } == "done")
      #expect(try await gateway.shelf(of: "ada") == Shelf())

      // During the second look it is too late to call anything off.
      house.clock.step(seconds: 60)
      house.town.plan(.checkOut, .lose(.networkFailure))
      house.town.plan(.shelf, .first { running.cancel() })
      #expect(await running.start { await ada.perform(.borrow, "emma") } == "lent")
      #expect(try await gateway.openAttempts(of: "ada").isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A command that is called off ends within the second look when nobody answers`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let gateway = try await house.gateway {
        ($0.secondLook, $0.grace) = (.milliseconds(200), .milliseconds(200))
      }
      house.town.stock("emma")
      let (running, gate, stuck) = (Running(), Gate(), Gate())
      house.town.plan(.checkOut, .stall)
      house.town.plan(.shelf, .first { await stuck.wait() })
      let began = ContinuousClock.now
      let word = await running.start {
        gate.open()
        return await gateway.reader().perform(.borrow, "emma", within: .seconds(60))
      } meanwhile: {
        await gate.wait()
        // Called off when it is at the library, not before.
        while house.town.count(.checkOut) == 0 { await Task.yield() }
        running.cancel()
      }
      #expect(word == "in doubt")
      #expect(began.duration(to: .now) < .seconds(8))
      stuck.open()
    }
  }
}

/// A task that can be called off from inside.
private final class Running: Sendable {
  private let task = Mutex<Task<String, Never>?>(nil)

  func cancel() { task.withLock { $0?.cancel() } }

  func start(
    _ body: @escaping @Sendable () async -> String,
    meanwhile: @escaping @Sendable () async -> Void = {}
  ) async -> String {
    let gate = Gate()
    let started = Task {
      await gate.wait()
      return await body()
    }
    task.withLock { $0 = started }
    gate.open()
    await meanwhile()
    return await started.value
  }
}
