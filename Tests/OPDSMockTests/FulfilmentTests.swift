import Compression
import Crypto
import HTTP
import JSON
import Markup
import MockKit
import Testing
import XML

@testable import OPDSMock

@Suite(.serialized) struct `Handing out at an OPDS lender` {
  /// The first address of a fresh loan, with what it says of itself.
  private func loan(_ index: Int, _ played: PlayedOPDS) async throws -> Element {
    let entry = try await played.borrow(index).root()
    return try #require(entry.link("http://opds-spec.org/acquisition"))
  }

  private func isBook(_ answer: PlayedOPDS.Answer) throws {
    #expect(answer.status == 200 && answer.type == "application/epub+zip")
    let archive = try #require(StoredArchive(answer.body))
    #expect(archive.names.first == "mimetype")
    let container = try XMLDocument(archive["META-INF/container.xml"] ?? []).root
    let path = container.first("rootfiles")?.first("rootfile")?["full-path"] ?? ""
    let package = try XMLDocument(archive[path] ?? []).root
    let items = package.first("manifest")?.all("item").compactMap { $0["href"] } ?? []
    #expect(items.count == 9 && items.allSatisfy { archive["EPUB/\($0)"] != nil })
  }

  @Test func `Handing out at an OPDS lender gives a book that opens, to the one who has it`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let link = try await loan(0, played)
      #expect(link["type"] == "application/epub+zip")
      let file = try await played.mine(link["href"] ?? "")
      try isBook(file)
      #expect(file.headers["Content-Disposition"]?.contains(".epub") == true)
      let stranger = try await played.get(link["href"] ?? "")
      #expect(stranger.status == 401)
      let other = try await played.mine(link["href"] ?? "", as: chinua)
      #expect(other.status == 400 && other.problem == "no-active-loan")
      played.advance(22 * LendingRules.day)
      #expect(try await played.mine(link["href"] ?? "").problem == "no-active-loan")
    }
  }

  @Test func `the OPDS mock gives an Adobe license and then refuses other formats`() async throws {
    try await PlayedOPDS.run { played in
      let link = try await loan(1, played)
      #expect(link["type"] == "application/vnd.adobe.adept+xml")
      #expect(link.first("indirectAcquisition")?["type"] == "application/epub+zip")
      let token = try await played.mine(link["href"] ?? "")
      #expect(try token.root().name.local == "fulfillmentToken")
      let entry = try await played.mine(played.work(1)).root()
      let left = entry.all("link").filter { $0["rel"] == "http://opds-spec.org/acquisition" }
      #expect(left.count == 1)
      let pdf = try await played.mine("works/\(played.ids[1])/fulfill/pdf-adobe")
      #expect(pdf.status == 409 && pdf.problem == "delivery-mechanism-conflict")
      let odd = try await played.mine("works/\(played.ids[1])/fulfill/stone")
      #expect(odd.status == 400 && odd.problem == "bad-delivery-mechanism")
    }
  }

  @Test func `Handing out at an OPDS lender gives a licence, which says how it stands`()
    async throws
  {
    try await PlayedOPDS.run { played in
      let link = try await loan(2, played)
      #expect(link.first("hashed_passphrase")?.words.count == 64)
      let licence = try await played.mine(link["href"] ?? "")
      #expect(licence.type == Mechanism.licence)
      #expect(licence.json["rights"]?["end"]?.string == "2026-04-06T09:00:00Z")
      let status = licence.json.href("status")
      #expect(try await played.get(status).json["status"]?.string == "active")
      #expect(try await played.get("lcp/root.pem").text.hasPrefix("-----BEGIN CERTIFICATE"))
      let book = try await played.get(licence.json.href("publication"))
      let hash = licence.json["links"]?.array?.compactMap { $0["hash"]?.string }
      #expect(hash == [Hex.encode(Digest.sha256.hash(book.body))])
      let archive = try #require(StoredArchive(book.body))
      #expect(archive["META-INF/encryption.xml"] != nil)
      let deed = { (word: String) in status.replacing("/status", with: "/\(word)") }
      let nameless = try await played.send(.post, deed("register"))
      #expect(nameless.status == 403)
      let known = try await played.send(.post, deed("register") + "?id=1&name=Tablet")
      #expect(known.json["status"]?.string == "active")
      let early = try await played.send(.put, deed("renew"))
      #expect(early.status == 403 && early.problem == "renew")
      played.advance(20 * LendingRules.day)
      #expect(try await played.send(.put, deed("renew")).status == 200)
      let fresh = try await played.get(deed("licence"))
      #expect(fresh.json["id"] == licence.json["id"] && fresh.json["updated"] != nil)
      #expect(fresh.json["rights"]?["end"]?.string == "2026-04-27T09:00:00Z")
      #expect(try await played.send(.put, deed("return")).json["status"]?.string == "returned")
      #expect(try await played.send(.put, deed("return")).problem == "already")
      #expect(try await played.get(status).json["status"]?.string == "returned")
    }
  }

  @Test func `Handing out at an OPDS lender gives a token that opens the file for a minute`()
    async throws
  {
    try await PlayedOPDS.run { played in
      played.inside { library, now in
        library.setCopies(.counted(1), of: library.order[4], at: now)
      }
      let link = try await loan(4, played)
      #expect(link["type"] == Mechanism.bearer)
      let paper = try await played.mine(link["href"] ?? "").json
      let bearer: Headers = ["Authorization": "Bearer \(paper["access_token"]?.string ?? "")"]
      let place = paper["location"]?.string ?? ""
      try isBook(try await played.get(place, bearer))
      #expect(try await played.get(place).status == 401)
      played.advance(60_000)
      #expect(try await played.get(place, bearer).status == 403)
    }
  }

  @Test func `Handing out at an OPDS lender gives a list of an audiobook's parts`() async throws {
    try await PlayedOPDS.run { played in
      let link = try await loan(3, played)
      let manifest = try await played.mine(link["href"] ?? "")
      #expect(manifest.type == "application/audiobook+json")
      #expect(manifest.json["readingOrder"]?.array?.count == 3)
    }
  }

  @Test func `Handing out at an OPDS lender gives what is free to anybody`() async throws {
    try await PlayedOPDS.run { played in
      let entry = try await played.get(played.work(8)).root()
      let open = try #require(entry.link("http://opds-spec.org/acquisition/open-access"))
      try isBook(try await played.get(open["href"] ?? ""))
      let borrow = entry.link("http://opds-spec.org/acquisition/borrow")
      #expect(borrow != nil && borrow?.first("copies") == nil)
    }
  }

  @Test func `Handing out at an OPDS lender keeps files and covers on a host that wants no names`()
    async throws
  {
    try await PlayedOPDS.run { played in
      played.turn(.otherHost)
      let link = try await loan(0, played)
      let sent = try await played.mine(link["href"] ?? "")
      let place = sent.headers["Location"] ?? ""
      #expect(sent.status == 302 && place.hasPrefix("http://localhost:"))
      let here = place.replacing("localhost", with: "127.0.0.1")
      try isBook(try await played.get(here))
      #expect(try await played.mine(here).status == 400)
      played.advance(900_000)
      #expect(try await played.get(here).status == 403)
      let entry = try await played.get(played.work(0)).root()
      #expect(entry.href("http://opds-spec.org/image").hasPrefix("http://localhost:"))
    }
  }

  @Test func `Handing out at an OPDS lender lends in the way that was asked for`() async throws {
    try await PlayedOPDS.run { played in
      let loan = try await played.borrow(1, "/pdf-adobe")
      let links = try loan.root().all("link").filter {
        $0["rel"] == "http://opds-spec.org/acquisition"
      }
      #expect(
        links.count == 1 && links[0].first("indirectAcquisition")?["type"] == "application/pdf")
      #expect(try await played.borrow(0, "/pdf-adobe").problem == "bad-delivery-mechanism")
    }
  }
}
