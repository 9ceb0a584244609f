package import Circulation
import Database
package import Secrets

extension Doorkeeper {
  /// What is said of secrets that are judged elsewhere, by a library or by a sealed record.
  package enum Verdict: Sendable, Hashable {
    case right
    case wrong
    /// It said nothing of the secrets, neither for nor against them.
    case undecided
  }

  package enum TrialAnswer: Sendable, Hashable {
    /// It was judged.
    case judged
    /// The library refused this PIN a few minutes ago, and is not asked again.
    case refused
    case slowed(seconds: Int)
  }

  /// A card that a patron who is signed in links, or gives a new PIN.
  package struct CardTrial: Sendable {
    let patron: PatronID
    let library: LibraryID
    let number: Secret?
    let pin: Secret?
    let cookie: DeviceCookie

    /// `number` is nil where the service knows none.
    package init(
      of patron: PatronID, at library: LibraryID, number: Secret?, pin: Secret?,
      cookie: DeviceCookie
    ) {
      (self.patron, self.library, self.number) = (patron, library, number)
      (self.pin, self.cookie) = (pin, cookie)
    }
  }

  /// Linking counts as sign-ins of the same number do. A card that this patron has linked there has a
  /// count of its own, as the browser and the address have from which it signed in: strangers who used
  /// theirs up keep no patron from a new PIN. With any other card a patron is a stranger, and all
  /// such attempts count for the patron too.
  package func trying(
    _ trial: CardTrial, from place: ClientAddress, _ judge: () async -> Verdict
  ) async -> TrialAnswer {
    do throws(RegistryError) {
      let name = trial.number.map { number in
        number.revealText { Secret("\(trial.library.rawValue)/\($0)") }
      }
      let counting = await counting(
        name ?? Secret("account of \(trial.patron.rawValue)"), place, trial.cookie)
      let allowance = try await allowance(for: trial, counting)
      let pin = trial.pin ?? Secret("")
      let refused = await refused(counting.number, pin, at: trial.library, in: allowance.scope)
      return try await tried(counting, allowance, unless: pin.isEmpty ? nil : refused, judge)
    } catch {
      // What cannot be counted is not tried.
      return .slowed(seconds: 1)
    }
  }

  /// A secret of the patron's own that no library judges: no stranger can use its count up, wherever
  /// they share an address. Nil where `judge` was asked, else the seconds to wait. One at a time, so
  /// that many at once are no way around the count.
  package func trying(
    own name: Secret, from place: ClientAddress, _ judge: () async -> Verdict
  ) async -> Int? {
    await trying(name, from: place, usesPlaces: false, known: nil, judge)
  }

  /// As `trying(own:)`, and counted by the address as well. With a `known` device it is counted under
  /// that alone until its count is used up, so that strangers keep it out by nothing that they do.
  func trying(
    _ name: Secret, from place: ClientAddress, known: FailedSignIns.Mark?,
    _ judge: () async -> Verdict
  ) async -> Int? {
    await trying(name, from: place, usesPlaces: true, known: known, judge)
  }

  private func trying(
    _ name: Secret, from place: ClientAddress, usesPlaces: Bool, known: FailedSignIns.Mark?,
    _ judge: () async -> Verdict
  ) async -> Int? {
    do throws(RegistryError) {
      let counting = await counting(name, place)
      let strangers = counting.strangers()
      var allowance = SignInCounting.Allowance(
        key: strangers.key, marks: strangers.marks, usesPlaces: usesPlaces,
        scope: strangers.scope, isRest: false)
      if let known, try await failures.counts([known]).wait([known]) == nil {
        allowance = SignInCounting.Allowance(
          key: SignInMarks.short(known.bytes), marks: [known], usesPlaces: false,
          scope: strangers.scope, isRest: false)
      }
      let answer = try await tried(counting, allowance, unless: nil, judge)
      if case .slowed(let seconds) = answer { return seconds }
      return nil
    } catch {
      return 1
    }
  }

  /// Under what a PIN is kept that a library refused: until it runs out, the library is not asked about
  /// it again, whichever client brings it.
  func refused(
    _ number: Secret, _ pin: Secret, at library: LibraryID?, in scope: SignInScope
  ) async -> FailedSignIns.Mark {
    let place = library.map { "at \($0.rawValue)" } ?? scope.text
    return .init(
      bytes: await marks.shared("refused", [number, pin, Secret(place)]),
      limit: settings.refusalLimit)
  }
}

extension Doorkeeper {
  private func allowance(
    for trial: CardTrial, _ counting: SignInCounting
  ) async throws(RegistryError) -> SignInCounting.Allowance {
    let number = CardNumber(trial.number ?? Secret("")).plain
    let own = FailedSignIns.Mark(
      bytes: await marks.shared(
        "own", [Secret(trial.patron.rawValue), Secret(trial.library.rawValue), number]),
      limit: settings.ownCardLimit)
    let patron = FailedSignIns.Mark(
      bytes: await marks.shared("patron", [Secret(trial.patron.rawValue)]),
      limit: settings.patronLimit)
    let isOwn =
      if trial.number == nil {
        true
      } else {
        try await registry.hasLinked(
          number, trial.patron, at: trial.library, provenOnly: libraries[trial.library] != nil)
      }
    let ownWait = isOwn ? try await failures.counts([own]).wait([own]) : nil
    if isOwn, ownWait == nil || trial.number == nil {
      return SignInCounting.Allowance(
        key: SignInMarks.short(own.bytes), marks: [own], usesPlaces: false,
        scope: .only([trial.library]), isRest: false)
    }
    let known = counting.allowances(try await look(counting), at: trial.library)
    if let first = known.first, !first.marks.contains(where: { $0.bytes == counting.day.bytes }) {
      return first
    }
    let strangers = counting.strangers()
    return SignInCounting.Allowance(
      key: strangers.key, marks: strangers.marks + [patron], usesPlaces: true,
      scope: .only([trial.library]), isRest: false)
  }

  private func tried(
    _ counting: SignInCounting, _ allowance: SignInCounting.Allowance,
    unless refused: FailedSignIns.Mark?, _ judge: () async -> Verdict
  ) async throws(RegistryError) -> TrialAnswer {
    let all = counting.queued
    queue.arrive(at: all)
    defer { queue.depart(from: all) }
    let places = allowance.usesPlaces ? counting.places : []
    let limits = places + allowance.marks
    if allowance.usesPlaces, let wait = try await look(counting).counts.wait(places) {
      return .slowed(seconds: Self.seconds(wait))
    }
    // Who has to wait anyhow holds up no queue.
    if let wait = try await failures.counts(limits).wait(limits) {
      return .slowed(seconds: Self.seconds(wait))
    }
    guard let turn = await queue.turn(allowance.key, at: allowance.usesPlaces ? all : []) else {
      return .slowed(seconds: 1)
    }
    var failed = false
    defer { queue.end(turn, failed: failed) }
    let counts = try await failures.counts(limits + (refused.map { [$0] } ?? []))
    if let wait = counts.wait(limits) { return .slowed(seconds: Self.seconds(wait)) }
    if let refused, counts.wait([refused]) != nil {
      failed = true
      try await failures.add(limits, by: counting.client)
      return .refused
    }
    let reservation: FailedSignIns.Reservation
    switch try await failures.reserve(allowance.marks, by: counting.client) {
    case .full(let wait): return .slowed(seconds: Self.seconds(wait))
    case .reserved(let made): reservation = made
    }
    let isStrangers = allowance.marks.contains { $0.bytes == counting.name.bytes }
    // What was reserved and cannot be taken back now is slowed a little later; nothing is lost.
    switch await judge() {
    case .right where isStrangers:
      try? await failures.cancel(reservation, forgiving: counting)
    case .right, .undecided: try? await failures.cancel(reservation)
    case .wrong:
      failed = true
      try await failures.add(places + (refused.map { [$0] } ?? []), by: counting.client)
    }
    return .judged
  }
}

extension Registry {
  /// Whether the patron has linked the card with this number there. Where the library's cards sign in,
  /// one that was linked without its PIN being looked at says nothing of whose it is.
  fileprivate func hasLinked(
    _ number: Secret, _ patron: PatronID, at library: LibraryID, provenOnly: Bool
  ) async throws(RegistryError) -> Bool {
    guard !number.isEmpty else { return false }
    let vault = try await vault()
    let ending = Card.ending(of: number)
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(AccountRow.columns), card_index FROM account a
        WHERE patron = \(patron.rawValue) AND library = \(library.rawValue)
          AND card_index IS NOT NULL AND \(Self.ends(ending))
        """
      ) { row throws(DatabaseError) -> (AccountRow, [UInt8]) in (try AccountRow(row), try row[13]) }
    }
    return found.contains { row, index in
      (!provenOnly || row.pinVerified != false)
        && constantTimeEqual(
          index,
          Card.index(
            of: number, at: library, of: row.account.provider, patron: patron, vault))
    }
  }
}
