import Crypto
import JSON
import Machine
import MockKit
import Secrets
import Testing

@testable import LCP

@Suite struct `A licence is read` {
  @Test func `A licence is read with all that it says`() throws {
    let license = try Lender().license()
    #expect(license.id == "0b2a8a8e-1d0c-4a9f-9b7f-2f6f1f1f0a01")
    #expect(license.issued.rfc3339(.milliseconds) == "2024-05-01T06:00:00.123Z")
    #expect(license.hint == "The word on your card")
    #expect(license.link("publication")?.hash == Digest.sha256.hash("the book"))
    #expect(license.rights.copy == 20 && license.rights.print == nil)
    #expect(license.user.email == "zoë@reader.example")
  }

  @Test func `A licence is read with its links as an object of relations, as they once were`()
    throws
  {
    let license = try Lender().license(anew: true) { object in
      object["links"] = [
        "hint": ["href": "https://lender.example/hint"],
        "publication": ["href": "https://lender.example/book", "type": "application/epub+zip"],
      ]
    }
    #expect(license.link("publication")?.href == "https://lender.example/book")
  }

  @Test func `A licence is read with the hash of the publication as base64 or as hex`() throws {
    let hash = Digest.sha256.hash("the book")
    for text in [Base64.standard.encode(hash), Hex.encode(hash)] {
      #expect(LicenseLink.hash(text) == hash)
    }
    #expect(LicenseLink.hash("abc") == nil)
  }

  @Test(arguments: [
    "id", "issued", "provider", "encryption.profile", "encryption.user_key.key_check",
    "encryption.content_key.encrypted_value", "links", "signature.value",
    "signature.certificate",
  ])
  func `A licence is read and named by what it lacks`(_ member: String) throws {
    let lender = try Lender()
    do {
      _ = try lender.license { $0.set(member, nil) }
      Issue.record("was read")
    } catch let refusal as LicenseRefusal {
      #expect(refusal.reason == .memberMissing)
      #expect(refusal.detail == member)
    }
  }

  @Test func `A licence is read and refused without a link to the publication`() throws {
    var lender = try Lender()
    lender.order.links.removeLast()
    #expect(reason { _ = try lender.license() } == .memberMissing)
  }

  @Test(arguments: [
    ("issued", JSONValue.string("yesterday")), ("rights.end", 7), ("rights.print", -1),
    ("encryption.content_key.algorithm", "http://www.w3.org/2001/04/xmlenc#aes128-cbc"),
    ("encryption.user_key.key_check", "!"), ("links", "x"),
  ])
  func `A licence is read and refused where something in it cannot be read`(
    _ member: String, _ value: JSONValue
  ) throws {
    let lender = try Lender()
    #expect(reason { _ = try lender.license { $0.set(member, value) } } == .memberMalformed)
  }

  @Test func `A licence is read and refused where it is too large, too deep or no JSON`() {
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    for text in ["", "[]", "{\"a\":\(deep)}", String(repeating: " ", count: 2 << 20) + "{}"] {
      #expect(reason { _ = try License(Array(text.utf8)) } == .notALicense)
    }
  }
}

@Suite struct `The form that is signed` {
  private func form(_ text: String) throws -> String {
    let object = try #require(try JSONValue(parsing: text).object)
    return String(decoding: CanonicalForm.bytes(of: object), as: UTF8.self)
  }

  @Test func `The form that is signed is sorted at every depth, by code points, and keeps lists`()
    throws
  {
    #expect(
      try form(#"{"b": {"z": [3, 1, {"y": 1, "x": 2}], "a": null}, "é": 1, "Z": true, "é2":2}"#)
        == #"{"Z":true,"b":{"a":null,"z":[3,1,{"x":2,"y":1}]},"é":1,"é2":2}"#)
    // Outside of the first plane the order of UTF-16 is another one.
    #expect(try form("{\"\u{FF5E}\":1,\"\u{1F600}\":2}") == "{\"\u{FF5E}\":1,\"\u{1F600}\":2}")
  }

  @Test func `The form that is signed escapes nothing that need not be`() throws {
    #expect(
      try form(#"{"a":"\/<>&\u00e9\u2028\u007f\"\\\n\u0001"}"#)
        == "{\"a\":\"/<>&é\u{2028}\u{7f}\\\"\\\\\\n\\u0001\"}")
  }

  @Test(arguments: [
    ("10", "10"), ("-0", "0"), ("1.0", "1"), ("1.50", "1.5E0"), ("0.001", "1.0E-3"),
    ("-12.25", "-1.225E1"), ("1e3", "1000"),
    ("1e-9223372036854775808", "1e-9223372036854775808"),
    (
      "123456789012345678901234567890",
      "123456789012345678901234567890"
    ),
  ])
  func `The form that is signed writes numbers in one way`(_ written: String, _ wanted: String)
    throws
  {
    #expect(try form("{\"n\":\(written)}") == "{\"n\":\(wanted)}")
  }
}

@Suite struct `A licence is trusted` {
  @Test(arguments: [LicensePress.Kind.rsa, .ellipticCurve])
  func `an LCP license with a valid signature and chain is trusted`(_ kind: LicensePress.Kind)
    throws
  {
    let lender = try Lender(kind)
    try lender.license().check(by: lender.roots, at: Lender.now)
  }

  @Test(arguments: ["rights.end", "user.email", "provider", "x"])
  func `an LCP license with a changed or removed member is not trusted`(_ member: String) throws {
    let lender = try Lender()
    let license = try lender.license { object in
      object.set(member, member == "user.email" ? nil : "2044-01-01T00:00:00Z")
    }
    #expect(reason { try license.checkProof(by: lender.roots) } == .signatureWrong)
  }

  @Test func `A licence is trusted by its own root and not by another of the same name`() throws {
    let (lender, other) = (try Lender(), try Lender())
    let license = try lender.license()
    let both = LicenseRoots([other.press.root, lender.press.root])
    try license.checkProof(by: both)
    let wrong = LicenseRoots([other.press.root])
    #expect(reason { try license.checkProof(by: wrong) } == .rootUnknown)
    #expect(reason { try license.checkProof(by: LicenseRoots()) } == .noRoots)
  }

  @Test func `A licence is trusted though its certificate has run out since`() throws {
    let lender = try Lender(until: Lender.time("2024-05-02T00:00:00Z").secondsSinceEpoch)
    try lender.license().checkProof(by: lender.roots)
  }

  @Test
  func `an LCP license issued or updated while its certificate is not valid is not trusted`() throws
  {
    var lender = try Lender(until: Lender.time("2024-05-02T00:00:00Z").secondsSinceEpoch)
    lender.order.updated = "2024-05-03T00:00:00Z"
    let updated = try lender.license()
    #expect(reason { try updated.checkProof(by: lender.roots) } == .certificateOutOfTime)
    let late = try Lender(from: Lender.time("2024-05-02T00:00:00Z").secondsSinceEpoch)
    let early = try late.license()
    #expect(reason { try early.checkProof(by: late.roots) } == .certificateOutOfTime)
  }

  @Test func `an LCP license with a certificate that its own root revoked is not trusted`() throws {
    let (lender, other) = (try Lender(), try Lender())
    let license = try lender.license()
    func roots(_ serial: Int, _ by: LicensePress) throws -> LicenseRoots {
      let list = try by.authority.revocationList(of: [serial], by: by.root, at: 1_700_000_000)
      return LicenseRoots([lender.press.root], revoked: [try RevocationList(list)])
    }
    #expect(
      reason { try license.checkProof(by: roots(7, lender.press)) } == .certificateRevoked)
    try license.checkProof(by: roots(8, lender.press))
    try license.checkProof(by: roots(7, other.press))
  }

  @Test
  func `an LCP license with a wrong or unknown algorithm or a bad certificate is not trusted`()
    throws
  {
    let lender = try Lender()
    let word = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
    let other = try lender.license { $0.set("signature.algorithm", .string(word)) }
    #expect(reason { try other.checkProof(by: lender.roots) } == .keyOfAnotherKind)
    let unknown = try lender.license { $0.set("signature.algorithm", "rot13") }
    #expect(reason { try unknown.checkProof(by: lender.roots) } == .algorithmUnknown)
    let broken = try lender.license { $0.set("signature.certificate", "AAAA") }
    #expect(reason { try broken.checkProof(by: lender.roots) } == .certificateUnreadable)
  }

  @Test func `A licence is trusted within its time only, and in a profile that is known`() throws {
    let lender = try Lender()
    let license = try lender.license()
    for (time, wanted) in [
      ("2024-05-01T05:59:59Z", LicenseRefusal.Reason.notYet), ("2024-06-01T06:00:01Z", .ended),
    ] {
      #expect(reason { try license.check(by: lender.roots, at: Lender.time(time)) } == wanted)
    }
    let other = try lender.license(anew: true) {
      $0.set("encryption.profile", "http://readium.org/lcp/profile-1.0")
    }
    #expect(reason { try other.check(by: lender.roots, at: Lender.now) } == .profileUnknown)
  }

  @Test func `an LCP license accepts only the publication whose hash it names`() throws {
    let license = try Lender().license()
    try license.checkPublication(sha256: Digest.sha256.hash("the book"))
    #expect(
      reason { try license.checkPublication(sha256: Digest.sha256.hash("a book")) }
        == .publicationChanged)
  }

  @Test func `A licence is trusted and every refusal has a sentence of its own`() {
    let sentences = LicenseRefusal.Reason.allCases.map { LicenseRefusal($0, "x").sentence }
    #expect(Set(sentences).count == sentences.count)
    #expect(sentences.allSatisfy { $0.hasSuffix(".") })
    #expect(LicenseRefusal(.ended, "a\u{1b}[2Jb\n").detail == "a[2Jb")
  }
}
