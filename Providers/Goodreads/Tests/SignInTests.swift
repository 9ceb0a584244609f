import Circulation
import GoodreadsMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import ProviderKit
import Secrets
import Testing

@testable import Goodreads

@Suite(.serialized) struct `Signing in to Goodreads` {
  private let redirect = "http://127.0.0.1:9/callback"

  private func page(_ played: Played, key: String = Furnishing.key) throws -> SignInPage {
    try GoodreadsProvider.signIn(try played.library(key: key))
  }

  /// What a reader does at the page; the address that the browser is sent to, if any.
  private func grant(_ visit: SignInPage.Visit, _ played: Played, button: String = "allow")
    async throws -> String?
  {
    var fields = FormFields(parsing: visit.address.query ?? "")
    for (name, value) in [("username", Played.card), ("password", Played.pin), (button, "1")] {
      fields.add(name, value)
    }
    let request = Request(
      .post, visit.address.replacingQuery([]),
      headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: .bytes(Array(fields.encoded.utf8)), redirects: .returned)
    return try await played.open.client.send(request).headers["Location"]
  }

  private func begin(_ played: Played, redirect: String?) async throws -> SignInPage.Visit {
    try await page(played).begin(
      .init(redirect: redirect, state: "s & 1"), played.session, played.call)
  }

  @Test func `Signing in to Goodreads leads over the page to a token that reads and writes`()
    async throws
  {
    try await Played.run { played in
      let visit = try await begin(played, redirect: redirect)
      let back = try #require(try await grant(visit, played))
      #expect(back.hasPrefix(redirect + "?state=s%20%26%201&oauth_token="))
      let query = FormFields(parsing: String(back.split(separator: "?")[1]))
      let credentials = try await page(played).finish(
        visit, .redirected(query), played.session, played.call)
      #expect(
        credentials["user_id"]?.revealText { $0 } == Furnishing.userID(of: Played.card))
      let adapter = GoodreadsProvider(
        settings: try Settings(try played.library(), credentials), session: played.session)
      _ = try await adapter.checkAccount(in: played.call)
      #expect(try await !adapter.lists(in: played.call).isEmpty)
    }
  }

  @Test
  func `Goodreads sign-in works without a callback once the patron confirms it`() async throws {
    try await Played.run { played in
      let visit = try await begin(played, redirect: nil)
      #expect(visit.address.query?.contains("oauth_callback") == false)
      let early = try await reason {
        _ = try await page(played).finish(
          visit, .typed(Secret("")), played.session, played.call)
      }
      #expect(early?.reason == .credentialsRejected)
      #expect(try await grant(visit, played) == nil)
      let credentials = try await page(played).finish(
        visit, .typed(Secret("")), played.session, played.call)
      #expect(credentials["token"] != nil)
    }
  }

  @Test(arguments: [
    "state=s%20%26%201&authorize=0", "state=s%20%26%201", "state=other&authorize=1", "authorize=1",
  ])
  func `Signing in to Goodreads goes nowhere with another answer`(_ answer: String) async throws {
    try await Played.run { played in
      let visit = try await begin(played, redirect: redirect)
      _ = try await grant(visit, played)
      let token = visit.carried["token"]?.revealText { $0 } ?? ""
      let error = try await reason {
        _ = try await page(played).finish(
          visit, .redirected(FormFields(parsing: "oauth_token=\(token)&\(answer)")),
          played.session, played.call)
      }
      #expect(error?.reason == .credentialsRejected)
    }
  }

  @Test func `Signing in to Goodreads ends with the operator where the key is not taken`()
    async throws
  {
    try await Played.run { played in
      let error = try await reason {
        _ = try await page(played, key: "nobody").begin(
          .init(redirect: redirect, state: "s"), played.session, played.call)
      }
      #expect(error?.reason.code == "not_configured")
      played.set("key_disabled", true)
      let later = try await reason { _ = try await played.adapter().lists(in: played.call) }
      #expect(later?.reason == Failures.key)
    }
  }

  @Test func `Signing in to Goodreads is lost when the reader takes the grant back`() async throws {
    try await Played.run { played in
      let error = try await reason {
        _ = try await played.adapter(pin: "revoked").lists(in: played.call)
      }
      #expect(error?.reason == .credentialsRejected && error?.operation == .list)
    }
  }

  @Test func `Signing in to Goodreads survives a clock of ours that is wrong`() async throws {
    for gap in [-4000.0, 4000] {
      try await Played.run { played in
        played.gap.value = gap
        let adapter = try played.adapter()
        #expect(try await !adapter.lists(in: played.call).isEmpty)
        #expect(played.operations.count == 2)
        // Known from then on.
        #expect(try await !adapter.lists(in: played.call).isEmpty)
        #expect(played.operations.count == 3)
      }
    }
  }

  @Test func `Signing in to Goodreads belongs to nobody without a token`() async throws {
    try await Played.run { played in
      let adapter = GoodreadsProvider(
        settings: try Settings(try played.library(), nil), session: played.session)
      let error = try await reason { _ = try await adapter.friends(in: played.call) }
      #expect(error?.reason == .credentialsRejected && played.operations.isEmpty)
    }
  }
}
