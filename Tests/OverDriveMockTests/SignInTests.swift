import HTTP
import JSON
import MockKit
import Testing

@Suite struct `Signing in at the mock OverDrive` {
  @Test(arguments: [
    "websiteid:100300 authorizationname:mockville", "websiteId:100300 authorizationName:mockville",
    "WEBSITEID:100300 ilsname:Mockville",
  ])
  func `Signing in at the mock OverDrive takes the scope in every spelling that is about`(
    _ scope: String
  ) async throws {
    try await PlayedOverDrive.run { played in
      let answer = try await played.signIn(scope: scope)
      #expect(answer.status == 200)
      #expect(answer.json["scope"]?.string?.contains("websiteid:100300") == true)
    }
  }

  @Test
  func `the OverDrive mock refuses every card with one code and different texts`() async throws {
    try await PlayedOverDrive.run(.fines) { played in
      let wrong = try await played.signIn(ada, "9999")
      let unknown = try await played.signIn("42", "1111")
      let blocked = try await played.signIn(bruno, "2222")
      #expect(
        [wrong, unknown, blocked].map(\.code) == Array(repeating: "unauthorized_client", count: 3))
      #expect(blocked.json["error_description"]?.string?.contains("fines") == true)
    }
    try await PlayedOverDrive.run(.expiredCard) { played in
      let expired = try await played.signIn(chinua, "3333")
      #expect(expired.json["error_description"]?.string?.contains("expired") == true)
    }
  }

  @Test func `Signing in at the mock OverDrive needs a dummy password where readers have no PIN`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let scope = "websiteid:100301 authorizationname:lantern"
      let extra: FormFields = ["password_required": "false"]
      let empty = try await played.signIn(ada, "", scope: scope, extra: extra)
      let dummy = try await played.signIn(ada, "[ignore]", scope: scope, extra: extra)
      #expect((empty.status, dummy.status) == (400, 200))
      let elsewhere = try await played.signIn(ada, "[ignore]", extra: extra)
      #expect(elsewhere.code == "unauthorized_client")
    }
  }

  @Test func `Signing in at the mock OverDrive ends a token after an hour of the virtual clock`()
    async throws
  {
    try await PlayedOverDrive.run { played in
      let token = try await played.patronToken()
      #expect(try await played.send(.get, "/v1/patrons/me", token: token).status == 200)
      played.advance(1)
      let late = try await played.send(.get, "/v1/patrons/me", token: token)
      #expect(late.status == 401)
      #expect(late.json["token"]?.string?.isEmpty == false)
    }
  }

  @Test
  func `the OverDrive mock refuses a wrong key and a request without User-Agent`() async throws {
    try await PlayedOverDrive.run { played in
      let badKey = try await played.send(.post, "/token", headers: ["Authorization": "Basic eDp5"])
      #expect((badKey.status, badKey.code) == (401, "invalid_client"))
      let token = try await played.clientToken()
      let silent = try await played.send(
        .get, "/v1/libraries/4225", token: token, headers: ["User-Agent": ""])
      #expect(silent.status == 403)
    }
  }

  @Test
  func `the sign-in page of the OverDrive mock gives a code that can be used once`() async throws {
    try await PlayedOverDrive.run { played in
      let back = "http://localhost/back"
      let question: FormFields = [
        "client_id": "CARRELMOCK", "redirect_uri": back, "scope": "accountId:4225",
        "response_type": "code", "state": "x y",
      ]
      let page = try await played.send(.get, "/auth?\(question.encoded)")
      #expect(String(decoding: page.body, as: UTF8.self).contains("<form"))
      var form = question
      form.add("username", ada)
      form.add("password", "1111")
      let sent = try await played.send(.post, "/auth", form: form)
      #expect(sent.status == 302)
      let address = try Address(sent.headers["Location"] ?? "")
      let query = FormFields(parsing: address.query ?? "")
      #expect(query["state"] == "x y")
      let trade: FormFields = [
        "grant_type": "authorization_code", "code": query["code"] ?? "", "redirect_uri": back,
      ]
      let token = try await played.send(.post, "/token", form: trade)
      #expect(token.json["refresh_token"]?.string != nil)
      #expect(try await played.send(.post, "/token", form: trade).code == "invalid_grant")
      let again = try await played.send(
        .post, "/token",
        form: [
          "grant_type": "refresh_token",
          "refresh_token": token.json["refresh_token"]?.string ?? "",
        ])
      #expect(again.status == 200)
    }
  }
}
