package import Circulation
import Database

/// The queue: joining it, leaving it, resting in it. Each ends in the wanted state when it stood so
/// before.
extension Desk {
  package func placeHold(
    on item: ItemID, options: HoldOptions = HoldOptions(), on account: AccountID, attempt: String,
    in call: Call
  ) async throws(DeskError) -> Outcome<Hold> {
    let lender = try await lender(account, call)
    return try await carry(
      errand(
        .placeHold, .placeHold, item, account, attempt, call, standing: [.alreadyOnHold]
      ) { provider, call throws(CirculationError) in
        try await provider.placeHold(on: item, options: options, in: call)
      }, with: lender)
  }

  package func suspendHold(
    on item: ItemID, days: Int? = nil, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<Hold> {
    let lender = try await lender(account, call)
    return try await carry(
      errand(.suspendHold, .suspendHold, item, account, attempt, call) {
        provider, call throws(CirculationError) in
        try await provider.suspendHold(on: item, days: days, in: call)
      }, with: lender)
  }

  package func resumeHold(
    on item: ItemID, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<Hold> {
    let lender = try await lender(account, call)
    return try await carry(
      errand(.resumeHold, .resumeHold, item, account, attempt, call) {
        provider, call throws(CirculationError) in
        try await provider.resumeHold(on: item, in: call)
      }, with: lender)
  }

  package func cancelHold(
    on item: ItemID, on account: AccountID, attempt: String, in call: Call
  ) async throws(DeskError) -> Outcome<Void> {
    let lender = try await lender(account, call)
    return try await carry(
      Errand<Void>(
        verb: .cancelHold, operation: .cancelHold, item: item, account: account, call: call,
        attempt: attempt,
        act: { provider, call throws(CirculationError) in
          try await provider.cancelHold(on: item, in: call)
        },
        record: { tx, _, _ throws(DatabaseError) in try tx.dropHold(on: item, on: account) },
        found: { shelf in shelf.hold(on: item) == nil ? () : nil },
        standing: [CirculationError.Reason.notOnHold.code]),
      with: lender)
  }

  private func errand(
    _ verb: Verb, _ operation: Circulation.Operation, _ item: ItemID, _ account: AccountID,
    _ attempt: String, _ call: Call,
    standing: [CirculationError.Reason] = [],
    act:
      @escaping @Sendable (any CirculationProvider, Call) async throws(CirculationError) -> Hold
  ) -> Errand<Hold> {
    Errand<Hold>(
      verb: verb, operation: operation, item: item, account: account, call: call, attempt: attempt,
      act: act,
      record: { tx, hold, now throws(DatabaseError) in
        try tx.keep(hold, of: account, asOf: now)
      },
      found: { $0.hold(on: item) }, standing: Set(standing.map(\.code)))
  }
}
