import Catalog
import Circulation
import Database
import Items
import Log
import Machine
import Registry
import Schedule
import Setup
import Wishes

extension JobKind {
  static let wishes: JobKind = "wishes"
}

extension DueWork {
  /// Looks which wishes can be had, for all readers at once: a library is asked once for all of them.
  static let wishes = DueWork(
    kind: .wishes,
    plans: { house in
      // Where nobody wishes for anything there is nothing to plan.
      if try await house.wishes.lists().isEmpty { return [] }
      return [Plan(.wishes, of: wholeHouse, every: .seconds(300))]
    },
    perform: { house, _, logger in
      do throws(ErrorItem) {
        try await toldOfDatabase { () throws(DatabaseError) in try await house.recognizeLists() }
        let rounds = WishRounds(house)
        let tally = try await rounds.done()
        if tally.isNothing { return .done(note: nil) }
        logger.info(
          "wishes looked at",
          [.pair("asked", tally.asked), .pair("told", tally.told), .pair("done", tally.deeds)])
        if !tally.troubles.isEmpty { return JobOutcome(failed: tally.troubles) }
        return .done(
          note: "\(tally.asked) questions, \(tally.told) told, \(tally.deeds) done by rule")
      } catch {
        return JobOutcome(failed: [error])
      }
    })
}

/// What came of one look at all wishes.
struct WishTally: Sendable {
  /// Questions to libraries.
  var asked = 0
  var told = 0
  var deeds = 0
  /// Of libraries and readers; none is the others'.
  var troubles: [ErrorItem] = []

  var isNothing: Bool { asked == 0 && told == 0 && deeds == 0 && troubles.isEmpty }

  static func += (tally: inout WishTally, other: WishTally) {
    tally.asked += other.asked
    tally.told += other.told
    tally.deeds += other.deeds
    tally.troubles += other.troubles
  }
}

/// One look at all wishes: what the lists say, which works they are, what the libraries say, and what
/// follows from that. Each step leaves the next one what it needs in the database, so that it does not
/// matter where somebody is killed.
struct WishRounds {
  let house: House

  init(_ house: House) { self.house = house }

  func done() async throws(ErrorItem) -> WishTally {
    let wishes = try await toldOfDatabase { () throws(DatabaseError) in
      _ = try await house.wishes.follow()
      try await house.wishes.recognize(in: house.catalog)
      return try await house.wishes.wishes()
    }
    if wishes.isEmpty { return WishTally() }
    if let locked = await house.vaultTrouble() {
      var tally = WishTally()
      tally.troubles = [locked]
      return tally
    }
    let readers = try await told { () throws(RegistryError) in
      try await house.readers { $0.hasBooks($1) }
    }
    let scene = try await scene(of: wishes, readers)
    var tally = await asked(scene)
    let seen = tally.asked == 0 ? scene : try await self.scene(of: wishes, readers)
    try await toldOfDatabase { () throws(DatabaseError) in
      _ = try await house.wishes.note(seen.watches(settle: house.wishSettle))
    }
    for (patron, _) in readers {
      do throws(ErrorItem) {
        let visit = Visit(house: house, patron: patron, seat: house.seat)
        tally += try await Granting(visit).done()
      } catch {
        tally.troubles.append(error)
      }
    }
    return tally
  }

  private func scene(
    of wishes: [Wish], _ readers: [(Patron, [Account])]
  ) async throws(ErrorItem) -> WishScene {
    let works = Array(Set(wishes.compactMap(\.match.work)))
    let sightings = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.sightings(of: works)
    }
    return WishScene(wishes, sightings, readers, house)
  }

  // MARK: - Asking

  /// All libraries at the same time, each of them one question after the other.
  private func asked(_ scene: WishScene) async -> WishTally {
    await withTaskGroup(of: WishTally.self) { group in
      for stand in scene.stands where stand.canBeAsked {
        group.addTask { await asked(stand) }
      }
      return await group.reduce(into: WishTally()) { $0 += $1 }
    }
  }

  private func asked(_ stand: WishScene.Stand) async -> WishTally {
    var tally = WishTally()
    let call = house.call(stand.account.patron)
    do {
      let round = try await house.wishes.round(at: stand.watch, house.asking)
      guard let round else { return tally }
      let provider = try await house.counter.provider(
        of: stand.account.id, house.registry, request: call.requestID)
      var isAnswered = true
      for question in round.questions {
        tally.asked += 1
        let answers = try await provider.availability(
          of: question, in: house.call(stand.account.patron))
        try await house.catalog.note(answers, at: stand.watch.library)
        isAnswered = isAnswered && question.allSatisfy { answers[$0] != nil }
      }
      try await house.wishes.end(round, isAnswered: isAnswered)
    } catch let error as CirculationError {
      // Silence changes nothing: what was known of the copies stands until the library speaks again.
      tally.troubles.append(ErrorItem(error).about(stand.account, in: house))
    } catch let error as HouseError {
      tally.troubles.append(ErrorItem(error))
    } catch {
      tally.troubles.append(ErrorItem("unexpected", detail: "\(error)"))
    }
    return tally
  }
}

extension House {
  var asking: AskingSettings {
    var settings = AskingSettings()
    settings.every = configuration.wishes.askEvery
    settings.budget = configuration.wishes.budget
    settings.atLeast = configuration.wishes.askAtLeast
    return settings
  }

  var wishSettle: Int64 { configuration.wishes.settle.milliseconds }
}
