import Testing

@testable import MockKit

@Suite struct `A lending library` {
  static let start = Moment(milliseconds: 1_767_225_600_000)
  static let day = LendingRules.day

  var library: LendingLibrary
  var now = start

  init() {
    library = LendingLibrary()
    for card in ["ann", "bob", "cyd"] { library.add(Patron(card: card, pin: "1234", name: card)) }
    for (id, copies) in [("one", 1), ("two", 2), ("none", 0)] {
      library.add(
        Title(id: id, name: id, authors: ["A"], copies: .counted(copies), added: Self.start))
    }
    library.add(
      Title(id: "ever", name: "ever", authors: ["A"], copies: .unlimited, added: Self.start))
  }

  @Test
  mutating func
    `A lending library lends a copy for the loan period and takes it back by the clock`() throws
  {
    let loan = try library.borrow("one", by: "ann", at: now)
    #expect(loan.until == now + 21 * Self.day)
    #expect(library.copiesAvailable(of: "one") == 0)
    library.tick(to: now + 21 * Self.day)
    #expect(library.loans.isEmpty)
    #expect(library.copiesAvailable(of: "one") == 1)
  }

  @Test mutating func `A lending library lends no copy twice`() throws {
    _ = try library.borrow("one", by: "ann", at: now)
    #expect(throws: LendingRefusal.noCopies) { try library.borrow("one", by: "bob", at: now) }
    #expect(throws: LendingRefusal.alreadyBorrowed) {
      try library.borrow("one", by: "ann", at: now)
    }
  }

  @Test
  mutating func
    `A lending library lends an unlimited title to everybody and keeps no queue for it`() throws
  {
    for card in ["ann", "bob", "cyd"] { _ = try library.borrow("ever", by: card, at: now) }
    #expect(throws: LendingRefusal.alreadyBorrowed) {
      try library.placeHold(on: "ever", by: "ann", at: now)
    }
    try library.giveBack("ever", by: "ann", at: now)
    #expect(throws: LendingRefusal.holdsMakeNoSense) {
      try library.placeHold(on: "ever", by: "ann", at: now)
    }
  }

  @Test
  mutating func `A lending library offers a returned copy to the first in line and to nobody else`()
    throws
  {
    _ = try library.borrow("one", by: "ann", at: now)
    _ = try library.placeHold(on: "one", by: "bob", at: now)
    _ = try library.placeHold(on: "one", by: "cyd", at: now)
    #expect(library.hold(on: "one", by: "cyd").flatMap { library.position(of: $0) } == 2)
    try library.giveBack("one", by: "ann", at: now)
    #expect(library.hold(on: "one", by: "bob")?.readyUntil == now + 3 * Self.day)
    #expect(library.hold(on: "one", by: "cyd").flatMap { library.position(of: $0) } == 1)
    #expect(throws: LendingRefusal.noCopies) { try library.borrow("one", by: "ann", at: now) }
    #expect(throws: LendingRefusal.noCopies) { try library.borrow("one", by: "cyd", at: now) }
    _ = try library.borrow("one", by: "bob", at: now)
    #expect(library.hold(on: "one", by: "bob") == nil)
  }

  @Test
  mutating func `A lending library passes a missed offer on and lets the one who missed it rest`()
    throws
  {
    _ = try library.borrow("one", by: "ann", at: now)
    _ = try library.placeHold(on: "one", by: "bob", at: now)
    _ = try library.placeHold(on: "one", by: "cyd", at: now)
    library.tick(to: now + 24 * Self.day)
    #expect(library.hold(on: "one", by: "bob")?.suspension != nil)
    #expect(library.hold(on: "one", by: "cyd")?.readyUntil == now + 27 * Self.day)
  }

  @Test
  mutating func `A lending library runs what fell due in its order, however far the clock jumps`()
    throws
  {
    library.rules.missedOffer = .dropsHold
    _ = try library.borrow("one", by: "ann", at: now)
    _ = try library.placeHold(on: "one", by: "bob", at: now)
    library.tick(to: now + 400 * Self.day)
    #expect(library.holds.isEmpty)
    #expect(library.copiesAvailable(of: "one") == 1)
  }

  @Test mutating func `A lending library passes a suspended hold over and keeps its place`() throws
  {
    _ = try library.borrow("one", by: "ann", at: now)
    _ = try library.placeHold(on: "one", by: "bob", at: now)
    _ = try library.placeHold(on: "one", by: "cyd", at: now)
    _ = try library.suspendHold(on: "one", by: "bob", until: nil, at: now)
    try library.giveBack("one", by: "ann", at: now)
    #expect(library.hold(on: "one", by: "cyd")?.isReady == true)
    #expect(library.hold(on: "one", by: "bob")?.isReady == false)
    _ = try library.resumeHold(on: "one", by: "bob", at: now)
    #expect(library.hold(on: "one", by: "bob").flatMap { library.position(of: $0) } == 1)
  }

  @Test mutating func `A lending library ends a dated suspension by the clock`() throws {
    _ = try library.borrow("one", by: "ann", at: now)
    _ = try library.placeHold(on: "one", by: "bob", at: now)
    _ = try library.suspendHold(on: "one", by: "bob", until: now + 30 * Self.day, at: now)
    library.tick(to: now + 25 * Self.day)
    #expect(library.hold(on: "one", by: "bob")?.isReady == false)
    library.tick(to: now + 30 * Self.day)
    #expect(library.hold(on: "one", by: "bob")?.readyUntil == now + 33 * Self.day)
  }

  @Test
  mutating func `A lending library keeps limits on loans and on holds, for all or for one reader`()
    throws
  {
    library.rules.loanLimit = 1
    library.change("bob") { $0.loanLimit = 2 }
    _ = try library.borrow("one", by: "ann", at: now)
    #expect(throws: LendingRefusal.loanLimit(1)) { try library.borrow("two", by: "ann", at: now) }
    _ = try library.borrow("two", by: "bob", at: now)
    _ = try library.borrow("ever", by: "bob", at: now)
    library.rules.holdLimit = 0
    #expect(throws: LendingRefusal.holdLimit(0)) {
      try library.placeHold(on: "none", by: "ann", at: now)
    }
  }

  @Test mutating func `A lending library keeps a loan that is bound to a format that stays`() throws
  {
    library.rules.formatsThatStay = ["adobe"]
    var title = Title(id: "f", name: "f", authors: [], copies: .counted(1), added: now)
    title.formats = ["adobe", "open"]
    library.add(title)
    _ = try library.borrow("f", by: "ann", at: now)
    try library.lock("f", by: "ann", to: "adobe", at: now)
    #expect(throws: LendingRefusal.notReturnable) { try library.giveBack("f", by: "ann", at: now) }
    #expect(throws: LendingRefusal.otherFormatLocked("adobe")) {
      try library.lock("f", by: "ann", to: "open", at: now)
    }
  }

  @Test mutating func `A lending library renews near the end when nobody waits`() throws {
    let loan = try library.borrow("one", by: "ann", at: now)
    #expect(throws: LendingRefusal.tooEarlyToRenew) { try library.renew("one", by: "ann", at: now) }
    let late = now + 19 * Self.day
    #expect(try library.renew("one", by: "ann", at: late).until == loan.until + 21 * Self.day)
    _ = try library.placeHold(on: "one", by: "bob", at: late)
    #expect(throws: LendingRefusal.othersWait) {
      try library.renew("one", by: "ann", at: late + 21 * Self.day)
    }
  }

  @Test
  mutating func `the mock library tells a wrong PIN, unknown, expired and blocked cards apart`()
    throws
  {
    #expect(throws: LendingRefusal.wrongPIN) {
      try library.signIn(card: "ann", pin: "4321", at: now)
    }
    #expect(throws: LendingRefusal.unknownCard) {
      try library.signIn(card: "dan", pin: "1234", at: now)
    }
    library.change("ann") { $0.expires = Self.start }
    #expect(throws: LendingRefusal.expiredCard) {
      try library.signIn(card: "ann", pin: "1234", at: now)
    }
    library.change("bob") { $0.block = .fines }
    #expect(throws: LendingRefusal.blocked(.fines)) {
      try library.signIn(card: "bob", pin: "1234", at: now)
    }
    library.rules.needsPIN = false
    #expect(try library.signIn(card: "cyd", pin: nil, at: now).card == "cyd")
  }

  @Test mutating func `A lending library gives new copies to those who wait`() throws {
    _ = try library.placeHold(on: "none", by: "ann", at: now)
    library.setCopies(.counted(1), of: "none", at: now)
    #expect(library.hold(on: "none", by: "ann")?.isReady == true)
  }

  /// Copies out and put aside never exceed copies owned, whatever is asked in whatever order.
  @Test(arguments: 0..<50)
  func `A lending library never lends more than it owns`(seed: Int) {
    var library = library
    var random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func roll(_ sides: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(sides))
    }
    var now = now
    for _ in 0..<300 {
      let (card, id) = (["ann", "bob", "cyd"][roll(3)], ["one", "two", "none"][roll(3)])
      switch roll(7) {
      case 0: _ = try? library.borrow(id, by: card, at: now)
      case 1: try? library.giveBack(id, by: card, at: now)
      case 2: _ = try? library.placeHold(on: id, by: card, at: now)
      case 3: try? library.cancelHold(on: id, by: card, at: now)
      case 4: _ = try? library.suspendHold(on: id, by: card, until: nil, at: now)
      case 5: _ = try? library.resumeHold(on: id, by: card, at: now)
      default: now = now + Int64(roll(10)) * Self.day
      }
      for (id, owned) in [("one", 1), ("two", 2), ("none", 0)] {
        let out = library.loans.count { $0.title == id }
        let aside = library.holds.count { $0.title == id && $0.isReady }
        #expect(out + aside <= owned)
        let waiting = library.queue(for: id).contains { $0.suspension == nil }
        #expect(!(waiting && library.copiesAvailable(of: id) > 0), "a copy lies idle")
      }
    }
  }
}
