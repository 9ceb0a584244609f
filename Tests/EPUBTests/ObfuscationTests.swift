import Crypto
import TestSupport
import Testing

@testable import EPUB

@Suite struct `A veiled font` {
  private let font = Array("OTTO".utf8) + (0..<3000).map { UInt8(truncatingIfNeeded: $0 * 7) }
  private static let idpf = "http://www.idpf.org/2008/embedding"
  private static let adobe = "http://ns.adobe.com/pdf/enc#RC"
  /// The book's identifier is a UUID of falling bytes.
  private let uuid = (0..<16).map { UInt8(15 - $0) }
  private let sha1 = Digest.sha1.hash("urn:uuid:0f0e0d0c-0b0a-0908-0706-050403020100")

  private func veiled(_ bytes: [UInt8], _ count: Int, _ key: [UInt8]) -> [UInt8] {
    bytes.enumerated().map { $0 < count ? $1 ^ key[$0 % key.count] : $1 }
  }

  private func book(_ algorithm: String, _ entry: TestArchive.Entry) throws -> Book {
    var book = TestBook().with(
      "META-INF/encryption.xml", TestBook.encryption(algorithm, "OPS/font.otf"))
    book.archive["OPS/font.otf"] = entry
    return try book.opened()
  }

  @Test func `A veiled font is cleared by the rule of the IDPF`() throws {
    let entry = TestArchive.Entry("OPS/font.otf", veiled(font, 1040, sha1)).deflated()
    #expect(try book(Self.idpf, entry).bytes(of: "OPS/font.otf") == font)
  }

  @Test func `A veiled font is cleared by the rule of Adobe`() throws {
    let entry = TestArchive.Entry("OPS/font.otf", veiled(font, 1024, uuid)).deflated()
    #expect(try book(Self.adobe, entry).bytes(of: "OPS/font.otf") == font)
  }

  @Test func `A veiled font is cleared where it was packed first and veiled then`() throws {
    var entry = TestArchive.Entry("OPS/font.otf", font).deflated()
    entry.packed = veiled(entry.packed, 1040, sha1)
    #expect(try book(Self.idpf, entry).bytes(of: "OPS/font.otf") == font)
  }

  @Test func `A veiled font is cleared by the part as by the whole`() {
    for veil in [Obfuscation.idpf, .adobe] {
      let key = veil == .idpf ? sha1 : uuid
      let whole = veiled(font, veil.reach, key)
      for start in [0, 1, 17, 1020, 1039, 1040, 2000] {
        #expect(
          veil.clear(Array(whole[start...]), from: start, key: key) == Array(font[start...]))
      }
    }
  }

  @Test func `A veiled font has its key from the identifiers, wherever the UUID is`() {
    #expect(
      Obfuscation.adobe.key(
        unique: "isbn:1", identifiers: ["x", "0F0E0D0C-0B0A-0908-0706-050403020100"]) == uuid)
    #expect(Obfuscation.adobe.key(unique: "isbn:1", identifiers: ["x"]) == nil)
    #expect(
      Obfuscation.idpf.key(unique: " a\tb\r\nc ", identifiers: []) == Digest.sha1.hash("abc"))
    #expect(Obfuscation.idpf.key(unique: nil, identifiers: ["a"]) == nil)
  }
}

@Suite struct `An address in a book` {
  @Test(
    arguments: [
      ("b.xhtml", "OPS/b.xhtml"), ("../a/b.xhtml", "a/b.xhtml"), ("./b.xhtml", "OPS/b.xhtml"),
      ("/m/a.png", "m/a.png"), ("../../../x", "x"), ("#here", "OPS/a.xhtml"),
      ("b%2Fc.xhtml", "OPS/b/c.xhtml"), ("%2e%2e/b", "b"), ("b.xhtml?x=1#y", "OPS/b.xhtml"),
      (" b.xhtml\n", "OPS/b.xhtml"), ("100%", "OPS/100%"), ("", "OPS/a.xhtml"),
    ])
  func `An address in a book leads to an entry`(_ written: String, _ path: String) {
    #expect(Reference(written, from: "OPS/a.xhtml").path == path)
  }

  @Test func `An address in a book says where it tried to leave`() {
    #expect(Reference("../../x", from: "OPS/a.xhtml").escapes)
    #expect(!Reference("../x", from: "OPS/a.xhtml").escapes)
  }

  @Test func `An address in a book leads out only over the network`() {
    #expect(Reference("https://a.example/x", from: "a").place == .remote("https://a.example/x"))
    #expect(Reference("//a.example/x", from: "a").place == .remote("https://a.example/x"))
    #expect(Reference("data:text/html,x", from: "a").place == .data)
    #expect(Reference("file:///etc/passwd", from: "a").place == .blocked("file"))
    #expect(Reference("java\nscript:x()", from: "a").path == nil)
  }
}
