import Crypto
import JSON
import MockKit
import Secrets
import Testing

@testable import LCP

@Suite struct `A passphrase` {
  @Test func `A passphrase opens the licence, byte for byte`() throws {
    let license = try Lender().license()
    _ = try license.unlocked(with: [Lender.key])
    for wrong in ["zoë reads à la carte", Lender.passphrase + " ", ""] {
      let key = UserKey(passphrase: Secret(wrong))
      #expect(reason { _ = try license.unlocked(with: [key]) } == .passphraseWrong)
    }
    #expect(reason { _ = try license.unlocked(with: []) } == .passphraseNeeded)
  }

  @Test func `A passphrase is tried in its composed form, too`() throws {
    let license = try Lender().license()
    let taken = Secret("Zoe\u{308} reads a\u{300} la carte")
    #expect(reason { _ = try license.unlocked(with: [UserKey(passphrase: taken)]) } != nil)
    _ = try license.unlocked(with: UserKey.all(of: taken))
    #expect(UserKey.all(of: Secret("babar")).count == 1)
  }

  @Test func `A passphrase comes handed over as hex or as base64 of its hash`() throws {
    let license = try Lender().license()
    let hash = Digest.sha256.hash(Lender.passphrase)
    for text in [Hex.encode(hash), Base64.standard.encode(hash)] {
      let key = try #require(UserKey(handedOver: text))
      _ = try license.unlocked(with: [key])
    }
    #expect(UserKey(handedOver: "zoë") == nil)
    #expect("\(Lender.key.secret)" == "•••")
  }

  @Test func `A passphrase opens nothing where the licence is damaged`() throws {
    let lender = try Lender()
    func spoiled(_ path: String, _ bytes: [UInt8]) throws -> License {
      try lender.license(anew: true) {
        $0.set(path, .string(Base64.standard.encode(bytes)))
      }
    }
    let check = "encryption.user_key.key_check"
    let content = "encryption.content_key.encrypted_value"
    for (path, count) in [(check, 15), (check, 16), (content, 47), (content, 40)] {
      let license = try spoiled(path, [UInt8](repeating: 1, count: count))
      #expect(reason { _ = try license.unlocked(with: [Lender.key]) } == .memberMalformed)
    }
    for length in [31, 33, 16] {
      let sealed = try LicensePress.sealed(
        [UInt8](repeating: 7, count: length), with: lender.order.passphrase)
      let license = try spoiled(content, sealed)
      #expect(reason { _ = try license.unlocked(with: [Lender.key]) } == .contentKeyDamaged)
    }
  }
}

@Suite struct `The key of a book` {
  private let lender: Lender
  private let key: ContentKey

  init() throws {
    lender = try Lender()
    key = try lender.license().unlocked(with: [Lender.key])
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4000])
  func `The key of a book opens what was sealed, whatever its padding is made of`(_ count: Int)
    throws
  {
    let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = try LicensePress.sealed(plain, with: lender.order.contentKey)
    #expect(try key.open(sealed) == plain)
  }

  @Test(arguments: [UInt8(0), 17, 255])
  func `The key of a book refuses a padding that cannot be`(_ last: UInt8) throws {
    var block = [UInt8](repeating: 3, count: 32)
    block[31] = last
    let vector = [UInt8](repeating: 9, count: 16)
    let sealed =
      try vector
      + AESCBC.encrypt(
        block, key: Secret(lender.order.contentKey), vector: vector, padding: .none)
    #expect(throws: CryptoError.self) { try key.open(sealed) }
  }

  @Test(arguments: [0, 15, 16, 33, 47])
  func `The key of a book refuses lengths that cannot be`(_ count: Int) {
    #expect(throws: CryptoError.self) { try key.open([UInt8](repeating: 0, count: count)) }
  }
}

@Suite struct `The status of a licence` {
  private func status(_ text: String) throws -> LicenseStatus {
    try LicenseStatus(Array(text.utf8))
  }

  @Test func `The status of a licence is read with its links, written as one word or as lists`()
    throws
  {
    let status = try status(
      """
      {"id":"1","status":"active","updated":{"license":"2024-09-25T17:15:19Z","status":"2024-09-25T17:15:19Z"},
      "potential_rights":{"end":"2024-10-16T17:09:54Z"},"extra":[1],
      "links":[{"rel":["renew","x"],"href":"https://a.example/renew","type":["text/html","a/b"]},
      {"rel":"register","href":"https://a.example/r{?id,name}","templated":true}]}
      """)
    #expect(status.state.mayRead)
    #expect(status.link("renew")?.isPage == true)
    #expect(status.link("register")?.isTemplated == true)
    #expect(status.potentialEnd == Lender.time("2024-10-16T17:09:54Z"))
    #expect(status.hasNewer(than: try Lender().license()))
  }

  @Test func `The status of a licence allows reading before its end only`() {
    #expect(LicenseStatus.State.allCases.filter(\.mayRead) == [.ready, .active])
  }

  @Test func `The status of a licence is refused where it says nothing`() {
    #expect(reason { _ = try status("{}") } == .memberMissing)
    #expect(reason { _ = try status(#"{"id":"1","status":"lost"}"#) } == .memberMalformed)
    #expect(reason { _ = try status("<html>") } == .notALicense)
  }

  @Test func `The status of a licence has problems that are told apart`() {
    for problem in LicenseProblem.allCases {
      #expect(LicenseProblem(type: LicenseProblem.prefix + problem.rawValue) == problem)
    }
    #expect(
      LicenseProblem(type: "https://readium.org/license-status-document/error/return/already")
        == .alreadyReturned)
    #expect(LicenseProblem(type: "about:blank") == nil)
  }
}
