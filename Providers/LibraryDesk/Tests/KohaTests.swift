import Circulation
import FoundationEssentials
import HTTP
import JSON
import ProviderKit
import Testing

@testable import LibraryDesk

@Suite struct `Koha` {
  private static func hold(
    _ number: Int = 70, title: Int = 12, branch: String = "CPL", status: String = "null",
    priority: Int = 3, more: String = ""
  ) -> String {
    """
    {"hold_id":\(number),"patron_id":7,"biblio_id":\(title),"item_id":null,
     "pickup_library_id":"\(branch)","priority":\(priority),"status":\(status),
     "hold_date":"2026-03-20","expiration_date":"2026-04-02","suspended":false\(more)}
    """
  }

  @Test(arguments: [
    ("tooManyReserves", "hold_limit_reached"), ("tooManyHoldsForThisRecord", "hold_limit_reached"),
    ("itemAlreadyOnHold", "already_on_hold"), ("alreadypossession", "already_borrowed"),
    ("ageRestricted", "not_holdable"), ("damaged", "not_holdable"),
    ("notReservable", "not_holdable"), ("recall", "not_holdable"),
    ("none_available", "not_holdable"),
    ("libraryNotFound", "branch_refused"), ("libraryNotPickupLocation", "branch_refused"),
    ("cannotReserveFromOtherBranches", "not_holdable"), ("somethingNew", "not_holdable"),
  ]) func `Koha says why it takes no hold`(code: String, reason: String) async throws {
    let played = PlayedDesk.town { asked in
      asked.method == "POST" && asked.path == "/api/v1/holds"
        ? (403, #"{"error":"Hold cannot be placed. Reason: \#(code)"}"#) : nil
    }
    let error = await failure {
      _ = try await played.ada().placeHold(
        on: ItemID("title-12"), options: HoldOptions(pickup: BranchID("CPL")), in: played.call)
    }
    #expect(error?.reason.code == reason)
    #expect(error?.explanation?.isEmpty == false)
    #expect(played.lines.count { $0 == "POST /api/v1/holds" } == 1)
  }

  @Test func `a missing Koha permission is a configuration error, not a fault of the patron`()
    async throws
  {
    let played = PlayedDesk.town { asked in
      asked.method == "POST" && asked.path == "/api/v1/holds"
        ? (403, #"{"error":"Authorization failure. Missing required permission(s)."}"#) : nil
    }
    let error = await failure {
      _ = try await played.ada().placeHold(
        on: ItemID("title-12"), options: HoldOptions(pickup: BranchID("CPL")), in: played.call)
    }
    #expect(error?.reason.code == "not_configured")
  }

  @Test func `Koha is looked at before a hold is placed, and asked once`() async throws {
    let played = PlayedDesk.town { asked in
      asked.method == "GET" && asked.path == "/api/v1/holds" ? (200, "[\(Self.hold())]") : nil
    }
    let error = await failure {
      _ = try await played.ada().placeHold(
        on: ItemID("title-12"), options: HoldOptions(), in: played.call)
    }
    #expect(error?.reason == .alreadyOnHold)
    #expect(!played.lines.contains("POST /api/v1/holds"))
  }

  @Test func `Koha that dies over a hold is not asked again`() async throws {
    let played = PlayedDesk.town { asked in
      asked.method == "POST" && asked.path == "/api/v1/holds" ? (500, "oops") : nil
    }
    let error = await failure {
      _ = try await played.ada().placeHold(
        on: ItemID("title-12"), options: HoldOptions(pickup: BranchID("CPL")), in: played.call)
    }
    #expect(error?.reason.leavesOutcomeOpen == true)
    #expect(played.lines.count { $0 == "POST /api/v1/holds" } == 1)
  }

  @Test func `Koha of an older make validates under another name`() async throws {
    let played = PlayedDesk.town { asked in
      asked.path.hasSuffix("validation") && asked.body.contains("identifier")
        ? (
          400,
          #"{"errors":[{"message":"Properties not allowed: identifier.","path":"/body"}],"status":400}"#
        )
        : nil
    }
    #expect(try await played.ada().checkAccount(in: played.call).identity?.card == "2300")
    #expect(played.asked[1].body == #"{"userid":"2300","password":"4711"}"#)
  }

  @Test(arguments: [
    (500, "provider_unavailable"), (503, "provider_busy"), (401, "not_configured"),
    (403, "not_configured"), (404, "not_configured"), (301, "malformed_response"),
  ]) func `Koha that is down or set up wrongly is no wrong card`(status: Int, code: String)
    async throws
  {
    let played = PlayedDesk { _ in (status, #"{"error":"x"}"#) }
    let error = await failure { _ = try await played.ada().checkAccount(in: played.call) }
    #expect(error?.reason.code == code)
  }

  @Test func `Koha tells of a ready hold until when by the library's day`() async throws {
    let played = PlayedDesk.town { asked in
      switch asked.path {
      case "/api/v1/holds":
        (
          200,
          "[\(Self.hold(status: "\"W\"", priority: 0)),\(Self.hold(71, title: 13, status: "\"T\"", priority: 0)),\(Self.hold(72, title: 14, more: ",\"suspended_until\":\"2026-05-01\"").replacing("\"suspended\":false", with: "\"suspended\":true"))]"
        )
      case "/api/v1/biblios":
        (200, #"[{"biblio_id":12,"title":"The tin harbour /","author":"Marsh, Odile,"}]"#)
      default: nil
      }
    }
    let shelf = try await played.ada().shelf(in: played.call)
    let end = try #require(WireDate.instant("2026-04-02T23:59:59Z"))
    #expect(
      shelf.holds.map(\.status) == [
        .ready(until: end), .waiting(position: nil, total: nil),
        .suspended(until: WireDate.instant("2026-05-01T00:00:00Z")),
      ])
    #expect(shelf.holds[0].title == "The tin harbour" && shelf.holds[0].pickup == BranchID("CPL"))
  }

  @Test func `Koha that sends less than it counts has sent no shelf`() async throws {
    let played = PlayedDesk.town { asked in
      asked.path == "/api/v1/holds" ? (200, #"[{"hold_id":70}]"#) : nil
    }
    let error = await failure { _ = try await played.ada().shelf(in: played.call) }
    #expect(error?.reason.code == "malformed_response")
  }

  @Test(arguments: [
    ("null", 0, 0, 0, "0", Copy.State.available), ("\"2026-03-01\"", 0, 0, 0, "0", .out),
    ("null", 1, 0, 0, "0", .missing), ("null", 0, 1, 0, "0", .missing),
    ("null", 0, 0, 1, "0", .missing), ("null", 0, 0, 0, "-1", .onOrder),
    ("null", 0, 0, 0, "2", .reference), ("null", 0, 0, 0, "null", .available),
    ("null", 0, 0, 0, "\"x\"", .unknown),
  ]) func `Koha counts a copy as free only where everything says so`(
    out: String, lost: Int, damaged: Int, withdrawn: Int, kept: String, state: Copy.State
  ) throws {
    let json = try JSONValue(
      parsing: """
        {"item_id":1,"biblio_id":2,"checked_out_date":\(out),"lost_status":\(lost),
         "damaged_status":\(damaged),"withdrawn":\(withdrawn),
         "effective_not_for_loan_status":\(kept),"not_for_loan_status":null}
        """)
    #expect(KohaItem(json)?.state == state)
  }

  @Test func `Koha wants a branch to be named where there are several`() async throws {
    let played = PlayedDesk.town { asked in
      switch asked.path {
      case "/api/v1/biblios/12/pickup_locations":
        (
          200,
          #"[{"library_id":"MTH","name":"Mott Haven"},{"library_id":"RIV","name":"Riverside"},{"library_id":"STF","name":"Staff","needs_override":true}]"#
        )
      default: nil
      }
    }
    let error = await failure {
      _ = try await played.ada().placeHold(
        on: ItemID("title-12"), options: .init(), in: played.call)
    }
    #expect(error?.reason == .branchRefused)
    #expect(error?.explanation == "A branch has to be named: MTH (Mott Haven), RIV (Riverside).")
  }

  @Test func `Koha finds the book on paper by title and author where it has other numbers`()
    async throws
  {
    let played = PlayedDesk.town { asked in
      switch asked.path {
      case "/api/v1/biblios" where asked.headers["Accept"] == "application/marc-in-json":
        asked.query["q"]?.contains("title") == true
          ? (
            200,
            "[\(Self.record(12, "The tin harbour :", "a novel /", "Marsh, Odile")),\(Self.record(13, "The tin harbour.", nil, "Quist, Wanda")),\(Self.record(14, "The tin harbour /", nil, "Marsh, Odile", carrier: "cr"))]"
          )
          : (200, "[]")
      case "/api/v1/items":
        (200, #"[{"item_id":1,"biblio_id":12,"lost_status":0,"holding_library_id":"MTH"}]"#)
      default: nil
      }
    }
    let book = BookNumbers(
      isbns: [ISBN("9780306406157")].compactMap(\.self), title: "The Tin Harbour: A Novel",
      authors: ["Odile Marsh"], language: "en")
    let found = try await played.ada().lookUp([book, book], in: played.call).found
    #expect(found.map(\.edition.item) == [ItemID("title-12")])
    #expect(found.first?.edition.isPaper == true && found.first?.edition.authors == ["Odile Marsh"])
    #expect(found.first?.availability.canBeHadNow == true)
  }

  private static func record(
    _ number: Int, _ title: String, _ rest: String?, _ author: String, carrier: String = "nc"
  ) -> String {
    let more = rest.map { ",{\"b\":\"\($0)\"}" } ?? ""
    return """
      {"leader":"00000nam a2200000 a 4500","fields":[{"001":"x"},
       {"008":"200101s2020    xx            000 1 eng d"},
       {"100":{"ind1":"1","ind2":" ","subfields":[{"a":"\(author),"},{"e":"author."}]}},
       {"245":{"ind1":"1","ind2":"4","subfields":[{"a":"\(title)"}\(more)]}},
       {"338":{"ind1":" ","ind2":" ","subfields":[{"b":"\(carrier)"}]}},
       {"999":{"ind1":" ","ind2":" ","subfields":[{"c":"\(number)"}]}}]}
      """
  }

  @Test func `Koha takes a refusal to cancel for what it is`() async throws {
    let played = PlayedDesk.town { asked in
      switch "\(asked.method) \(asked.path)" {
      case "GET /api/v1/holds": (200, "[\(Self.hold())]")
      case "DELETE /api/v1/holds/70": (403, #"{"error":"A hold that waits cannot be cancelled"}"#)
      default: nil
      }
    }
    let error = await failure {
      try await played.ada().cancelHold(on: ItemID("title-12"), in: played.call)
    }
    #expect(error?.reason == .unsupported(.holds))
    #expect(error?.explanation == "A hold that waits cannot be cancelled")
  }
}
