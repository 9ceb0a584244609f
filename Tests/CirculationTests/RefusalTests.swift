import FoundationEssentials
import Testing

@testable import Circulation

@Suite struct `A provider that overrides nothing` {
  struct Bare: CirculationProvider {
    static let capabilities: Set<Capability> = []
    func describe() -> ProviderDescription {
      ProviderDescription(provider: ProviderID("bare"), availabilityBatch: 1)
    }
  }

  typealias Attempt = @Sendable (Bare, Call) async throws(CirculationError) -> Void

  static let attempts: [(Capability, Operation, Attempt)] = [
    (
      .harvest, .harvest,
      { p, c throws(CirculationError) in _ = try await p.harvest(from: nil, in: c) }
    ),
    (
      .search, .search,
      { p, c throws(CirculationError) in _ = try await p.search(SearchQuery(words: "x"), in: c) }
    ),
    (
      .availability, .availability,
      { p, c throws(CirculationError) in _ = try await p.availability(of: [], in: c) }
    ),
    (.shelf, .shelf, { p, c throws(CirculationError) in _ = try await p.shelf(in: c) }),
    (
      .shelf, .checkAccount,
      { p, c throws(CirculationError) in _ = try await p.checkAccount(in: c) }
    ),
    (
      .lending, .checkOut,
      { p, c throws(CirculationError) in _ = try await p.checkOut(x, as: nil, in: c) }
    ),
    (.earlyReturn, .checkIn, { p, c throws(CirculationError) in try await p.checkIn(x, in: c) }),
    (.renewal, .renew, { p, c throws(CirculationError) in _ = try await p.renew(x, in: c) }),
    (
      .holds, .placeHold,
      { p, c throws(CirculationError) in
        _ = try await p.placeHold(on: x, options: HoldOptions(), in: c)
      }
    ),
    (
      .physicalHolds, .placeHold,
      { p, c throws(CirculationError) in
        _ = try await p.placeHold(on: x, options: HoldOptions(pickup: BranchID("1")), in: c)
      }
    ),
    (
      .holds, .cancelHold, { p, c throws(CirculationError) in try await p.cancelHold(on: x, in: c) }
    ),
    (
      .suspension, .suspendHold,
      { p, c throws(CirculationError) in _ = try await p.suspendHold(on: x, days: nil, in: c) }
    ),
    (
      .suspension, .resumeHold,
      { p, c throws(CirculationError) in _ = try await p.resumeHold(on: x, in: c) }
    ),
    (
      .fulfilment, .fulfil,
      { p, c throws(CirculationError) in _ = try await p.fulfil(x, as: nil, in: c) }
    ),
    (
      .physicalHolds, .branches,
      { p, c throws(CirculationError) in _ = try await p.branches(in: c) }
    ),
    (.lists, .list, { p, c throws(CirculationError) in _ = try await p.lists(in: c) }),
    (
      .lists, .list,
      { p, c throws(CirculationError) in _ = try await p.items(of: ListID("l"), from: nil, in: c) }
    ),
    (
      .listWriting, .list,
      { p, c throws(CirculationError) in try await p.add(entry, to: ListID("l"), in: c) }
    ),
    (
      .listWriting, .list,
      { p, c throws(CirculationError) in try await p.remove(entry, from: ListID("l"), in: c) }
    ),
    (
      .listWriting, .list,
      { p, c throws(CirculationError) in
        try await p.move(entry, from: ListID("l"), to: ListID("m"), in: c)
      }
    ),
    (
      .listWriting, .list,
      { p, c throws(CirculationError) in _ = try await p.find(SoughtBook(), in: c) }
    ),
    (
      .listChanges, .list,
      { p, c throws(CirculationError) in
        _ = try await p.changes(since: .distantPast, from: nil, in: c)
      }
    ),
    (
      .remarks, .list,
      { p, c throws(CirculationError) in _ = try await p.entry(of: x, in: c) }
    ),
    (
      .remarks, .list,
      { p, c throws(CirculationError) in try await p.note([], of: entry, in: c) }
    ),
    (
      .friends, .list,
      { p, c throws(CirculationError) in
        _ = try await p.lists(of: ReadingFriend(id: "1", name: "x"), in: c)
      }
    ),
    (.friends, .list, { p, c throws(CirculationError) in _ = try await p.news(in: c) }),
    (.ratings, .list, { p, c throws(CirculationError) in try await p.rate(entry, in: c) }),
    (.friends, .list, { p, c throws(CirculationError) in _ = try await p.friends(in: c) }),
  ]

  @Test(arguments: attempts.indices)
  func `A provider that overrides nothing refuses with exactly the capability it lacks`(index: Int)
    async
  {
    let (capability, operation, attempt) = Self.attempts[index]
    let call = Call(patron: nil, deadline: .now, requestID: "test")
    await #expect(
      throws: CirculationError(
        .unsupported(capability), from: ProviderID("bare"), during: operation)
    ) { try await attempt(Bare(), call) }
  }

  private static let x = ItemID("x")
  private static let entry = ListEntry(item: ItemID("x"), title: "X")
}

@Suite struct `The reasons of an error` {
  @Test func `each circulation error reason has the code that the contract names`() {
    let reasons: [CirculationError.Reason] = [
      .credentialsRejected, .accountExpired, .accountBlocked, .noCopiesAvailable, .alreadyBorrowed,
      .loanLimitReached(limit: nil), .holdLimitReached(limit: 3), .alreadyOnHold, .notOnHold,
      .notBorrowed, .currentlyAvailable, .notRenewable, .titleGone, .formatUnavailable, .noLicenses,
      .notHoldable, .branchRefused, .unsupported(.holds), .providerBusy(retryAfter: nil),
      .providerUnavailable,
      .malformedResponse(expected: "x"), .networkFailure, .deadlineExceeded, .cancelled,
      .notConfigured(what: "x"),
    ]
    let contract = """
      credentials_rejected account_expired account_blocked no_copies_available already_borrowed \
      loan_limit_reached hold_limit_reached already_on_hold not_on_hold not_borrowed \
      currently_available not_renewable title_gone format_unavailable no_licenses not_holdable \
      branch_refused unsupported \
      provider_busy provider_unavailable malformed_response network_failure deadline_exceeded \
      cancelled not_configured
      """
    #expect(reasons.map(\.code) == contract.split(separator: " ").map(String.init))
  }
}
