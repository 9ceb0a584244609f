import Circulation
import Database
import Secrets

/// A number and a PIN that were typed, and where.
struct CardAttempt: Sendable {
  let name: SignInName
  let pin: Secret
  let keepsPIN: Bool
  let door: Doorkeeper.Door
  let request: String
  /// What the pair is remembered as.
  let pair: RememberedSignIns.Pair
  /// An app password that is not this patron's: it is no PIN, and no library is shown it.
  let isAppPassword: Bool

  enum Outcome: Sendable {
    case ends(DoorAnswer)
    case wrong
    /// Milliseconds until one may try again.
    case full(Int64)
    /// There was no card to try it with.
    case nothing
  }
}

extension Doorkeeper {
  func judge(
    _ attempt: CardAttempt, _ counting: SignInCounting
  ) async throws(RegistryError) -> DoorAnswer {
    let places = counting.queued
    queue.arrive(at: places)
    defer { queue.depart(from: places) }
    let sight = try await look(counting)
    var (wasWrong, wasWrongAtPlace, wait) = (false, false, Int64(0))
    for allowance in counting.allowances(sight, at: attempt.name.library) {
      let outcome = try await judge(
        attempt, within: allowance, counting, sight, countsPlace: !wasWrongAtPlace)
      switch outcome {
      case .ends(let answer): return answer
      case .wrong:
        wasWrong = true
        if allowance.usesPlaces { wasWrongAtPlace = true }
      case .full(let more): wait = max(wait, more)
      case .nothing: break
      }
    }
    return wasWrong ? .refused : .slowed(seconds: Self.seconds(wait))
  }

  func look(_ counting: SignInCounting) async throws(RegistryError) -> SignInCounting.Sight {
    let (now, moment) = (registry.now(), queue.moment(at: counting.queued))
    let sight = try await registry.read { snapshot throws(DatabaseError) in
      SignInCounting.Sight(
        counts: try snapshot.failedSignIns(counting.all, at: now),
        places: try snapshot.knownPlaces(counting.knownPlace.bytes, at: now), moment: moment)
    }
    for (mark, place) in zip(counting.places, counting.queued) {
      queue.found(sight.counts.count(mark), at: place, since: moment)
    }
    return sight
  }

  private func judge(
    _ attempt: CardAttempt, within allowance: SignInCounting.Allowance,
    _ counting: SignInCounting, _ sight: SignInCounting.Sight, countsPlace: Bool
  ) async throws(RegistryError) -> CardAttempt.Outcome {
    let limits = allowance.marks + (allowance.usesPlaces ? counting.places : [])
    // Who has to wait anyhow holds up no queue.
    if let wait = sight.counts.wait(limits) { return .full(wait) }
    let turn = await queue.turn(
      allowance.key, at: allowance.usesPlaces ? counting.queued : [])
    guard let turn else { return .ends(.busy) }
    var failed = false
    defer { queue.end(turn, failed: failed) }
    if turn.hasWaited || queue.hasFailed(since: sight.moment) {
      if let entrant = try await remembered(attempt.pair, attempt.door) {
        return .ends(.entered(entrant))
      }
      if let wait = try await look(counting).counts.wait(limits) { return .full(wait) }
    }
    let outcome = try await judge(
      attempt, within: allowance, counting, sight,
      at: allowance.usesPlaces && countsPlace ? counting.places : [])
    if case .wrong = outcome { failed = true }
    return outcome
  }

  /// In its turn, and within its limits. `places` are counted besides the allowance itself.
  private func judge(
    _ attempt: CardAttempt, within allowance: SignInCounting.Allowance,
    _ counting: SignInCounting, _ sight: SignInCounting.Sight, at places: [FailedSignIns.Mark]
  ) async throws(RegistryError) -> CardAttempt.Outcome {
    let match =
      attempt.isAppPassword
      ? CardMatch.wrong
      : try await registry.match(
        attempt.name, pin: attempt.pin, at: libraries, in: allowance.scope)
    switch match {
    case .one(let card):
      guard try await registry.suffices(card.standing, at: attempt.door) else {
        try await failures.add(allowance.marks + places, by: counting.client)
        return .wrong
      }
      try await enter(card.standing, attempt, counting, sight, opened: card)
      return .ends(.entered(Self.entrant(card.standing)))
    // Said only to those who gave a right pair, so it is no help to those who guess.
    case .several: return .ends(.needsLibrary)
    case .wrong, .none: break
    }
    guard let ask, !attempt.isAppPassword, !attempt.name.card.plain.isEmpty, !attempt.pin.isEmpty
    else {
      if allowance.isRest, case .none = match { return .nothing }
      try await failures.add(allowance.marks + places, by: counting.client)
      return .wrong
    }
    let refused = await refused(
      attempt.name.card.plain, attempt.pin, at: attempt.name.library, in: allowance.scope)
    if try await failures.counts([refused]).wait([refused]) != nil {
      try await failures.add(allowance.marks + places, by: counting.client)
      return .wrong
    }
    // Counted before it is judged: a library takes its time, and other gateways ask it as well.
    let reservation: FailedSignIns.Reservation
    switch try await failures.reserve(allowance.marks, by: counting.client) {
    case .full(let wait): return .full(wait)
    case .reserved(let made): reservation = made
    }
    let knock = Knock(
      card: attempt.name.card.asked, pin: attempt.pin, library: attempt.name.library,
      keepsPIN: attempt.keepsPIN, scope: allowance.scope)
    let answer: Result<CardStanding?, LibrarySilence>?
    do throws(RegistryError) { answer = try await ask(knock, attempt.request) } catch {
      try await failures.cancel(reservation)
      throw error
    }
    switch answer {
    case .success(let standing?):
      guard try await registry.suffices(standing, at: attempt.door) else {
        try await failures.add(places, by: counting.client)
        return .wrong
      }
      try await enter(standing, attempt, counting, sight, opened: nil, instead: reservation)
      return .ends(.entered(Self.entrant(standing)))
    case nil:
      if allowance.isRest, case .none = match {
        try await failures.cancel(reservation)
        return .nothing
      }
      try await failures.add(places, by: counting.client)
      return .wrong
    case .success(nil):
      try await failures.add(places + [refused], by: counting.client)
      return .wrong
    case .failure(let silence):
      try await failures.cancel(reservation)
      return .ends(.unreachable(silence))
    }
  }

  /// What a success leaves behind, in one write and only where there is something to write: the line
  /// of the audit for a PIN that was opened, the address, and what the client itself had failed.
  private func enter(
    _ standing: CardStanding, _ attempt: CardAttempt, _ counting: SignInCounting,
    _ sight: SignInCounting.Sight, opened card: MatchedCard?,
    instead reservation: FailedSignIns.Reservation? = nil
  ) async throws(RegistryError) {
    let now = registry.now()
    memory.keep(standing, as: attempt.pair, at: now)
    let isKnown =
      sight.places[standing.library].map { $0 > now + KnownPlaces.span - KnownPlaces.renewal }
      ?? false
    let forgives = sight.counts.has(counting.client, in: counting.name)
    guard card != nil || forgives || !isKnown || reservation != nil else { return }
    let asker = Asker(at: now, who: standing.patron.id.rawValue, request: attempt.request)
    try await registry.write { tx throws(DatabaseError) in
      if let reservation { try tx.cancel(reservation) }
      if forgives { try tx.forgive(counting.client, in: counting.name, at: now) }
      if !isKnown { try tx.knowPlace(counting.knownPlace.bytes, of: standing, now) }
      if let card { try tx.note(card, by: asker) }
    }
  }
}
