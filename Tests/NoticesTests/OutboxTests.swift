import Circulation
import Database
import Machine
import Secrets
import StoreSupport
import TestSupport
import Testing

@testable import Notices

@Suite(.timeLimit(.minutes(3))) struct `A fact` {
  @Test(arguments: Engine.allCases)
  func `A fact is told once for each change, by each channel that wants it`(_ engine: Engine)
    async throws
  {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      _ = try await notices.addHook(receiver.address, name: "other")
      _ = try await notices.addHook(receiver.address, name: "loans") { $0.kinds = [.loanDue] }
      _ = try await notices.addHook(receiver.address, of: bob, name: "bobs")
      #expect(try await notices.tell([.ready(), .ready()]) == 1)
      #expect(try await room.notices().tell([.ready()]) == 0)
      #expect(try await notices.deliver(limit: 10) == DeliveryTally(sent: 2))
      #expect(try await notices.deliver(limit: 10) == DeliveryTally())
      #expect(receiver.posts.count == 2)
      // Another end of the same offer is another change.
      #expect(try await notices.tell([.ready(change: "day 9")]) == 1)
      #expect(try await notices.deliver(limit: 1).sent == 1)
      #expect(try await notices.deliver(limit: 10).sent == 1)
      #expect(receiver.posts.count == 4)
      #expect(Set(receiver.posts.compactMap { $0.headers["webhook-id"] }).count == 4)
    }
  }

  @Test(arguments: Engine.allCases)
  func `A fact stands in the inbox, also without any channel`(_ engine: Engine) async throws {
    try await withRoom(engine) { room in
      let notices = room.notices()
      try await notices.tell([.ready(), .ready(bob, "hold-2")])
      #expect(try await notices.unreadCount(of: ada) == 1)
      let notice = try #require(try await notices.inbox(of: ada, onlyUnread: true).first)
      #expect(notice.wording.title == "A hold is ready at City Library")
      #expect(notice.wording.body.contains("\u{201C}The Quillon Tides\u{201D} is ready"))
      #expect(notice.wording.body.contains("card city, EPUB"))
      #expect(try await notices.readAll(of: ada) == 1)
      #expect(try await notices.inbox(of: ada, onlyUnread: true) == [])
      #expect(try await notices.inbox(of: ada, onlyUnread: false).count == 1)
      #expect(try await notices.unreadCount(of: bob) == 1)
      #expect(try await notices.deliver(limit: 10) == DeliveryTally())
    }
  }

  @Test(arguments: Engine.allCases)
  func `A fact reported by many at once is one`(_ engine: Engine) async throws {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      let facts = (0..<30).map { Fact.ready(ada, "hold-\($0)") }
      let news = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await room.notices().tell(facts) } }
        return try await group.reduce(0, +)
      }
      #expect(news == 30)
      // And by many who deliver at once it goes out once.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            // One that finds all that is left being claimed by others stops before them.
            while try await room.notices().deliver(limit: 5).sent > 0 {}
          }
        }
        try await group.waitForAll()
      }
      while try await notices.deliver(limit: 50).sent > 0 {}
      #expect(receiver.posts.count == 30)
      #expect(try await room.states() == [String](repeating: "sent", count: 30))
    }
  }

  @Test func `A fact is forgotten after a year and some weeks`() async throws {
    try await withRoom(.sqlite) { room in
      let notices = room.notices()
      try await notices.tell([.ready()])
      room.clock.advance(by: 399 * 86_400_000)
      try await notices.tidy()
      #expect(try await notices.tell([.ready()]) == 0)
      room.clock.advance(by: 2 * 86_400_000)
      try await notices.tidy()
      #expect(try await notices.inbox(of: ada, onlyUnread: false) == [])
    }
  }
}

@Suite(.timeLimit(.minutes(3))) struct `A gateway that is killed` {
  @Test(arguments: Engine.allCases)
  func `a notice claimed by a gateway that dies before sending is sent once`(_ engine: Engine)
    async throws
  {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      // Killed with the claim in hand: nobody touches it until the lease is over.
      let dead = try #require(try await notices.claim())
      #expect(try await room.states() == ["sending"])
      #expect(try await room.notices().deliver(limit: 9) == DeliveryTally())
      room.clock.advance(by: 180_000)
      #expect(try await room.notices().deliver(limit: 9).sent == 1)
      #expect(receiver.posts.count == 1)
      // What the dead one would have said counts for nothing.
      #expect(try await !notices.settle(dead, .refused("late")))
      #expect(try await room.states() == ["sent"])
    }
  }

  @Test(arguments: Engine.allCases)
  func `a notice of a gateway that dies while sending is sent again with the same id`(
    _ engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      let dead = try #require(try await notices.claim())
      // It went out, and the word of that was lost.
      #expect(try await notices.sent(dead) == .taken)
      room.clock.advance(by: 180_000)
      #expect(try await room.notices().deliver(limit: 9).sent == 1)
      let names = receiver.posts.compactMap { $0.headers["webhook-id"] }
      #expect(names.count == 2 && Set(names).count == 1)
      #expect(receiver.posts[0].body == receiver.posts[1].body)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a notice settled before its gateway dies is not sent again`(_ engine: Engine) async throws {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      let dead = try #require(try await notices.claim())
      #expect(try await notices.settle(dead, try await notices.sent(dead)))
      room.clock.advance(by: 86_400_000)
      #expect(try await room.notices().deliver(limit: 9) == DeliveryTally())
      #expect(receiver.posts.count == 1)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a digest of a dead gateway is sent again unchanged, and new notices separately`(
    _ engine: Engine
  ) async throws {
    try await withRoom(engine) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address) { $0.hours = Hours(digest: 13 * 60) }
      try await notices.tell([.ready(), .ready(ada, "hold-2")])
      #expect(try await notices.deliver(limit: 9) == DeliveryTally())
      room.clock.advance(by: 3_600_000)
      let dead = try #require(try await notices.claim())
      #expect(dead.rows.count == 2)
      #expect(try await notices.sent(dead) == .taken)
      room.clock.advance(by: 10)
      try await notices.tell([.ready(ada, "hold-3")])
      room.clock.advance(by: 180_000)
      while try await room.notices().deliver(limit: 9).sent > 0 {}
      let posts = receiver.posts
      #expect(posts.count == 3)
      let again = posts.filter { $0.headers["webhook-id"] == posts[0].headers["webhook-id"] }
      #expect(again.count == 2 && again[0].body == again[1].body)
    }
  }

  @Test func `A gateway that is killed by a clock that was ahead keeps nobody waiting`()
    async throws
  {
    try await withRoom(.sqlite) { room in
      let receiver = try Receiver()
      defer { receiver.stop() }
      let notices = room.notices()
      _ = try await notices.addHook(receiver.address)
      try await notices.tell([.ready()])
      room.clock.advance(by: 86_400_000)
      _ = try #require(try await notices.claim())
      room.clock.advance(by: -86_400_000)
      #expect(try await room.notices().deliver(limit: 9).sent == 1)
    }
  }
}
