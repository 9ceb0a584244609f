import Circulation
import HTTP
import HTTPClient
import JSON
import LibraryDeskMock
import MockKit
import MockSupport
import ProviderKit
import Secrets
import Testing

@testable import LibraryDesk

/// A town with a library of paper, and what people do there besides us.
private struct Town: Sendable {
  let open: OpenHouse

  static func run(_ body: @Sendable (Town) async throws -> Void) async throws {
    let scenario = Scenario.threeCards
    try await OpenHouse.run(MockHouse(scenario, dialects: [LibraryDeskDialect.dialect])) { open in
      try await body(Town(open: open))
    }
  }

  func desk(
    _ card: String = "23000000000021", _ pin: String? = "4021", at library: String = "bridgeport",
    _ more: [String: String] = [:]
  ) throws -> LibraryDeskProvider {
    let described = Library(
      id: LibraryID(library), provider: LibraryDeskProvider.listing.id, name: library,
      endpoints: [
        "koha": try Address("\(open.base)/koha/\(library)/api/v1"),
        "sru": try Address("\(open.base)/koha/\(library)/sru"),
      ],
      settings: [
        "sign_in": "koha", "titles": "koha", "holds": "koha", "koha_user": "carrel",
        "fine_limit": "10", "currency": "USD",
      ].merging(more) { $1 },
      secrets: ["koha_password": Secret("bridgeport-staff-word")])
    var given = ["card": Secret(card)]
    given["pin"] = pin.map { Secret($0) }
    let session = Session(
      provider: LibraryDeskProvider.listing.id,
      transport: Transport(send: { [client = open.client] request async throws(TransportError) in
        try await client.send(request)
      }))
    let provider = try LibraryDeskProvider.listing.make(described, Credentials(given), session)
    guard let desk = provider as? LibraryDeskProvider else { throw PlayedDesk.NoDesk() }
    return desk
  }

  /// As the staff's interface has it: what somebody at the library does.
  func atDesk(_ deed: String, _ title: String, _ card: String = "23000000000021") async throws {
    try await set([
      "desk": [["do": .string(deed), "title": .string(title), "card": .string(card)]]
    ])
  }

  /// What the library has set for itself, or what somebody did at its own catalogue.
  func set(_ change: JSONObject) async throws {
    var library = change
    library["id"] = "bridgeport"
    let body: JSONValue = ["libraries": [.object(library)]]
    var request = Request(.put, try Address(open.base + "/__admin/state"))
    request.body = .bytes(body.bytes())
    #expect(try await open.client.send(request).status == .ok)
  }

  var call: Call { Call(patron: nil, deadline: .now + .seconds(20), requestID: "town") }
}

@Suite(.serialized) struct `At a town's library` {
  @Test func `LibraryDesk finds a print book, holds it at a branch and follows it to pickup`()
    async throws
  {
    try await Town.run { town in
      let (desk, call) = (try town.desk(), town.call)
      let title = try #require(
        town.open.house.main.withState { state in
          state.library("bridgeport", of: "library_desk")?.lending.titles["1002"]
        })
      // The file's number is another one.
      let book = BookNumbers(
        isbns: [ISBN("9780306406157")].compactMap(\.self), title: title.name,
        authors: title.authors)
      let found = try #require(try await desk.lookUp([book], in: call).found.first)
      #expect(found.edition.item == ItemID("title-1002") && found.edition.isPaper)
      let list = try await desk.copies(of: found.edition.item, in: call)
      #expect(list.pickups.map(\.name) == ["Central Library", "Mott Haven"])
      #expect(!list.copies.isEmpty)

      let placed = try await desk.placeHold(
        on: found.edition.item, options: HoldOptions(pickup: BranchID("MTH")), in: call)
      #expect(placed.pickup == BranchID("MTH") && !placed.isReady)
      try await town.atDesk("transit", "1002")
      #expect(try await desk.shelf(in: call).holds.map(\.word) == ["waiting"])
      try await town.atDesk("ready", "1002")
      let ready = try #require(try await desk.shelf(in: call).holds.first)
      #expect(ready.isReady && ready.title == title.name)
      #expect(try await desk.availability(of: [found.edition.item], in: call).count == 1)
      try await town.atDesk("fetch", "1002")
      let shelf = try await desk.shelf(in: call)
      #expect(shelf.holds.isEmpty && shelf.loans.map(\.item) == [found.edition.item])
      #expect(shelf.loans.first?.isReturnable == false && shelf.loans.first?.formats == [.paper])
    }
  }

  @Test func `At a town's library: copies are told in every state, branch by branch`() async throws
  {
    try await Town.run { town in
      let list = try await town.desk().copies(of: ItemID("title-1002"), in: town.call)
      let states = Set(list.copies.map(\.state))
      #expect(states.isSuperset(of: [.reference, .missing, .onOrder]))
      #expect(
        Set(list.copies.compactMap(\.branch?.name)) == [
          "Central Library", "Mott Haven", "Hillside Book Stop",
        ])
    }
  }

  @Test func `LibraryDesk refuses a hold at a branch without pickup`() async throws {
    try await Town.run { town in
      let desk = try town.desk()
      let branches = try await desk.branches(in: town.call)
      #expect(branches.map(\.id.rawValue) == ["CPL", "MTH"])
      let error = await failure {
        _ = try await desk.placeHold(
          on: ItemID("title-1001"), options: HoldOptions(pickup: BranchID("HLS")), in: town.call)
      }
      #expect(error?.reason == .branchRefused)
    }
  }

  @Test(arguments: [
    ("23000000000022", "4022", "account_expired"), ("23000000000023", "4023", "account_blocked"),
    ("23000000000024", "4024", "account_blocked"), ("23000000000025", "4025", "account_blocked"),
  ]) func `LibraryDesk tells a blocked patron the reason and still shows the shelf`(
    card: String, pin: String, code: String
  ) async throws {
    try await Town.run { town in
      let desk = try town.desk(card, pin)
      #expect(try await desk.shelf(in: town.call) == Shelf())
      let error = await failure {
        _ = try await desk.placeHold(
          on: ItemID("title-1001"), options: HoldOptions(pickup: BranchID("CPL")), in: town.call)
      }
      #expect(error?.reason.code == code && error?.explanation?.isEmpty == false)
    }
  }

  @Test func `LibraryDesk shows a new loan as not renewable and a hold with its queue length`()
    async throws
  {
    try await Town.run { town in
      let (desk, call, ada) = (try town.desk(), town.call, JSONValue.string("23000000000021"))
      try await town.set([
        "loans": [["title": "1002", "card": ada]],
        "holds": [
          ["title": "1003", "card": "23000000000001", "pickup": "MTH"],
          ["title": "1003", "card": ada, "pickup": "MTH"],
        ],
      ])
      let shelf = try await desk.shelf(in: call)
      #expect(shelf.loans.map(\.isRenewable) == [false])
      let error = await failure { _ = try await desk.renew(ItemID("title-1002"), in: call) }
      #expect(error?.reason == .notRenewable)
      #expect(shelf.holds.map(\.status) == [.waiting(position: 2, total: 2)])
    }
  }

  @Test func `LibraryDesk signs in by card alone at a library without PINs`() async throws {
    try await Town.run { town in
      let settings = ["proof": "none"]
      let desk = try town.desk("23000000000001", nil, at: "alder", settings)
      #expect(try await desk.checkAccount(in: town.call).identity?.name == "Ada Fairweather")
      let stranger = try town.desk("23999999999999", nil, at: "alder", settings)
      let error = await failure { _ = try await stranger.checkAccount(in: town.call) }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test func `LibraryDesk searches a library catalog by SRU`() async throws {
    try await Town.run { town in
      let desk = try town.desk("23000000000021", "4021", at: "bridgeport", ["titles": "sru"])
      let title = try #require(
        town.open.house.main.withState { state in
          state.library("bridgeport", of: "library_desk")?.lending.titles["1002"]
        })
      let book = BookNumbers(isbns: [ISBN(title.isbn)].compactMap(\.self))
      let found = try await desk.lookUp([book], in: town.call).found
      #expect(found.map(\.edition.item) == [ItemID("title-1002")])
      let byWords = BookNumbers(title: title.name, authors: title.authors)
      #expect(
        try await desk.lookUp([byWords], in: town.call).found.map(\.edition.item) == [
          ItemID("title-1002")
        ])
      let states = try await desk.copies(of: ItemID("title-1002"), in: town.call).copies.map(
        \.state)
      #expect(states.contains(.missing) && states.contains(.onOrder))
    }
  }

  @Test
  func `LibraryDesk shows holds placed and canceled in the library's own catalog`() async throws {
    try await Town.run { town in
      let (desk, call, card) = (try town.desk(), town.call, "23000000000021")
      try await town.set([
        "holds": [["title": "1003", "card": .string(card), "pickup": "MTH"]]
      ])
      let hold = try #require(try await desk.shelf(in: call).hold(on: ItemID("title-1003")))
      #expect(hold.pickup == BranchID("MTH"))
      let moved = try await desk.placeHold(
        on: hold.item, options: HoldOptions(pickup: BranchID("CPL")), in: call)
      #expect(moved.pickup == BranchID("CPL"))
      try await town.atDesk("cancel", "1003")
      #expect(try await desk.shelf(in: call).holds.isEmpty)
      let error = await failure { try await desk.cancelHold(on: hold.item, in: call) }
      #expect(error?.reason == .notOnHold)
    }
  }

  @Test func `LibraryDesk cancels a ready hold only where the library allows it`() async throws {
    try await Town.run { town in
      let (desk, call, item) = (try town.desk(), town.call, ItemID("title-1001"))
      let options = HoldOptions(pickup: BranchID("CPL"))
      _ = try await desk.placeHold(on: item, options: options, in: call)
      try await town.atDesk("ready", "1001")
      let late = await failure {
        _ = try await desk.placeHold(
          on: item, options: HoldOptions(pickup: BranchID("MTH")), in: call)
      }
      #expect(late?.reason == .branchRefused)
      try await town.set(["settings": ["ready_holds_stay": true]])
      let kept = await failure { try await desk.cancelHold(on: item, in: call) }
      #expect(kept?.explanation == "A hold that waits cannot be cancelled")
      try await town.set(["settings": ["ready_holds_stay": false, "asks_to_cancel": true]])
      try await desk.cancelHold(on: item, in: call)
      #expect(try await desk.shelf(in: call).hold(on: item)?.isReady == true)
      try await town.set(["settings": ["asks_to_cancel": false, "old_validation": true]])
      try await desk.cancelHold(on: item, in: call)
      #expect(try await desk.shelf(in: call).holds.isEmpty)
    }
  }
}
