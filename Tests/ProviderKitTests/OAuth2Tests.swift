import Circulation
import HTTP
import JSON
import Secrets
import Testing

@testable import ProviderKit

@Suite struct `OAuth 2` {
  static let client = OAuth2.Client(id: Secret("CARREL"), secret: Secret("s3cret"))
  private let tokens = "https://x.example/token"

  private func body(_ request: WireRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  private func ask(
    _ grant: OAuth2.Grant, as client: OAuth2.Client = client, scope: String? = nil
  ) throws -> WireRequest {
    OAuth2.request(grant, as: client, at: try Address(tokens), scope: scope)
  }

  @Test func `OAuth 2 presents key and secret as a pair`() throws {
    let request = try ask(.clientCredentials)
    #expect(request.headers["Authorization"] == "Basic Q0FSUkVMOnMzY3JldA==")
    #expect(body(request) == "grant_type=client_credentials")
    #expect(request.isRepeatable)
  }

  @Test func `OAuth 2 encodes every value of a form`() throws {
    let request = try ask(
      .password(user: Secret("a b"), password: Secret("1&2+3%4=é")),
      scope: "websiteid:1 authorizationname:x")
    #expect(
      body(request)
        == "grant_type=password&username=a%20b&password=1%262%2B3%254%3D%C3%A9"
        + "&scope=websiteid%3A1%20authorizationname%3Ax")
  }

  @Test func `OAuth 2 tries a code and a refresh once only`() throws {
    let code = try ask(
      .code(Secret("c"), redirect: "http://127.0.0.1:9/callback", verifier: Secret("v")))
    #expect(
      body(code)
        == "grant_type=authorization_code&code=c"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&code_verifier=v")
    #expect(!code.isRepeatable)
    let refresh = try ask(.refresh(Secret("r")))
    #expect(body(refresh) == "grant_type=refresh_token&refresh_token=r")
    #expect(!refresh.isRepeatable)
  }

  @Test func `OAuth 2 lets a program without a secret name itself in the form`() throws {
    let bare = try ask(.clientCredentials, as: .init(id: Secret("me"), secret: nil))
    #expect(bare.headers["Authorization"] == nil)
    #expect(body(bare).hasSuffix("&client_id=me"))
    let inBody = OAuth2.Client(id: Secret("me"), secret: Secret("s"), presentation: .inBody)
    #expect(
      body(try ask(.clientCredentials, as: inBody)).hasSuffix("&client_id=me&client_secret=s"))
  }

  @Test(arguments: [
    (#"{"access_token":"a","expires_in":3600}"#, 3600),
    (#"{"access_token":"a","expires_in":"3600"}"#, 3600),
    (#"{"access_token":"a","expires_in":-5}"#, 0), (#"{"access_token":"a"}"#, nil),
    (#"{"access_token":"a","expires_in":null}"#, nil),
  ])
  func `OAuth 2 reads a lifetime as a number or a word`(_ text: String, seconds: Int?) throws {
    let tokens = try #require(OAuth2.Tokens(try JSONValue(parsing: text)))
    #expect(tokens.lifetime == seconds.map { .seconds($0) })
  }

  @Test func `OAuth 2 reads the rest of a token answer`() throws {
    let tokens = try #require(
      OAuth2.Tokens(
        try JSONValue(
          parsing:
            #"{"access_token":"a","token_type":"Bearer","scope":"A  B:1","refresh_token":"r"}"#
        )))
    #expect(tokens.type == "bearer" && tokens.scope == ["A", "B:1"])
    #expect(tokens.refresh?.revealText { $0 } == "r")
    #expect("\(tokens.access)" == "•••")
    #expect(OAuth2.Tokens(["error": "invalid_grant"]) == nil)
    let start = ContinuousClock.now
    #expect(tokens.token(asked: start).expires == start + .seconds(3240))
  }

  @Test(arguments: [
    ("invalid_grant", "credentials_rejected"), ("access_denied", "credentials_rejected"),
    ("invalid_client", "not_configured"), ("invalid_scope", "not_configured"),
    ("temporarily_unavailable", "provider_busy"), ("server_error", "provider_unavailable"),
  ])
  func `OAuth 2 knows the words of refusal`(_ word: String, code: String) throws {
    let refusal = try #require(OAuth2.Refusal(["error": .string(word), "error_description": "t"]))
    #expect(refusal.reason.code == code && refusal.text == "t")
  }
}

@Suite struct `A visit to a sign-in page` {
  private let visit = OAuth2.Visit(
    redirect: "http://127.0.0.1:9/callback", state: "s t", issuer: "https://x.example",
    verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))

  @Test func `A visit to a sign-in page begins with a challenge, the state and the way back`()
    throws
  {
    let address = visit.address(
      at: try Address("https://x.example/auth"), client: Secret("me"), scope: "a:1")
    #expect(
      address.query
        == "client_id=me&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback&response_type=code"
        + "&scope=a%3A1&state=s%20t&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        + "&code_challenge_method=S256")
  }

  private func fault(_ answer: FormFields) -> OAuth2.Visit.Fault? {
    do throws(OAuth2.Visit.Fault) { _ = try visit.code(in: answer) } catch { return error }
    return nil
  }

  @Test func `A visit to a sign-in page ends with a code that came with our own word`() throws {
    #expect(try visit.code(in: ["state": "s t", "code": "c"]).revealText { $0 } == "c")
    let named: FormFields = ["state": "s t", "code": "c", "iss": "https://x.example"]
    #expect(fault(named) == nil)
  }

  @Test func `A visit to a sign-in page does not end with the answer to another question`() {
    #expect(fault(["code": "c"]) == .foreignState)
    #expect(fault(["state": "s", "code": "c"]) == .foreignState)
    #expect(fault(["state": "s", "error": "access_denied"]) == .foreignState)
    #expect(fault(["state": "s t", "state": "s t", "code": "c"]) == .incomplete)
    #expect(fault(["state": "s t", "code": "c", "code": "d"]) == .incomplete)
    #expect(fault(["state": "s t"]) == .incomplete)
    #expect(fault(["state": "s t", "code": "c", "iss": "https://x.example/"]) == .foreignIssuer)
    #expect(
      fault(["state": "s t", "error": "access_denied"])
        == .refused(.init(code: "access_denied")))
  }

  @Test func `A visit to a sign-in page has words that nobody guesses`() throws {
    let words = try (0..<20).map { _ in try OAuth2.newWord() }
    #expect(Set(words).count == 20 && words.allSatisfy { $0.utf8.count == 43 })
  }

  @Test(arguments: [
    ("http://127.0.0.1:9/callback?code=c%2F1&state=s#x", "c/1"), ("  c/1 ", nil),
    ("code-without-address", nil),
  ])
  func `A visit to a sign-in page takes a pasted address or a pasted code`(
    _ text: String, inAddress: String?
  ) {
    switch SignInPage.Answer(pasted: text) {
    case .redirected(let fields): #expect(fields["code"] == inAddress)
    case .typed(let code):
      #expect(inAddress == nil)
      #expect(code.revealText { $0 } == text.filter { $0 != " " })
    }
  }

  @Test func `A visit to a sign-in page keeps what the service puts in a secret's place`() async {
    let kept = Keeper()
    let credentials = Credentials(["refresh_token": Secret("old")]) { await kept.keep($0, $1) }
    let token = credentials.renewable("refresh_token")
    await token?.replace(by: Secret("new"))
    #expect(token?.current.revealText { $0 } == "new")
    #expect(await kept.seen == ["refresh_token=new"])
    #expect(credentials.renewable("pin") == nil)
  }
}

private actor Keeper {
  private(set) var seen: [String] = []
  func keep(_ field: String, _ value: Secret) { seen.append("\(field)=\(value.revealText { $0 })") }
}
