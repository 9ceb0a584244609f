import Circulation
import Crypto
import Database
import Markup
import Secrets
import StoreSupport
import Synchronization
import TestSupport
import Testing
import XML

@testable import Adobe

@Suite struct `Adobe's vendor` {
  private static let now: Int64 = 1_794_873_600_000
  private static let secret = Secret("carrel worked example secret")
  private static let node: [UInt8] = [0x0A, 0x1B, 0x2C, 0x3D, 0x4E, 0x5F]
  private static let city = LibraryID("city")
  private static let ada = PatronID("ada")

  private func open(
    _ engine: Engine, node: [UInt8]? = node,
    _ body: (AdobeDesk, VendorDesk?, Told) async throws -> Void
  ) async throws {
    try await withStore(engine, tables: [AdobeDesk.migrations]) { store in
      let desk = AdobeDesk(
        AdobeVendor(
          name: "CARREL", node: node,
          members: [Self.city: .init(shortName: "CITY", secret: Self.secret)]),
        store: store, now: { Self.now })
      let told = Told()
      try await body(desk, VendorDesk(desk) { told.add($0) }, told)
    }
  }

  private final class Told: Sendable {
    private let words = Mutex<[String]>([])
    func add(_ word: String) { words.withLock { $0.append(word) } }
    var all: [String] { words.withLock { $0 } }
  }

  private static let door: VendorDesk.Door = { name, word in
    name.matches(Secret("21000001")) && word.matches(Secret("1234"))
      ? (ada, [LibraryID("elsewhere"), city]) : nil
  }

  private func standard(_ name: String, _ word: String) -> [UInt8] {
    Array(
      """
      <signInRequest method="standard" xmlns="http://ns.adobe.com/adept">
      <username>\(name)</username><password>\(word)</password></signInRequest>
      """.utf8)
  }

  private func token(_ data: String) -> [UInt8] {
    Array(
      """
      <signInRequest method="authData" xmlns="http://ns.adobe.com/adept">
      <authData> \(data) </authData></signInRequest>
      """.utf8)
  }

  private func user(_ answer: [UInt8]) throws -> String {
    let root = try XMLDocument(answer).root
    #expect(root.name.local == "signInResponse", "\(String(decoding: answer, as: UTF8.self))")
    #expect(root.child(named: "label")?.text.hasPrefix("Delegated account ID ") == true)
    return try #require(root.child(named: "user")?.text)
  }

  private func fault(_ answer: [UInt8]) throws -> String {
    let root = try XMLDocument(answer).root
    #expect(root.name.local == "error" && root.name.namespace == VendorRequest.namespace)
    return try #require(root["data"])
  }

  @Test(arguments: Engine.allCases)
  func `Adobe's vendor knows a reader by one number for ever, whichever way they come`(
    engine: Engine
  ) async throws {
    try await open(engine) { desk, vendor, _ in
      let vendor = try #require(vendor)
      let licensor = try #require(try await desk.licensor(of: Self.ada, at: Self.city))
      #expect(licensor.vendor == "CARREL" && licensor.scheme == AdobeDesk.scheme)
      let text = licensor.clientToken
      #expect(!text.contains("ada") && text.hasPrefix("CITY|"))
      #expect(!"\(licensor)".contains(text))
      #expect(try await desk.licensor(of: Self.ada, at: LibraryID("town")) == nil)
      let cut = try #require(text.lastIndex(of: "|"))
      let (name, word) = (String(text[..<cut]), String(text[text.index(after: cut)...]))
      #expect(name.utf8.count <= 80 && word.utf8.count <= 76)
      let once = Base64.standard.encode(Array(text.utf8))
      let users = [
        try user(await vendor.signIn(standard(name, word), Self.door)),
        try user(await vendor.signIn(standard(text, ""), Self.door)),
        try user(await vendor.signIn(standard(once, ""), Self.door)),
        try user(await vendor.signIn(standard("21000001", "1234"), Self.door)),
        try user(await vendor.signIn(token(text), Self.door)),
        try user(await vendor.signIn(token(once), Self.door)),
        try user(
          await vendor.signIn(token(Base64.standard.encode(Array(once.utf8))), Self.door)),
      ]
      #expect(Set(users).count == 1)
      let user = users[0]
      // Version 1, nought at its head, the vendor's number at its end.
      let shape =
        /urn:uuid:0[0-9a-f]{7}-[0-9a-f]{4}-1[0-9a-f]{3}-[89ab][0-9a-f]{3}-0a1b2c3d4e5f/
      #expect(user.wholeMatch(of: shape) != nil, "\(user)")
      let about = await vendor.account(
        Array(
          """
          <accountInfoRequest method="standard" xmlns="http://ns.adobe.com/adept">
          <user>\(user)</user></accountInfoRequest>
          """.utf8))
      let label = try XMLDocument(about).root.child(named: "label")?.text
      #expect(label == "Delegated account ID \(user.dropFirst("urn:uuid:".count))")
      #expect(try await desk.known(of: Self.ada).map(\.isActivated) == [true])

      // Begun anew, the next token names another number, and what was given out with the old one is
      // good for nothing more.
      try await desk.forget(Self.ada, at: Self.city)
      #expect(try await desk.known(of: Self.ada).isEmpty)
      let next = try self.user(await vendor.signIn(standard("21000001", "1234"), Self.door))
      #expect(next != user)
      let old = await vendor.signIn(token(text), Self.door)
      #expect(try fault(old).hasPrefix("E_CARREL_AUTH"))
      let new = try #require(try await desk.licensor(of: Self.ada, at: Self.city)).clientToken
      #expect(try self.user(await vendor.signIn(token(new), Self.door)) == next)
    }
  }

  @Test func `Adobe's vendor says one thing to whoever is not let in, and the log why`()
    async throws
  {
    try await open(.sqlite) { _, vendor, told in
      let vendor = try #require(vendor)
      let late = ClientToken(library: "CITY", reader: "r", until: Self.now - 60_000)
        .text(Self.secret)
      let forged = ClientToken(library: "CITY", reader: "r", until: Self.now + 600_000)
        .text(Secret("guess"))
      let strange = ClientToken(library: "TOWN", reader: "r", until: Self.now + 600_000)
        .text(Self.secret)
      for body in [
        token(late), token(forged), token(strange), token("never"), token("||"),
        standard("21000001", "9999"), standard("CITY|1|r", "x"), standard("", ""),
      ] {
        #expect(
          try fault(await vendor.signIn(body, Self.door))
            == "E_CARREL_AUTH Incorrect barcode or PIN.")
      }
      #expect(told.all == ["expired", "bad_signature", "unknown_library", "no_expiry", "expired"])
      #expect(
        try fault(await vendor.account(Array("<x/>".utf8))).hasPrefix("E_CARREL_ACCOUNT_INFO "))
      let nobody =
        "<accountInfoRequest xmlns='http://ns.adobe.com/adept'><user>urn:uuid:0</user></accountInfoRequest>"
      #expect(
        try fault(await vendor.account(Array(nobody.utf8))).hasPrefix("E_CARREL_ACCOUNT_INFO "))
    }
  }

  @Test
  func `Adobe's vendor service refuses a request with a doctype, wrong namespace or no end`()
    async throws
  {
    let inner = "<username>a</username><password>b</password>"
    let space = "xmlns='http://ns.adobe.com/adept'"
    let refused = [
      "", "not xml", "<signInRequest method='standard' \(space)>",
      "<signInRequest method='standard'>\(inner)</signInRequest>",
      "<signInRequest method='other' \(space)>\(inner)</signInRequest>",
      "<signInRequest method='standard' xmlns='urn:other'>\(inner)</signInRequest>",
      "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><signInRequest method='standard' \(space)><username>&e;</username><password>b</password></signInRequest>",
      "<!DOCTYPE signInRequest><signInRequest method='standard' \(space)>\(inner)</signInRequest>",
      "<signInRequest method='standard' \(space)>\(inner)\(String(repeating: " ", count: 65_536))</signInRequest>",
    ]
    for text in refused { #expect(VendorRequest(Array(text.utf8)) == nil, "\(text.prefix(80))") }
    let prefixed =
      "<a:signInRequest method='standard' xmlns:a='http://ns.adobe.com/adept'><a:username> a </a:username><a:password/></a:signInRequest>"
    #expect(VendorRequest(Array(prefixed.utf8)) == .standard(name: "a", word: ""))
  }

  @Test func `Adobe's vendor is somebody else's business without a number`() async throws {
    try await open(.sqlite, node: nil) { desk, vendor, _ in
      #expect(vendor == nil)
      let licensor = try await desk.licensor(of: Self.ada, at: Self.city)
      #expect(licensor?.vendor == "CARREL")
    }
  }
}
