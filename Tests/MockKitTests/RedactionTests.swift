import JSON
import MockKit
import Testing

@Suite struct `Redaction for a recording` {
  private func body(_ text: String, type: String = "") -> String {
    var redaction = Redaction(.recording)
    return String(decoding: redaction.body(Array(text.utf8), type: type), as: UTF8.self)
  }

  @Test(arguments: [
    #"{"access_token":"S3CRET-S3CRET"}"#, #"{"a":[{"patronPin":"S3CRET-S3CRET"}]}"#,
    #"{"fields":[{"name":"password","value":"S3CRET-S3CRET"}]}"#,
    #"{"link":"https://x.example/y?access_token=S3CRET-S3CRET&z=1"}"#,
    "<a><PIN>S3CRET-S3CRET</PIN></a>",
    "<p:patron_password x=\"1\">S3CRET-S3CRET</p:patron_password>",
    "<pin><![CDATA[S3CRET-S3CRET]]></pin>", "<login token='S3CRET-S3CRET'/>",
    "<input value=\"S3CRET-S3CRET\" type=\"hidden\" name=\"csrf_token\">",
    "see Bearer S3CRET-S3CRET, please", "barcode: S3CRET-S3CRET", "go to /x#id_token=S3CRET-S3CRET",
    #"{"simplified:authorization_identifier": "S3CRET-S3CRET"}"#,
    #"<simplified:patron simplified:authorizationIdentifier="S3CRET-S3CRET"/>"#,
    #"{"href": "https://files.example/a?X-Amz-Signature=S3CRET-S3CRET&z=1"}"#,
    #"{"access_token": "S3CRET-S3CRET", "cut off"#, "eyJS3CRET-S3CRET.e30.c2ln",
  ])
  func `Redaction for a recording takes a secret out by the place it stands in`(_ text: String) {
    let redacted = body(text)
    #expect(!redacted.contains("S3CRET"))
    #expect(redacted.contains("redacted-1"))
  }

  @Test func `Redaction for a recording takes secrets out of a form, and leaves the rest`() {
    let form = body(
      "grant_type=authorization_code&code=abc%2Fdef12&username=2300&scope=x",
      type: "application/x-www-form-urlencoded; charset=utf-8")
    #expect(form == "grant_type=authorization_code&code=redacted-1&username=redacted-2&scope=x")
  }

  @Test func `the redaction removes a known value in every spelling`() {
    var redaction = Redaction(.recording)
    redaction.learn("zz+mock/secret")
    redaction.learn("4711")
    let text = redaction.text(
      "zz+mock/secret zz%2Bmock%2Fsecret eno rK21vY2svc2VjcmV0 4711 x4711 /4711/ zz+mock\\/secret")
    #expect(!text.contains("secret"))
    // Digits of a longer number are no PIN.
    #expect(text.contains("x4711"))
    #expect(!text.contains(" 4711"))
  }

  @Test func `the redaction replaces equal values with the same placeholder`() {
    var redaction = Redaction(.recording)
    let answer = redaction.json(["access_token": "a-long-token-1", "next": "/x/a-long-token-1"])
    #expect(answer == ["access_token": "redacted-1", "next": "/x/redacted-1"])
    #expect(redaction.json(["token": "another-token-2"]) == ["token": "redacted-2"])
  }

  @Test func `Redaction for a recording keeps a number a number`() {
    var redaction = Redaction(.recording)
    let once = redaction.json(["patronId": 2_931_045, "x": [2_931_045, 7]])
    #expect(once == ["patronId": -1, "x": [-1, 7]])
    #expect(redaction.json(once) == once)
    #expect(Scan().findings(in: once.bytes()) == [])
  }

  @Test func `Redaction for a recording leaves words alone that only sound secret`() {
    let value: JSONValue = [
      "collectionToken": "v1L", "token_type": "bearer", "expires_in": 3600, "code": "NotFound",
      "title": "Spinning pins", "shipping": "x",
    ]
    var redaction = Redaction(.recording)
    #expect(redaction.json(value) == value)
  }
}

@Suite struct `A scan` {
  private func findings(_ text: String, knowing: [String] = []) -> [String] {
    Scan(knowing: knowing).findings(in: Array(text.utf8)).map(\.description)
  }

  @Test(arguments: [
    (#"{"reply":{"body":{"json":{"access_token":"abcd"}}}}"#, "reply.body.json.access_token"),
    (#"{"a":"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="}"#, "a value where a secret stands"),
    (#"{"a":"x 23000000000001 y"}"#, "as long as a card's"), (#"{"a":23000000000001}"#, "card's"),
    (#"{"a":"write to ada@example.org now"}"#, "a mail address"),
    (#"{"a":"/dl/aB3dE5fG7hI9jK1lM3nO5pQ7"}"#, "a long random word"),
    (#"{"a":"-----BEGIN PRIVATE KEY-----"}"#, "a key"), ("<pin>1234</pin>", "where a secret"),
    (#"{"fields":[{"name":"pin","value":"1"}]}"#, "under the name pin"),
  ])
  func `A scan finds what looks secret, and does not say it`(_ line: String, _ told: String) {
    let found = findings("\n" + line)
    #expect(found.contains { $0.hasPrefix("line 2, ") && $0.contains(told) }, "\(found)")
    #expect(!found.joined().contains("aB3dE5"))
  }

  @Test func `A scan finds what it was told to look for`() {
    #expect(findings(#"{"a":"my-own-word"}"#).isEmpty)
    #expect(findings(#"{"a":"my-own-word"}"#, knowing: ["my-own-word"]).count == 1)
  }

  @Test func `A scan is quiet about stand-ins, books, times and identifiers`() {
    let line = """
      {"access_token":"redacted-1","Authorization":"redacted-22","isbn":"9780306406157",\
      "at":1700000000000,"id":"76c1b7d0-17f4-4c05-8397-c66c17411584","code":"NotFound",\
      "url":"http://mock.invalid/x?token=redacted-3"}
      """
    #expect(findings(line) == [])
  }
}
