import Circulation
import Database
import Desk
import FrontDesk
import HTTP
import OPDS
import Registry
import Synchronization
import TestSupport
import Testing

@testable import Facade

@Suite struct `A request with an idempotency key` {
  private static let key: Headers = ["Idempotency-Key": "0123456789abcdef"]
  private static let other: Headers = ["Idempotency-Key": "another-key-of-the-app"]

  private func revoke(_ room: LendingRoom) async throws -> String {
    let books = try await room.ask("/opds/shelf").feed?.publications ?? []
    return try #require(books.first?.links.first(.revoke)).href
  }

  @Test(arguments: Engine.allCases)
  func `a repeated return request with an idempotency key is answered with 200 each time`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      #expect(try await room.ask(borrow).status == 201)
      let revoke = try await revoke(room)
      for _ in 0..<3 {
        let answer = try await room.ask(revoke, .put, Self.key)
        #expect(answer.status == 200 && answer.entry?.title == "The Here Book", "\(answer.text)")
      }
      #expect(room.lender.commands == ["borrow here", "return here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a request with an idempotency key is answered alike by every gateway`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let gateways = [room, try await room.another(), try await room.another()]
      let borrow = try await room.book("Here").acquisitions[0].link.href
      for gateway in gateways {
        #expect(try await gateway.ask(borrow, .post, Self.key).status == 201)
      }
      let revoke = try await revoke(gateways[1])
      for gateway in gateways {
        let answer = try await gateway.ask(revoke, .put, Self.key)
        #expect(answer.status == 200 && answer.entry?.title == "The Here Book")
      }
      // Sent to all of them at once it is done once.
      let hold = try await room.book("Out").acquisitions[0].link.href
      let codes = try await withThrowingTaskGroup(of: Int.self) { group in
        for gateway in gateways {
          group.addTask { try await gateway.ask(hold, .post, Self.other).status }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(codes.isSubset(of: [200, 201, 503]) && codes.contains(201), "\(codes)")
      for gateway in gateways {
        #expect(try await gateway.ask(hold, .post, Self.other).status == 201)
      }
      #expect(room.lender.commands == ["borrow here", "return here", "hold out"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `repeated borrow and hold requests with an idempotency key are answered alike`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      for _ in 0..<3 { #expect(try await room.ask(borrow, .post, Self.key).status == 201) }
      let back = try await revoke(room)
      for _ in 0..<3 { #expect(try await room.ask(back, .put, Self.key).status == 200) }
      // Also after what it did was undone.
      #expect(try await room.ask(borrow, .post, Self.key).status == 201)
      #expect(room.lender.commands == ["borrow here", "return here"])

      let hold = try await room.book("Out").acquisitions[0].link.href
      for _ in 0..<3 { #expect(try await room.ask(hold, .post, Self.other).status == 201) }
      let cancel = try await revoke(room)
      for _ in 0..<3 { #expect(try await room.ask(cancel, .put, Self.other).status == 200) }
      #expect(room.lender.commands.suffix(2) == ["hold out", "cancel out"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `repeated returns of an unlisted loan with an idempotency key are answered alike`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      room.lender.change(room.ada.id) { $0.loans = [Loan(item: ItemID("stray"), until: nil)] }
      try await room.sync(room.ada)
      let revoke = try await revoke(room)
      for _ in 0..<3 { #expect(try await room.ask(revoke, .put, Self.key).status == 200) }
      #expect(room.lender.commands == ["return stray"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `A request with an idempotency key stays with the card that it was sent for first`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let second = try await room.secondCard()
      for card in [room.ada, second] {
        room.lender.change(card.id) { $0.loans = [Loan(item: ItemID("here"), until: nil)] }
        try await room.sync(card)
      }
      let revoke = try await revoke(room)
      for _ in 0..<3 { #expect(try await room.ask(revoke, .put, Self.key).status == 200) }
      #expect(room.lender.commands == ["return here"])
      #expect(try await room.ask(revoke, .put, Self.other).status == 200)
      #expect(room.lender.commands == ["return here", "return here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a refused request with an idempotency key is refused alike on repeat`(engine: Engine)
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      room.lender.fail(.loanLimitReached(limit: 3))
      let first = try await room.ask(borrow, .post, Self.key)
      #expect(first.status == 403 && first.code == "loan_limit_reached")
      for _ in 0..<2 {
        let again = try await room.ask(borrow, .post, Self.key)
        #expect(again.status == 403 && again.code == first.code)
        #expect(again.text.contains("its 3 loans") == first.text.contains("its 3 loans"))
      }
      #expect(room.lender.commands.isEmpty)
    }
  }

  /// Nothing was sent, so nothing was settled.
  @Test func `A request with an idempotency key that found no copy may find one later`()
    async throws
  {
    try await LendingRoom.open { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      room.lendToOthers("here")
      #expect(try await room.ask(borrow, .post, Self.key).code == "no_copies_available")
      room.lender.stock("here", 2)
      try await room.note()
      room.watch.forget()
      #expect(try await room.ask(borrow, .post, Self.key).status == 201)
      #expect(try await room.ask(borrow, .post, Self.key).status == 201)
      #expect(room.lender.commands == ["borrow here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an idempotency key is refused when the same reader used it for another request`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let here = try await room.book("Here").acquisitions[0].link.href
      let unasked = try await room.book("Unasked").acquisitions[0].link.href
      #expect(try await room.ask(here, .post, Self.key).status == 201)
      for address in [unasked, here + (here.contains("?") ? "&" : "?") + "format=epub"] {
        let answer = try await room.ask(address, .post, Self.key)
        #expect(answer.status == 422 && answer.code == "attempt_differs", "\(answer.text)")
      }
      #expect(try await room.ask(here, .put, Self.key).status == 422)
      // Another reader's keys are his own.
      let bob = try await room.ask(here, .post, as: LendingRoom.bobCard, Self.key)
      #expect(bob.status == 201)
      #expect(room.lender.commands == ["borrow here", "borrow here"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `an unconfirmed request with an idempotency key is answered alike once it is settled`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      #expect(try await room.ask(borrow).status == 201)
      let revoke = try await revoke(room)
      // Else it is not known whether the shelf lags behind the borrowing.
      room.clock.withLock {
        $0.now += 30_000
        $0.instant += .seconds(30)
      }
      room.lender.fail(.networkFailure)
      for _ in 0..<2 {
        let doubt = try await room.ask(revoke, .put, Self.key)
        #expect(doubt.status == 503 && doubt.code == "in_doubt")
        #expect(doubt.head["Retry-After"] == "3")
      }
      room.lender.change(room.ada.id) { $0.loans = [] }
      for _ in 0..<3 { #expect(try await room.ask(revoke, .put, Self.key).status == 200) }
      #expect(room.lender.commands == ["borrow here"])
    }
  }

  /// The gateway was killed after the library had done it, and another settled the command.
  @Test(arguments: Engine.allCases)
  func `a request with an idempotency key whose outcome was lost is answered as it ended`(
    engine: Engine
  )
    async throws
  {
    try await LendingRoom.open(engine) { room in
      let borrow = try await room.book("Here").acquisitions[0].link.href
      #expect(try await room.ask(borrow, .post, Self.key).status == 201)
      let revoke = try await revoke(room)
      #expect(try await room.ask(revoke, .put, Self.key).status == 200)
      try await room.forgetOutcomes()
      for _ in 0..<2 { #expect(try await room.ask(revoke, .put, Self.key).status == 200) }
      #expect(room.lender.commands == ["borrow here", "return here"])

      let out = try await room.book("Out").acquisitions[0].link.href
      #expect(try await room.ask(out, .post, Self.other).status == 201)
      try await room.forgetOutcomes()
      for _ in 0..<2 { #expect(try await room.ask(out, .post, Self.other).status == 201) }
    }
  }
}

extension LendingRoom {
  /// What a gateway would have noted at last, had it not been killed.
  fileprivate func forgetOutcomes() async throws {
    try await store.write { tx throws(DatabaseError) in
      try tx.execute("UPDATE slip SET outcome = NULL")
    }
  }
}
