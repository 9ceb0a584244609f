import Circulation
import ProviderKit
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing

@testable import Registry

@Suite struct `The queue of sign-ins` {
  private final class Order: Sendable {
    let kept = Mutex<[Int]>([])
  }

  private let here = [SignInQueue.Place(id: 1, limit: 3)]

  private func queue(patience: Duration = .seconds(60)) -> SignInQueue {
    SignInQueue(.init(patience: patience, longestPerPlace: 4, longest: 6))
  }

  @Test func `one number is tried one at a time, in the order of coming`() async throws {
    let queue = queue()
    let order = Order()
    let first = try #require(await queue.turn(7, at: []))
    #expect(!first.hasWaited)
    await withTaskGroup(of: Void.self) { group in
      for number in 1...3 {
        group.addTask {
          guard let turn = await queue.turn(7, at: []) else { return }
          order.kept.withLock { $0.append(number) }
          #expect(turn.hasWaited)
          queue.end(turn, failed: false)
        }
        while queue.waiting < number { await Task.yield() }
      }
      let other = await queue.turn(8, at: [])
      #expect(other?.hasWaited == false, "another number waits for nobody")
      queue.end(first, failed: false)
    }
    #expect(order.kept.withLock { $0 } == [1, 2, 3])
    #expect(queue.waiting == 0)
  }

  @Test func `from one address no more are tried at once than wrong ones are still allowed`()
    async throws
  {
    let queue = queue()
    queue.arrive(at: here)
    // Before the count was read, one at a time.
    let first = try #require(await queue.turn(1, at: here))
    let second = Task { await queue.turn(2, at: here) }
    while queue.waiting < 1 { await Task.yield() }
    queue.found(1, at: here[0], since: queue.moment(at: here))
    let turn = try #require(await second.value, "two are left of three")
    let third = Task { await queue.turn(3, at: here) }
    while queue.waiting < 1 { await Task.yield() }
    queue.end(first, failed: true)
    queue.end(turn, failed: false)
    #expect(await third.value != nil, "one is left")
    let fourth = Task { await queue.turn(4, at: here) }
    while queue.waiting < 1 { await Task.yield() }
    fourth.cancel()
    #expect(await fourth.value == nil, "who hangs up waits no longer")
    #expect(queue.waiting == 0)
  }

  @Test func `a count that was read before a failure is corrected by it`() async throws {
    let queue = queue()
    queue.arrive(at: here)
    let moment = queue.moment(at: here)
    let turn = try #require(await queue.turn(1, at: here))
    queue.end(turn, failed: true)
    #expect(queue.hasFailed(since: moment))
    queue.found(1, at: here[0], since: moment)
    let last = await queue.turn(2, at: here)
    #expect(last?.hasWaited == false)
    let more = Task { await queue.turn(3, at: here) }
    while queue.waiting < 1 { await Task.yield() }
    more.cancel()
    #expect(await more.value == nil)
  }

  @Test func `where many wait already, one more is told so at once, and no one waits for ever`()
    async throws
  {
    let queue = queue()
    queue.arrive(at: here)
    _ = await queue.turn(1, at: here)
    let waiters = (0..<4).map { number in Task { await queue.turn(UInt64(10 + number), at: here) } }
    while queue.waiting < 4 { await Task.yield() }
    #expect(await queue.turn(99, at: here) == nil)
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters { #expect(await waiter.value == nil) }
    let impatient = self.queue(patience: .milliseconds(1))
    _ = await impatient.turn(1, at: [])
    #expect(await impatient.turn(1, at: []) == nil)
  }

  @Test(arguments: Engine.allCases)
  func `of two hundred right sign-ins at once from one address none is refused`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let pupils = (0..<200).map { "2123400000\(1000 + $0)" }
      // Half are linked here, of the others a library is asked.
      let ada = try await registry.patron(named: "Ada")
      for (place, number) in pupils.enumerated() where place % 2 == 0 {
        _ = try await registry.link(ada, number, name: .like("c\(place)"))
      }
      let keeper = Doorkeeper(registry) { knock, request throws(RegistryError) in
        .success(
          try await registry.welcome(
            Member(
              of: LibraryID("town"), at: someProvider, identity: knock.card,
              credentials: Credentials(["card": knock.card, "pin": knock.pin]), keepsPIN: false),
            request: request))
      }
      let inside = await withTaskGroup(of: Bool.self) { group in
        for number in pupils {
          group.addTask {
            (try? await keeper.admit(number, "1234", from: "school"))?.patron != nil
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(inside == 200)
    }
  }

  @Test(arguments: Engine.allCases)
  func `of a thousand wrong sign-ins at once from one address thirty are judged`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let asked = Mutex(0)
      let keeper = Doorkeeper(house.registry()) { _, _ throws(RegistryError) in
        asked.withLock { $0 += 1 }
        return .success(nil)
      }
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<1_000 {
          group.addTask { _ = try? await keeper.admit("9000\(number)", "1", from: "school") }
        }
      }
      #expect(asked.withLock { $0 } == 30)
    }
  }

  @Test(arguments: Engine.allCases)
  func `of a hundred guesses at once at a PIN that is kept here ten are judged`(
    engine: Engine
  ) async throws {
    try await withHouse(engine) { house in
      let registry = house.registry()
      let ada = try await registry.patron(named: "Ada")
      _ = try await registry.link(ada, "21234000000018")
      let keeper = Doorkeeper(registry)
      let heard = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<100 {
          group.addTask {
            (try? await keeper.admit("21234000000018", "9\(number)", from: "h\(number)"))
              == .refused
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(heard == 10)
    }
  }
}
