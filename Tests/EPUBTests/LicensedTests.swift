import Crypto
import JSON
import LCP
import Machine
import MockKit
import Secrets
import TestSupport
import Testing

@testable import EPUB

/// A book that a lender has locked.
private struct LockedBook {
  let press: LicensePress
  let contentKey = Digest.sha256.hash("content")
  var order: LicensePress.Order
  var book = TestBook()
  private var notes: [String] = []

  init() throws {
    press = try LicensePress()
    order = LicensePress.Order(
      id: "licence-1", issued: "2026-01-01T00:00:00Z", passphrase: Digest.sha256.hash("babar"),
      contentKey: contentKey,
      links: [
        ["rel": "hint", "href": "https://lender.example/hint"],
        ["rel": "publication", "href": "https://lender.example/book.epub"],
      ])
  }

  mutating func lock(
    _ path: String, isPacked: Bool = true, length: Int? = nil, tells: Bool = true,
    _ change: (inout [UInt8]) -> Void = { _ in }
  ) throws {
    let plain = Array((book[path] ?? "").utf8)
    var sealed =
      isPacked
      ? try LicensePress.sealedPacked(plain, with: contentKey)
      : try LicensePress.sealed(plain, with: contentKey)
    change(&sealed)
    book.archive[path] = TestArchive.Entry(path, sealed)
    notes.append(
      LicensePress.note(
        path, isPacked: isPacked, length: tells ? length ?? plain.count : nil))
  }

  func archive() throws -> TestArchive {
    try book
      .with("META-INF/encryption.xml", LicensePress.encryption(notes))
      .with(
        "META-INF/license.lcpl", JSONValue.object(try press.license(order)).text()
      ).archive
  }

  func opened(_ passphrases: String..., at time: String = "2026-02-01T00:00:00Z") throws -> Book {
    try Book(
      archive().bytes,
      with: BookKeys(
        passphrases.map { UserKey(passphrase: Secret($0)) }, trusting: LicenseRoots([press.root]),
        at: Timestamp(rfc3339: time) ?? .epoch))
  }

  func refusal(_ passphrases: String..., at time: String = "2026-02-01T00:00:00Z") -> Refusal? {
    do {
      let keys = BookKeys(
        passphrases.map { UserKey(passphrase: Secret($0)) }, trusting: LicenseRoots([press.root]),
        at: Timestamp(rfc3339: time) ?? .epoch)
      _ = try Book(archive().bytes, with: keys)
      return nil
    } catch { return error as? Refusal }
  }
}

@Suite struct `A book with a licence` {
  @Test func `A book with a licence opens with its reader's passphrase, and reads as any other`()
    throws
  {
    var locked = try LockedBook()
    try locked.lock("OPS/one.xhtml")
    try locked.lock("OPS/two.xhtml", isPacked: false)
    try locked.lock("OPS/cover.png", isPacked: false, tells: false)
    let book = try locked.opened("wrong", "babar")
    #expect(book.isLicensed)
    #expect(book.faults.map(\.code.rawValue) == [])
    for path in ["OPS/one.xhtml", "OPS/two.xhtml", "OPS/cover.png"] {
      #expect(try book.bytes(of: path) == Array((TestBook()[path] ?? "").utf8))
    }
    var reading = TextReading(book)
    #expect(try String(decoding: reading.text(at: 0).plain(), as: UTF8.self) == "First words.\n")
    #expect(book.examine().map(\.code.rawValue) == [])
    #expect(book.navigation.contents.map(\.label) == ["One"])
  }

  @Test func `a locator in an encrypted book quotes no text except highlighted words`() throws {
    var locked = try LockedBook()
    try locked.lock("OPS/one.xhtml")
    let book = try locked.opened("babar")
    var reading = TextReading(book)
    let (places, text) = (BookPlaces(book), try reading.text(at: 0))
    let bare = places.locator(2..<2, in: text, spine: 0)
    #expect(!bare.json.text().contains("words") && !"\(bare.json.text())".contains("First"))
    let marked = places.locator(0..<5, in: text, spine: 0)
    #expect(marked.quote.highlight == "First" && !marked.json.text().contains("words"))
  }

  @Test func `A book with a licence tells what kept it from opening, and what helps along`() throws
  {
    var locked = try LockedBook()
    locked.order.rights = ["end": "2026-03-01T00:00:00Z"]
    try locked.lock("OPS/one.xhtml")
    #expect(locked.refusal()?.license?.reason == .passphraseNeeded)
    #expect(locked.refusal()?.note?.hint == "The word on your card")
    #expect(locked.refusal()?.note?.hintPage == "https://lender.example/hint")
    #expect(locked.refusal("Babar")?.license?.reason == .passphraseWrong)
    let late = locked.refusal("babar", at: "2026-03-01T00:00:01Z")
    #expect(late?.code == .drmLCP && late?.license?.reason == .ended)
    // Whoever has no keys at all is told as before.
    let archive = try locked.archive()
    #expect(throws: Refusal.self) { try Book(archive.bytes) }
  }

  @Test(arguments: [0, 1, 5000])
  func `A book with a licence has no part of another length than was announced`(_ length: Int)
    throws
  {
    for isPacked in [true, false] {
      var locked = try LockedBook()
      try locked.lock("OPS/one.xhtml", isPacked: isPacked, length: length)
      let book = try locked.opened("babar")
      #expect(throws: ResourceError.unreadable) { try book.bytes(of: "OPS/one.xhtml") }
      #expect(book.examine().map(\.code.rawValue) == ["entry-unreadable"])
    }
  }

  @Test
  func `a damaged part of an encrypted book is unreadable, and an oversized one is refused`() throws
  {
    var locked = try LockedBook()
    try locked.lock("OPS/one.xhtml") { $0.removeLast() }
    try locked.lock("OPS/two.xhtml") { $0[20] ^= 1 }
    let zeros = String(repeating: "0", count: 1 << 20)
    locked.book = locked.book.with("OPS/cover.png", zeros)
    try locked.lock("OPS/cover.png")
    let book = try locked.opened("babar")
    #expect(throws: ResourceError.unreadable) { try book.bytes(of: "OPS/one.xhtml") }
    #expect(throws: ResourceError.unreadable) { try book.bytes(of: "OPS/two.xhtml") }
    #expect(throws: ResourceError.tooLarge) { try book.bytes(of: "OPS/cover.png", upTo: 1000) }
    #expect(try book.bytes(of: "OPS/cover.png").count == 1 << 20)
  }

  @Test func `A book with a licence may have veiled fonts and parts behind other locks beside`()
    throws
  {
    var locked = try LockedBook()
    try locked.lock("OPS/one.xhtml")
    let archive = try locked.archive()
    let others = """
      <enc:EncryptedData><enc:EncryptionMethod Algorithm="urn:unheard-of"/><enc:CipherData>\
      <enc:CipherReference URI="OPS/cover.png"/></enc:CipherData></enc:EncryptedData>\
      <enc:EncryptedData><enc:EncryptionMethod \
      Algorithm="http://www.w3.org/2001/04/xmlenc#aes256-cbc"/><enc:CipherData>\
      <enc:CipherReference URI="META-INF/container.xml"/></enc:CipherData></enc:EncryptedData>\
      </encryption>
      """
    var book = TestBook()
    book.archive = archive
    let text = try #require(book["META-INF/encryption.xml"])
    book["META-INF/encryption.xml"] = text.replacing("</encryption>", with: others)
    let opened = try Book(
      book.archive.bytes,
      with: BookKeys(
        [UserKey(passphrase: Secret("babar"))], trusting: LicenseRoots([locked.press.root]),
        at: Timestamp(rfc3339: "2026-02-01T00:00:00Z") ?? .epoch))
    #expect(opened.faults.map(\.code.rawValue) == ["resource-encrypted"])
    #expect(throws: ResourceError.locked) { try opened.bytes(of: "OPS/cover.png") }
  }
}
