import Crypto
import Registry
import Secrets
import Testing

@Suite struct `Name and word in a request` {
  @Test(arguments: [
    ("Basic QWRhOjEyMzQ=", "Ada", "1234"), ("basic  QWRhOjEyMzQ", "Ada", "1234"),
    ("BASIC " + Base64.standard.encode(Array("a:b:c".utf8)), "a", "b:c"),
    ("Basic " + Base64.standard.encode(Array(":".utf8)), "", ""),
    ("Basic " + Base64.standard.encode(Array("Ö:ü".utf8)), "Ö", "ü"),
    ("Basic " + Base64.standard.encode([0xD6, 0x3A, 0xFC]), "Ö", "ü"),
  ])
  func `Name and word in a request are read as apps write them`(
    field: String, name: String, word: String
  ) throws {
    let pair = try #require(BasicPair(authorization: field))
    #expect(pair.name.revealText { $0 } == name)
    #expect(pair.word.revealText { $0 } == word)
    #expect("\(pair.word)" == "•••")
  }

  @Test(arguments: [
    "", "Basic", "Basic ", "Bearer QWRhOjEyMzQ=", "Basic QWRh", "Basic ===", "Basic ä",
    "Basic " + Base64.standard.encode([0x61, 0x3A, 0]),
    "Basic " + String(repeating: "QQ", count: 4_000),
  ])
  func `Name and word in a request are nothing else`(field: String) {
    #expect(BasicPair(authorization: field) == nil)
  }
}
