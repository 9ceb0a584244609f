/// A library that really lends: titles, copies, readers, limits, queues, offers. Every dialect
/// speaks for one of these, so that all mocks agree on what borrowing means and differ only in how
/// they say it. A value without a clock: each verb is told what time it is.
package struct LendingLibrary: Sendable {
  package var rules: LendingRules
  package internal(set) var titles: [String: Title] = [:]
  package private(set) var patrons: [String: Patron] = [:]
  package internal(set) var loans: [Loan] = []
  /// In the order of each title's queue.
  package internal(set) var holds: [Hold] = []
  /// Catalogue order: as titles were added.
  package private(set) var order: [String] = []
  /// What has left the catalogue, and when the library last looked at its clock before.
  package private(set) var withdrawn: [String: Moment] = [:]
  var lastTick = Moment(milliseconds: .min)

  package init(rules: LendingRules = LendingRules()) { self.rules = rules }
}

// MARK: - What is on the shelves and who may come

extension LendingLibrary {
  package mutating func add(_ title: Title) {
    if titles.updateValue(title, forKey: title.id) == nil { order.append(title.id) }
  }

  package mutating func add(_ patron: Patron) { patrons[patron.card] = patron }

  /// The title leaves the catalogue; what is out stays out until it comes back.
  package mutating func withdraw(_ id: String) {
    if titles.removeValue(forKey: id) != nil { withdrawn[id] = lastTick }
    order.removeAll { $0 == id }
    holds.removeAll { $0.title == id }
  }

  /// More or fewer copies, as when a library buys or a licence ends.
  package mutating func setCopies(_ copies: Copies, of id: String, at now: Moment) {
    titles[id]?.copies = copies
    titles[id]?.changed = now
    serveQueue(of: id, at: now)
  }

  package mutating func change(_ card: String, _ edit: (inout Patron) -> Void) {
    guard var patron = patrons[card] else { return }
    edit(&patron)
    patrons[card] = patron
  }
}

// MARK: - What can be asked

extension LendingLibrary {
  package func loan(of title: String, by card: String) -> Loan? {
    loans.first { $0.title == title && $0.card == card }
  }

  package func hold(on title: String, by card: String) -> Hold? {
    holds.first { $0.title == title && $0.card == card }
  }

  package func loans(by card: String) -> [Loan] { loans.filter { $0.card == card } }
  package func holds(by card: String) -> [Hold] { holds.filter { $0.card == card } }

  /// Those who wait, in order; the one with an offer has left the line.
  package func queue(for title: String) -> [Hold] {
    holds.filter { $0.title == title && !$0.isReady }
  }

  package func position(of hold: Hold) -> Int? {
    queue(for: hold.title).firstIndex { $0.id == hold.id }.map { $0 + 1 }
  }

  /// Copies that a stranger could take now: those put aside for a ready hold are not among them.
  package func copiesAvailable(of id: String) -> Int {
    guard let title = titles[id] else { return 0 }
    switch title.copies {
    case .unlimited: return Int(Int32.max)
    case .counted(let owned):
      let out = loans.count { $0.title == id }
      let aside = holds.count { $0.title == id && ($0.isReady || $0.isInTransit) }
      return max(0, owned - out - aside)
    }
  }

  /// The first copy that nobody has and that is put aside for nobody.
  func freeCopy(of id: String) -> Int {
    let used = Set(
      loans.filter { $0.title == id }.map(\.copy)
        + holds.filter { $0.title == id }.compactMap(\.copy))
    return (0...used.count).first { !used.contains($0) } ?? 0
  }
}

// MARK: - Verbs

extension LendingLibrary {
  /// Checks card and PIN as the library's own system would.
  package func signIn(card: String, pin: String?, at now: Moment) throws(LendingRefusal) -> Patron {
    guard let patron = patrons[card] else { throw .unknownCard }
    if rules.needsPIN { guard patron.pin == pin else { throw .wrongPIN } }
    if let expires = patron.expires, expires <= now { throw .expiredCard }
    if let block = patron.block { throw .blocked(block) }
    return patron
  }

  package mutating func borrow(_ id: String, by card: String, format: String? = nil, at now: Moment)
    throws(LendingRefusal) -> Loan
  {
    tick(to: now)
    guard patrons[card] != nil else { throw .unknownCard }
    guard let title = titles[id] else { throw .unknownTitle }
    guard loan(of: id, by: card) == nil else { throw .alreadyBorrowed }
    let mine = hold(on: id, by: card)
    guard mine?.isReady == true || copiesAvailable(of: id) > 0 else { throw .noCopies }
    let limit = patrons[card]?.loanLimit ?? rules.loanLimit
    guard loans(by: card).count < limit else { throw .loanLimit(limit) }
    let copy = mine?.copy ?? freeCopy(of: id)
    holds.removeAll { $0.id == mine?.id && mine != nil }
    var loan = Loan(
      title: id, card: card, since: now,
      until: rules.end(of: period(of: title.medium, for: card), from: now), format: format)
    loan.copy = copy
    loans.append(loan)
    titles[id]?.changed = now
    return loan
  }

  package mutating func giveBack(_ id: String, by card: String, at now: Moment)
    throws(LendingRefusal)
  {
    tick(to: now)
    guard let loan = loan(of: id, by: card) else { throw .notBorrowed }
    guard loan.canComeBackEarly else { throw .notReturnable }
    loans.removeAll { $0.title == id && $0.card == card }
    titles[id]?.changed = now
    serveQueue(of: id, at: now)
  }

  package mutating func lock(_ id: String, by card: String, to format: String, at now: Moment)
    throws(LendingRefusal)
  {
    tick(to: now)
    guard let index = loans.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notBorrowed
    }
    guard titles[id]?.formats.contains(format) == true else { throw .noSuchFormat }
    if let locked = loans[index].format, locked != format { throw .otherFormatLocked(locked) }
    loans[index].format = format
    loans[index].canComeBackEarly = !rules.formatsThatStay.contains(format)
  }

  package mutating func renew(_ id: String, by card: String, at now: Moment)
    throws(LendingRefusal) -> Loan
  {
    tick(to: now)
    guard let index = loans.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notBorrowed
    }
    guard loans[index].until - now <= rules.renewalWindow else { throw .tooEarlyToRenew }
    guard queue(for: id).isEmpty else { throw .othersWait }
    guard loans[index].renewals < rules.renewalLimit else { throw .renewalLimit }
    loans[index].until = rules.end(
      of: rules.loanPeriod(of: titles[id]?.medium ?? "ebook"), from: loans[index].until)
    loans[index].renewals += 1
    return loans[index]
  }

  package mutating func placeHold(
    on id: String, by card: String, email: String? = nil, pickup: String? = nil, at now: Moment
  )
    throws(LendingRefusal) -> Hold
  {
    tick(to: now)
    guard patrons[card] != nil else { throw .unknownCard }
    guard let title = titles[id] else { throw .unknownTitle }
    guard hold(on: id, by: card) == nil else { throw .alreadyOnHold }
    guard loan(of: id, by: card) == nil else { throw .alreadyBorrowed }
    if case .unlimited = title.copies { throw .holdsMakeNoSense }
    if rules.refusesHoldsOnAvailable, copiesAvailable(of: id) > 0 { throw .copyAvailable }
    let limit = patrons[card]?.holdLimit ?? rules.holdLimit
    guard holds(by: card).count < limit else { throw .holdLimit(limit) }
    var hold = Hold(id: nextHold(), title: id, card: card, placed: now, email: email)
    hold.pickup = pickup
    holds.append(hold)
    titles[id]?.changed = now
    if !rules.fetchesByHand { serveQueue(of: id, at: now) }
    return self.hold(on: id, by: card) ?? hold
  }

  package mutating func cancelHold(on id: String, by card: String, at now: Moment)
    throws(LendingRefusal)
  {
    tick(to: now)
    guard let hold = hold(on: id, by: card) else { throw .notOnHold }
    holds.removeAll { $0.id == hold.id }
    titles[id]?.changed = now
    serveQueue(of: id, at: now)
  }

  package mutating func suspendHold(
    on id: String, by card: String, until end: Moment?, at now: Moment
  ) throws(LendingRefusal) -> Hold {
    tick(to: now)
    guard let index = holds.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notOnHold
    }
    holds[index].suspension = Hold.Suspension(since: now, until: end)
    (holds[index].readyUntil, holds[index].copy, holds[index].isInTransit) = (nil, nil, false)
    let hold = holds[index]
    serveQueue(of: id, at: now)
    return hold
  }

  package mutating func resumeHold(on id: String, by card: String, at now: Moment)
    throws(LendingRefusal) -> Hold
  {
    tick(to: now)
    guard let index = holds.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notOnHold
    }
    holds[index].suspension = nil
    serveQueue(of: id, at: now)
    return hold(on: id, by: card) ?? holds[index]
  }

  func period(of medium: String, for card: String) -> Int64 {
    patrons[card]?.periods[medium] ?? rules.loanPeriod(of: medium)
  }

  /// Where a loan is renewed by waiting for the title one has: the hold becomes a loan when the
  /// present one ends, provided that nobody else waits by then.
  package mutating func placeRenewal(
    on id: String, by card: String, email: String? = nil, at now: Moment
  ) throws(LendingRefusal) -> Hold {
    tick(to: now)
    guard let loan = loan(of: id, by: card) else { throw .notBorrowed }
    guard hold(on: id, by: card) == nil else { throw .alreadyOnHold }
    guard loan.until - now <= rules.renewalWindow else { throw .tooEarlyToRenew }
    let limit = patrons[card]?.holdLimit ?? rules.holdLimit
    guard holds(by: card).count < limit else { throw .holdLimit(limit) }
    var hold = Hold(id: nextHold(), title: id, card: card, placed: now, email: email)
    hold.renews = true
    holds.append(hold)
    return hold
  }

  /// The new address of a hold; nothing else about it changes.
  package mutating func setEmail(_ email: String, ofHoldOn id: String, by card: String)
    throws(LendingRefusal)
  {
    guard let index = holds.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notOnHold
    }
    holds[index].email = email
  }

  /// Another branch to fetch it at.
  package mutating func movePickup(of id: String, by card: String, to branch: String)
    throws(LendingRefusal)
  {
    guard let index = holds.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notOnHold
    }
    holds[index].pickup = branch
  }

  /// What somebody at the library does for one hold: a copy goes on its way, or lies ready.
  package mutating func putAside(_ id: String, for card: String, arrived: Bool, at now: Moment)
    throws(LendingRefusal)
  {
    tick(to: now)
    guard let index = holds.firstIndex(where: { $0.title == id && $0.card == card }) else {
      throw .notOnHold
    }
    guard holds[index].copy != nil || copiesAvailable(of: id) > 0 else { throw .noCopies }
    holds[index].copy = holds[index].copy ?? freeCopy(of: id)
    holds[index].isInTransit = !arrived
    holds[index].readyUntil = arrived ? rules.end(of: rules.offerPeriod, from: now) : nil
    titles[id]?.changed = now
  }

  private func nextHold() -> Int { (holds.map(\.id).max() ?? 0) + 1 }
}
