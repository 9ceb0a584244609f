import TestSupport
import Testing

@testable import EPUB

@Suite struct `A book is refused` {
  private static let aes = "http://www.w3.org/2001/04/xmlenc#aes256-cbc"

  @Test func `A book is refused never while it is sound`() throws {
    #expect(TestBook().refusal == nil)
    #expect(try TestBook().faults() == [])
  }

  @Test func `a file that is not a ZIP archive is refused as a book`() {
    for text in ["", "not a book", "PK\u{3}\u{4} only a beginning"] {
      #expect(throws: Refusal(.zipUnreadable, "no directory")) { try Book(Array(text.utf8)) }
    }
  }

  @Test func `a book in a split ZIP archive is refused`() {
    var book = TestBook()
    book.archive.disk = 2
    #expect(book.refusal?.code == .zipSplit)
  }

  @Test func `a book in an encrypted ZIP archive or with an unknown compression is refused`() {
    var book = TestBook()
    book.archive.entries[4].flags |= 1
    #expect(book.refusal == Refusal(.zipEncrypted, "OPS/one.xhtml"))
    book = TestBook()
    book.archive.entries[4].method = 12
    #expect(book.refusal == Refusal(.zipCompressionMethod, "OPS/one.xhtml: method 12"))
  }

  @Test(
    arguments: [
      (nil, Refusal.Code.containerMissing), ("", .containerMalformed),
      ("<container", .containerMalformed), ("<html/>", .containerMalformed),
      ("<!DOCTYPE c [<!ENTITY e 'x'>]><container>&e;</container>", .containerMalformed),
      ("<container/>", .containerNoRootfile),
      (TestBook.container("a.pdf", "application/pdf"), .containerNoRootfile),
      (TestBook.container("OPS/nothing.opf"), .opfMissing),
    ] as [(String?, Refusal.Code)])
  func `A book is refused by its container`(_ text: String?, _ code: Refusal.Code) {
    #expect(TestBook().with("META-INF/container.xml", text).refusal?.code == code)
  }

  @Test func `A book is refused by what is too large`() {
    let long = String(repeating: " ", count: 2 << 20)
    let container = TestBook.container("OPS/book.opf") + long
    #expect(TestBook().with("META-INF/container.xml", container).refusal?.code == .tooLarge)
    let package = TestBook.package() + String(repeating: " ", count: 17 << 20)
    #expect(TestBook().with("OPS/book.opf", package).refusal?.code == .tooLarge)
  }

  @Test(
    arguments: [
      ("", Refusal.Code.opfMalformed), ("<html/>", .opfMalformed),
      (String(TestBook.package().dropLast(60)), .opfMalformed),
      (TestBook.package(spine: ""), .spineEmpty),
      (TestBook.package(spine: "<spine/>"), .spineEmpty),
      (TestBook.package(spine: "<spine><itemref idref='zzz'/></spine>"), .spineNothingReadable),
      (TestBook.package(spine: "<spine><itemref idref='font'/></spine>"), .spineNothingReadable),
    ])
  func `A book is refused by its package`(_ text: String, _ code: Refusal.Code) {
    #expect(TestBook().with("OPS/book.opf", text).refusal?.code == code)
  }

  @Test func `a book locked with Readium LCP is refused with the facts from its license`() {
    let license = """
      {"provider":"https://lend.example","rights":{"end":"2027-01-01T00:00:00Z"},
       "encryption":{"profile":"http://readium.org/lcp/profile-1.0","user_key":{"text_hint":"pet"}}}
      """
    let book = TestBook().with("META-INF/license.lcpl", license)
    #expect(
      book.refusal
        == Refusal(
          .drmLCP,
          "Readium LCP, from https://lend.example, until 2027-01-01T00:00:00Z, hint: pet"))
    let key = """
      <ds:RetrievalMethod URI="license.lcpl#/encryption/content_key" \
      Type="http://readium.org/2014/01/lcp#EncryptedContentKey"/>
      """
    let without = TestBook().with(
      "META-INF/encryption.xml", TestBook.encryption(Self.aes, "OPS/one.xhtml", key: key))
    #expect(without.refusal == Refusal(.drmLCP, "Readium LCP"))
  }

  @Test func `a book locked with Adobe ADEPT is refused, known by its rights or its key`() {
    let locked = TestBook().with(
      "META-INF/encryption.xml",
      TestBook.encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/one.xhtml"))
    let rights = "<adept:rights xmlns:adept='http://ns.adobe.com/adept'/>"
    #expect(
      locked.with("META-INF/rights.xml", rights).refusal == Refusal(.drmAdept, "Adobe ADEPT"))
    let passphrase = """
      <adept:rights xmlns:adept='http://ns.adobe.com/adept'><adept:keyId>x-passhash</adept:keyId>\
      </adept:rights>
      """
    #expect(
      locked.with("META-INF/rights.xml", passphrase).refusal
        == Refusal(.drmAdept, "Barnes & Noble"))
    let key = "<a:resource xmlns:a='http://ns.adobe.com/adept'>urn:uuid:1</a:resource>"
    let keyed = TestBook().with(
      "META-INF/encryption.xml",
      TestBook.encryption(
        "http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/one.xhtml", key: key))
    #expect(keyed.refusal?.code == .drmAdept)
  }

  @Test func `a book locked with FairPlay, Kobo or unknown encryption is refused`() {
    #expect(TestBook().with("META-INF/sinf.xml", "<sinf/>").refusal?.code == .drmFairPlay)
    let locked = TestBook().with(
      "META-INF/encryption.xml", TestBook.encryption("urn:unheard-of", "OPS/one.xhtml"))
    #expect(locked.refusal == Refusal(.drmUnknown, "urn:unheard-of"))
    #expect(
      locked.with("META-INF/rights.xml", "<kdrm/>").refusal == Refusal(.drmUnknown, "Kobo"))
  }

  @Test
  func `a book with rights alone, obfuscated fonts or an encrypted picture is not refused`() throws
  {
    let rights = "<adept:rights xmlns:adept='http://ns.adobe.com/adept'/>"
    #expect(try TestBook().with("META-INF/rights.xml", rights).faults() == [])
    let veiled = TestBook().with(
      "META-INF/encryption.xml",
      TestBook.encryption("http://www.idpf.org/2008/embedding", "OPS/font.otf"))
    #expect(try veiled.faults() == [])
    let picture = TestBook().with(
      "META-INF/encryption.xml", TestBook.encryption("urn:unheard-of", "OPS/cover.png"))
    #expect(try picture.faults() == ["resource-encrypted"])
    #expect(throws: ResourceError.locked) { try picture.opened().bytes(of: "OPS/cover.png") }
  }

  @Test func `a license or a token for a book is refused as not a book`() {
    let license = #"{"id":"1","encryption":{"profile":"http://readium.org/lcp/basic-profile"}}"#
    #expect(throws: Refusal(.drmLCP, "a license, not a book")) { try Book(Array(license.utf8)) }
    let token = "<fulfillmentToken xmlns='http://ns.adobe.com/adept'/>"
    #expect(throws: Refusal(.drmAdept, "a token for a book, not a book")) {
      try Book(Array(token.utf8))
    }
  }

  @Test
  func `opening a missing book file reports no such file, and a license file is refused`() throws {
    let folder = try TemporaryFolder()
    #expect(throws: OpeningError.noFile("No such file or directory")) {
      try Book(file: folder.path("none.epub"))
    }
    let file = try folder.write(TestBook().archive.bytes, to: "book.epub")
    #expect(try Book(file: file).document.metadata.title == "A Book")
    let license = try folder.write(
      Array(#"{"profile":"http://readium.org/lcp/basic-profile"}"#.utf8), to: "book.lcpl")
    #expect(throws: OpeningError.refused(Refusal(.drmLCP, "a license, not a book"))) {
      try Book(file: license)
    }
  }
}
