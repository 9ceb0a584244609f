package import Circulation
import Desk
package import HTTP
import Phrasebook
import Registry
package import Slips

/// What a request asked for and how it ended, when it ended well.
package struct KeyedDeed: Sendable {
  package let slip: Slip
  package let deed: Deed
}

/// A slip with what the house knows of it by now.
package struct BegunSlip: Sendable {
  package let handed: HandedSlip
  /// Whether it was begun before: what stands as it wanted may be its own doing.
  package let isRepeated: Bool

  package init(handed: HandedSlip, isRepeated: Bool) {
    (self.handed, self.isRepeated) = (handed, isRepeated)
  }
}

extension LendingStock {
  /// Does once what a request with a key asks for, and answers each later one with the same key alike.
  /// The key is looked up before anything else: a book that was given back is on no shelf any more.
  package func deed(
    for key: RequestKey, of patron: PatronID,
    begin: () async throws(Problem) -> Slip,
    carry: (BegunSlip) async throws(Problem) -> Deed
  ) async throws(Problem) -> KeyedDeed {
    let begun: BegunSlip
    if let known = try await keyed({ () throws(SlipError) in try await slips.slip(of: key) }) {
      begun = BegunSlip(handed: known, isRepeated: true)
    } else {
      let slip = try await begin()
      let handed = try await keyed { () throws(SlipError) in
        try await slips.note(slip, as: key, of: patron)
      }
      begun = BegunSlip(handed: handed, isRepeated: false)
    }
    let handed = begun.handed
    let outcome: SlipOutcome
    if key.isAnsweredAlike, let known = handed.outcome.flatMap({ SlipOutcome($0) }) {
      outcome = known
    } else {
      outcome = await ended { () throws(Problem) in try await carry(begun) }
      // What was refused before anything was sent is no end: a later try may find it otherwise.
      if outcome.isLasting, await wasWritten(handed) {
        _ = try await keyed { () throws(SlipError) in
          try await keep(outcome, of: handed, from: patron)
        }
      }
    }
    switch outcome {
    case .done(let deed): return KeyedDeed(slip: handed.slip, deed: deed)
    case .refused(let problem): throw problem
    }
  }

  /// Does what a slip asks for, unless it is known for good what became of it.
  package func outcome(
    of handed: HandedSlip, from patron: PatronID, _ carry: () async throws(Problem) -> Deed
  ) async throws(SlipError) -> SlipOutcome {
    if let known = handed.outcome.flatMap({ SlipOutcome($0) }) { return known }
    let outcome = await ended(carry)
    guard outcome.isLasting else { return outcome }
    return try await keep(outcome, of: handed, from: patron)
  }

  private func ended(_ carry: () async throws(Problem) -> Deed) async -> SlipOutcome {
    do throws(Problem) { return .done(try await carry()) } catch { return .refused(error) }
  }

  private func keep(
    _ outcome: SlipOutcome, of handed: HandedSlip, from patron: PatronID
  ) async throws(SlipError) -> SlipOutcome {
    let kept = try await slips.keep(
      outcome.text, of: handed, from: patron,
      over: { outcome.isOwn && SlipOutcome($0)?.isOwn == false })
    return SlipOutcome(kept) ?? outcome
  }

  private func wasWritten(_ handed: HandedSlip) async -> Bool {
    for attempt in [handed.attempt, Carrying.ofHold(handed.attempt)] {
      if (try? await desk.isKnown(attempt, on: handed.slip.account)) == true { return true }
    }
    return false
  }

  private func keyed<Value: Sendable>(
    _ body: () async throws(SlipError) -> Value
  ) async throws(Problem) -> Value {
    do throws(SlipError) { return try await body() } catch {
      guard case .keyDiffers = error else {
        throw Refusals.unread(said("Nothing can be written now."))
      }
      throw Refusals.problem(.attemptDiffers, at: "")
    }
  }
}

extension SlipOutcome {
  /// What waiting may change is not the end of it: who asks again is told anew.
  fileprivate var isLasting: Bool {
    if case .refused(let problem) = self { !Refusals.isPassing(problem) } else { true }
  }
}

extension Stock {
  /// What a slip is about, by its own card and no other: a reader may have several at one library.
  package func carrying(
    _ begun: BegunSlip, _ reach: Reach, _ watch: Watch, by lending: LendingStock, call: Call
  ) async throws(Problem) -> Carrying {
    let slip = begun.handed.slip
    guard let shelf = reach.shelf, let card = shelf.accounts.first(where: { $0.id == slip.account })
    else { throw Refusals.unknownTitle }
    let name = (slip.work.rawValue, card.library.rawValue, slip.item.rawValue)
    var way: Way?
    do throws(Problem) {
      let own = Reach(shelf: shelf.narrowed(to: card.id), libraries: reach.libraries)
      way = try await wanted(name, own).way
    } catch {
      // What was begun may have taken the book from the shelf, and with it its address.
      let mayBeGone = begun.isRepeated || [.giveBack, .cancelHold].contains(slip.action)
      guard mayBeGone, error.code == Refusals.unknownTitle.code else { throw error }
    }
    return Carrying(
      slip.item, on: card, way, from: self, watch, by: lending, call: call,
      attempt: begun.handed.attempt, isRepeated: begun.isRepeated)
  }
}
