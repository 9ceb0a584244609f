import HTTP
import JSON
import MockKit
import Testing

@testable import OPDSMock

@Suite(.serialized) struct `Signing in at an OPDS lender` {
  @Test func `Signing in at an OPDS lender is explained at the door`() async throws {
    try await PlayedOPDS.run { played in
      let door = try await played.get("loans")
      #expect(door.status == 401)
      #expect(door.type == "application/vnd.opds.authentication.v1.0+json")
      #expect(door.headers["WWW-Authenticate"]?.hasPrefix("Basic realm=") == true)
      #expect(door.headers["Link"]?.contains("http://opds-spec.org/auth/document") == true)
      let flow = door.json["authentication"]?[0]
      #expect(flow?["type"]?.string == "http://opds-spec.org/auth/basic")
      #expect(flow?["labels"]?["login"]?.string == "Barcode")
      #expect(door.json.href("http://opds-spec.org/shelf").hasSuffix("/lantern/loans"))
      let document = try await played.get(
        door.json["id"]?.string ?? "", ["Accept": "application/opds-authentication+json"])
      #expect(document.status == 200 && document.type == "application/opds-authentication+json")
      let script = try await played.get("loans", ["X-Requested-With": "XMLHttpRequest"])
      #expect(script.status == 401 && script.headers["WWW-Authenticate"] == nil)
    }
  }

  @Test func `Signing in at an OPDS lender tells a wrong PIN from no PIN`() async throws {
    try await PlayedOPDS.run { played in
      #expect(try await played.mine("loans").status == 200)
      for (card, pin) in [(ada, "9999"), (ada, ""), ("5", "1111")] {
        let wrong = try await played.get("loans", PlayedOPDS.basic(card, pin))
        #expect(wrong.status == 401 && wrong.problem == "invalid")
      }
      #expect(
        try await played.get("loans", ["Authorization": "Basic !!!"]).problem == "invalid")
    }
  }

  @Test func `Signing in at an OPDS lender tells a card that has run out and one that owes`()
    async throws
  {
    try await PlayedOPDS.run(.expiredCard) { played in
      let expired = try await played.mine("loans", as: chinua)
      #expect(expired.status == 403 && expired.problem == "credentials-expired")
      played.turn("blocks", "borrowing")
      #expect(try await played.mine("loans", as: chinua).status == 200)
      #expect(try await played.borrow(0, as: chinua).problem == "credentials-expired")
      let profile = try await played.mine("patrons/me", as: chinua)
      #expect(profile.json["simplified:authorization_expires"]?.string == "1970-01-01T00:00:00Z")
    }
    try await PlayedOPDS.run(.fines) { played in
      let owing = try await played.mine("loans", as: bruno)
      #expect(owing.problem == "outstanding-fines")
    }
  }

  @Test func `a private OPDS mock requires sign-in for every list`() async throws {
    try await PlayedOPDS.run { played in
      played.turn("access", "private")
      for target in ["", "groups", "feed/all", "crawlable", "search?q=a", played.work(0)] {
        let stranger = try await played.get(target)
        let reader = try await played.mine(target)
        #expect(stranger.status == 401 && reader.status == 200, "\(target)")
      }
      #expect(try await played.get("authentication_document").status == 200)
    }
  }

  private func token(_ form: String, _ played: PlayedOPDS, json: Bool = false) async throws
    -> PlayedOPDS.Answer
  {
    let type = json ? "application/json" : "application/x-www-form-urlencoded"
    return try await played.send(.post, "token", ["Content-Type": type], body: Array(form.utf8))
  }

  @Test func `the OPDS mock gives tokens for a password, which expire and can be refreshed`()
    async throws
  {
    try await PlayedOPDS.run(.threeCards, "beacon") { played in
      #expect(try await played.mine("loans").status == 401)
      let granted = try await token(
        "grant_type=password&username=\(ada)&password=1111", played)
      #expect(granted.json["expires_in"]?.integer == 3600)
      let word = granted.json["access_token"]?.string ?? ""
      let bearer: Headers = ["Authorization": "Bearer \(word)"]
      #expect(try await played.get("loans", bearer).status == 200)
      played.advance(3_600_000)
      let old = try await played.get("loans", bearer)
      #expect(old.status == 401 && old.problem == "expired")
      let again = granted.json["refresh_token"]?.string ?? ""
      let order = #"{"grant_type": "refresh_token", "refresh_token": "\#(again)"}"#
      let renewed = try await token(order, played, json: true)
      let new = renewed.json["access_token"]?.string ?? ""
      #expect(try await played.get("loans", ["Authorization": "Bearer \(new)"]).status == 200)
      let used = try await token("grant_type=refresh_token&refresh_token=\(again)", played)
      #expect(used.status == 400 && used.json["error"]?.string == "invalid_grant")
      let wrong = try await token("grant_type=password&username=\(ada)&password=2", played)
      #expect(wrong.status == 400)
      #expect(
        try await played.get("loans", ["Authorization": "Bearer nonsense"]).problem == "invalid")
    }
  }

  @Test func `the OPDS mock gives Palace tokens for a name and password`() async throws {
    try await PlayedOPDS.run { played in
      #expect(try await played.mine("patrons/me/token", .post).status == 404)
      played.turn("flows", ["basic-token"])
      played.turn("token_seconds", 60)
      let granted = try await played.mine("patrons/me/token", .post)
      #expect(granted.json["expires_in"]?.integer == 60)
      let word = granted.json["access_token"]?.string ?? ""
      #expect(try await played.get("loans", ["Authorization": "Bearer \(word)"]).status == 200)
      #expect(try await played.mine("loans").status == 401)
      // A token opens the library that gave it and no other.
      let other = try await played.get(
        "\(played.base)/beacon/loans", ["Authorization": "Bearer \(word)"])
      #expect(other.status == 401)
    }
  }

  @Test func `Signing in at an OPDS lender happens at odd doors where told to`() async throws {
    try await PlayedOPDS.run { played in
      played.turn(.loginPage)
      let page = try await played.get("loans")
      #expect(page.status == 200 && page.type.hasPrefix("text/html"))
      played.turn(.bareChallenge)
      let bare = try await played.get("loans")
      #expect(bare.status == 401 && bare.headers["WWW-Authenticate"] != nil && bare.json == .null)
      played.turn(.linksAsObject)
      let document = try await played.get("authentication_document")
      #expect(document.json["links"]?["start"]?["href"] != nil)
    }
  }
}
