import Circulation
import Database
import ProviderKit
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Membership
@testable import Registry

@Suite struct `Readers who arrive` {
  @Test func `Readers who arrive show their PIN to the one library that they name`() async throws {
    try await withArrivals { town in
      let arrivals = town.arrivals(opening: ["town", "city", "closed"])
      for (card, library) in [
        ("21234000000018", "city"), ("21234000000018", nil), ("21234000000018", "closed"),
        ("21234000000018", "nowhere"),
      ] {
        let knock = Knock(
          card: Secret(card), pin: Secret("1234"), library: library.map { LibraryID($0) })
        _ = try await arrivals.answer(knock, request: "r")
      }
      #expect(town.asked.withLock { $0 } == ["city"])
    }
  }

  @Test func `Readers who arrive need not name the only library that opens its door`() async throws
  {
    try await withArrivals { town in
      let arrivals = town.arrivals(opening: ["town"])
      let knock = Knock(card: Secret("21234000000018"), pin: Secret("1234"))
      let first = try await arrivals.answer(knock, request: "r")?.get()
      #expect(first != nil)
      #expect(try await arrivals.answer(knock, request: "r")?.get() == first)
    }
  }

  @Test func `Readers who arrive are who the library says, with a new card too`() async throws {
    try await withArrivals { town in
      let arrivals = town.arrivals(opening: ["town"])
      town.identity.withLock { $0 = "p-17" }
      let old = Knock(card: Secret("21234000000018"), pin: Secret("1234"))
      let new = Knock(card: Secret("21234000000099"), pin: Secret("1234"))
      let before = try #require(try await arrivals.answer(old, request: "r")?.get())
      let after = try #require(try await arrivals.answer(new, request: "r")?.get())
      #expect(before.patron == after.patron && before.account == after.account)
    }
  }

  @Test(arguments: [(PINCheck.never, false), (.whenChallenged, true)])
  func `Members of a library are not admitted where it accepts every PIN`(
    check: PINCheck, isAsked: Bool
  ) async throws {
    try await withArrivals { town in
      let arrivals = town.arrivals(opening: ["town"], check)
      let knock = Knock(card: Secret("21234000000018"), pin: Secret("0000"))
      let standing = try await arrivals.answer(knock, request: "r")?.get()
      #expect(standing == nil)
      #expect(town.asked.withLock { $0 } == (isAsked ? ["town"] : []))
    }
  }

  @Test(arguments: [
    (CirculationError.Reason.credentialsRejected, nil as Bool?),
    (.deadlineExceeded, true), (.networkFailure, false), (.providerUnavailable, false),
    (.notConfigured(what: "a login"), false), (.malformedResponse(expected: "an answer"), false),
  ])
  func `Readers who arrive are refused where the library says no, and nowhere else`(
    reason: CirculationError.Reason, isLate: Bool?
  ) async throws {
    try await withArrivals { town in
      town.trouble.withLock { $0 = reason }
      let knock = Knock(card: Secret("21234000000018"), pin: Secret("1234"))
      switch try await town.arrivals(opening: ["town"]).answer(knock, request: "r") {
      case nil: #expect(Bool(false), "it was not asked")
      case .success(let standing): #expect(standing == nil && isLate == nil)
      case .failure(let silence): #expect(silence.isLate == isLate)
      }
    }
  }
}

/// Libraries that know every card, and note who was asked.
private final class Town: Sendable {
  let asked = Mutex<[String]>([])
  let identity = Mutex<String?>(nil)
  let trouble = Mutex<CirculationError.Reason?>(nil)
  private let registry: Registry

  init(_ registry: Registry) { self.registry = registry }

  func arrivals(opening doors: [String], _ check: PINCheck = .always) -> Arrivals {
    let all = ["town", "city", "closed"].map { id in
      House(
        id: LibraryID(id), name: id, provider: ProviderID("desk"),
        facts: House.Facts(admitsMembers: doors.contains(id) && id != "closed"),
        pinCheck: check)
    }
    let houses = Houses(
      all: all.filter { doors.contains($0.id.rawValue) }, providers: [],
      library: { id throws(EnrollmentError) in throw .noPage(id) },
      listing: { _ throws(EnrollmentError) in throw .noPage(LibraryID("")) },
      provider: { id, _ throws(EnrollmentError) in
        self.asked.withLock { $0.append(id.rawValue) }
        return Desk(town: self)
      },
      card: { _, _ throws(EnrollmentError) in throw .noPage(LibraryID("")) },
      session: { _ in fatalError("nobody asks for a session") })
    return Arrivals(houses, registry: registry) { request in
      Call(patron: nil, deadline: .now + .seconds(5), requestID: request)
    }
  }
}

private struct Desk: CirculationProvider {
  static let capabilities: Set<Capability> = [.shelf]
  let town: Town

  func describe() -> ProviderDescription {
    ProviderDescription(provider: ProviderID("desk"), availabilityBatch: 1)
  }

  func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    if let reason = town.trouble.withLock({ $0 }) {
      throw CirculationError(reason, from: ProviderID("desk"), during: .checkAccount)
    }
    var standing = AccountStanding()
    standing.identity = town.identity.withLock { $0 }.map { ReaderIdentity(id: $0) }
    return standing
  }
}

private func withArrivals(_ body: (Town) async throws -> Void) async throws {
  try await withTemporaryFolder { folder in
    let store = try Location(folder.path("registry.sqlite"))
    try await withStore(at: store, tables: [Registry.migrations]) { store in
      let door = VaultDoor(
        .keyFile(path: folder.path("vault.key")), in: .row(in: store), now: { 1_000 })
      try await body(
        Town(
          Registry(
            store: store, vault: { () async throws(VaultError) in try await door.vault() },
            now: { 1_000 }, ended: { _, _ in })))
    }
  }
}
