import Crypto
import Secrets
import Testing

@testable import Vault

/// The format is written down with an example, so that another program can be written for it.
@Suite struct `The worked example of the format` {
  private let key = Secret((0xA0...0xBF).map { UInt8($0) })
  private let sealed =
    "94b2443ced73b5b29a796c119933bcb4f3521ccfefffb3c2599b032c87c77328"
    + "a24afdfddc6c2e73c9d386cf77163821"
    + "b898a40163fe996ae868c32b6402adb8d4730947e1902073012bcd51219f70ef"

  @Test func `The worked example of the format makes the root key of the passphrase`() throws {
    let root = try root()
    #expect(
      root.matches(
        Secret(
          try Hex.decode("1b2946da71f41179e83b99dc33842d15741b87c4121c8c7f3781c1df864fb58b"))))
  }

  @Test func `The worked example of the format wraps the data key`() throws {
    let wrapped = try KeyRing.wrap(key, number: 1, with: try root(), nonce: Array(0...11))
    #expect(
      Hex.encode(wrapped) == "000102030405060708090a0b"
        + "ff614c02cff80171289a0d9188c553117fc0958dd2583ef5b0a1e06fb9c89ce3"
        + "6249739ba3b57ec54045b1fc993bb773")
    #expect(try KeyRing.unwrap(wrapped, number: 1, with: try root())?.matches(key) == true)
    #expect(try KeyRing.unwrap(wrapped, number: 2, with: try root()) == nil)
  }

  @Test func `The worked example of the format seals the record`() throws {
    let blob = try SealedRecord.seal(
      Secret("1234"), as: somebody, version: 3, key: key, number: 1, nonce: Array(0x10...0x1B))
    #expect(Hex.encode(blob) == "01010001" + "101112131415161718191a1b" + sealed)
  }

  @Test func `The worked example of the format opens the record`() throws {
    let blob = try Hex.decode("01010001" + "101112131415161718191a1b" + sealed)
    #expect(try SealedRecord.open(blob, as: somebody, version: 3, key: key).text == "1234")
  }

  @Test func `The worked example of the format binds a key to its purpose and number`() throws {
    #expect(
      Hex.encode(try boundFacts([formatName, "key", "k1"]))
        == "000e63617272656c2d7661756c742f3100036b657900026b31")
  }

  private func root() throws -> Secret {
    try Stretching(n: 1 << 17, r: 8, p: 1, salt: Array(0...15))
      .key(from: Secret("correct horse battery staple"))
  }
}
