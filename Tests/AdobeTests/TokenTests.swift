import Crypto
import Secrets
import Testing

@testable import Adobe

@Suite struct `A token for Adobe's sign-in` {
  private static let secret = Secret("carrel worked example secret")
  private static let reader = "0b2a6ed0-6c37-4b57-9e8b-1d3d6f3a9d10"
  /// 2026-11-17T00:00:00Z.
  private static let end: Int64 = 1_794_873_600_000
  private static let worked =
    "CARREL|5194080|\(reader)|Rv4jL4QHAZRGCv8vuokOTbrvU2sKBjZTedg17t783mg@"

  private func read(
    _ text: String, now: Int64 = end - 1, secret: Secret? = secret
  ) -> Result<ClientToken, ClientToken.Fault> {
    do throws(ClientToken.Fault) {
      return .success(
        try ClientToken.read(text, now: now) { $0.lowercased() == "carrel" ? secret : nil })
    } catch { return .failure(error) }
  }

  @Test func `A token for Adobe's sign-in is the one that was worked out by hand`() throws {
    let token = ClientToken(library: "CARREL", reader: Self.reader, until: Self.end)
    #expect(token.text(Self.secret) == Self.worked)
    #expect(token.name.utf8.count <= 80 && token.signature(Self.secret).utf8.count <= 76)
    #expect(try read(Self.worked).get() == token)
  }

  @Test
  func `a token for Adobe's sign-in from another program, with part of a minute, is read`() throws {
    let token = try ClientToken.read(
      "a library|1234.5|a patron identifier|mSFwEMDHqYwcyS3pFNdYJWJNuC0L3OoyTmBLrZ3U5rY@",
      now: 1_483_228_800_000
    ) { _ in Secret("My library secret - padded key!!") }
    #expect(token.reader == "a patron identifier")
    #expect(try #require(token.until) == 1_483_302_870_000)
  }

  @Test func `A token for Adobe's sign-in tells its end in seconds where the number is large`()
    throws
  {
    let name = "CARREL|1794873600|\(Self.reader)"
    let signature = AdobeAlphabet.encode(
      Digest.sha256.authenticate(Array(name.utf8), key: Self.secret))
    #expect(try read("\(name)|\(signature)").get().until == Self.end)
    #expect(read("\(name)|\(signature)", now: Self.end) == .failure(.expired))
  }

  @Test func `A token for Adobe's sign-in has its letters swapped for Adobe's programs`() {
    let bytes: [UInt8] = [
      0x21, 0x09, 0x46, 0x4e, 0x36, 0x7e, 0x27, 0x45, 0x73, 0x35, 0x32, 0x3f, 0x58, 0x21, 0x23,
      0x29, 0x5a, 0x2a, 0x5f, 0x53,
    ]
    #expect(AdobeAlphabet.encode(bytes) == "IQlGTjZ:J0VzNTI;WCEjKVoqX1M@")
    #expect(AdobeAlphabet.decode("IQlGTjZ:J0VzNTI;WCEjKVoqX1M@") == bytes)
    #expect(AdobeAlphabet.decode("IQlGTjZ+J0VzNTI/WCEjKVoqX1M=") == bytes)
  }

  @Test func `A token for Adobe's sign-in names a reader whose number has a bar in it`() throws {
    let token = ClientToken(library: "CARREL", reader: "a|b", until: Self.end)
    #expect(try read(token.text(Self.secret)).get().reader == "a|b")
  }

  @Test(
    arguments: [
      ("", ClientToken.Fault.noToken), ("CARREL", .noToken), ("CARREL|5194080", .noToken),
      ("CARREL|soon|r|s", .noExpiry), ("CARREL|-5|r|s", .noExpiry), ("CARREL|1e9|r|s", .noExpiry),
      ("CARREL|99999999999999999999|r|s", .noExpiry), ("CARREL||r|s", .noExpiry),
      ("CARREL|5194080||s", .noReader), ("OTHER|5194080|r|s", .unknownLibrary),
      ("CARREL|5194079.9|r|s", .expired), ("CARREL|5194080|r|s", .badSignature),
      ("CARREL|5194080|r|", .badSignature),
      (worked.replacing("|0b2a", with: "|0b2b"), .badSignature),
      (worked.replacing("g@", with: "h@"), .badSignature),
    ])
  func `A token for Adobe's sign-in is refused for a reason that the log may tell`(
    text: String, fault: ClientToken.Fault
  ) {
    #expect(read(text) == .failure(fault))
  }

  @Test func `a token for Adobe's sign-in is valid only with the secret that signed it`() {
    #expect(read(Self.worked, secret: Secret("another")) == .failure(.badSignature))
  }

  // MARK: - JSON Web Tokens

  private static func web(
    _ body: String, head: String = #"{"alg":"HS256","typ":"JWT"}"#, key: Secret = secret
  ) -> String {
    let text = [head, body].map { Base64.urlSafe.encode(Array($0.utf8), padded: false) }
      .joined(separator: ".")
    let signature = Digest.sha256.authenticate(Array(text.utf8), key: key)
    return "\(text).\(Base64.urlSafe.encode(signature, padded: false))"
  }

  private func web(_ text: String) -> WebToken? {
    WebToken(text, now: 1_000_000) { $0 == "CARREL" ? Self.secret : nil }
  }

  @Test func `a JSON Web Token for Adobe's sign-in must be current and signed with HS256`() throws {
    let good = #"{"iss":"CARREL","sub":"r1","iat":900,"exp":1900}"#
    #expect(web(Self.web(good))?.reader == "r1")
    let bad = [
      Self.web(good, key: Secret("another")),
      Self.web(good, head: #"{"alg":"none"}"#), Self.web(good, head: #"{"alg":"HS512"}"#),
      Self.web(#"{"iss":"CARREL","sub":"r1","iat":1100,"exp":1900}"#),
      Self.web(#"{"iss":"CARREL","sub":"r1","iat":900,"exp":1000}"#),
      Self.web(#"{"iss":"OTHER","sub":"r1","iat":900,"exp":1900}"#),
      Self.web(#"{"iss":"CARREL","iat":900,"exp":1900}"#),
      Self.web(#"{"iss":"CARREL","sub":"","iat":900,"exp":1900}"#),
      Self.web(#"{"iss":"CARREL","sub":"r1","exp":1900}"#), "a.b.c", "..", "",
    ]
    for text in bad { #expect(web(text) == nil, "\(text)") }
  }
}
