import FoundationEssentials
import HTTP
import Testing

@testable import OPDS

@Suite struct `A right to lend` {
  private let base = try? Address("https://lender.example/info/1")

  private func info(_ text: String) throws -> LendingLicenseInfo? {
    LendingLicenseInfo(Array(text.utf8), from: try #require(base))
  }

  private func right(
    _ status: String = "available", _ checkouts: String = #""left":3,"available":1"#,
    _ terms: String = #""concurrency":1,"length":5097600"#
  ) throws -> LendingLicenseInfo {
    try #require(
      try info(
        """
        {"identifier":"urn:uuid:1","status":"\(status)","checkouts":{\(checkouts)},
        "terms":{\(terms)},"protection":{"format":"application/vnd.readium.lcp.license.v1.0+json"}}
        """))
  }

  private let now = Date(timeIntervalSince1970: 1_767_225_600)

  @Test func `A right to lend is free where a copy is, and a loan is left, and it has not ended`()
    throws
  {
    #expect(try right().isFree(at: now))
    #expect(try right("available", #""available":1"#).isFree(at: now))
    #expect(try !right("available", #""available":0,"left":1"#).isFree(at: now))
    #expect(try !right("available", #""available":1,"left":0"#).isFree(at: now))
    #expect(try !right("available", "").isFree(at: now))
    #expect(try !right("unavailable").isFree(at: now))
    #expect(try !right("preorder").isFree(at: now))
    let ended = #""expires":"2025-12-31T00:00:00Z""#
    #expect(try !right("available", #""available":1"#, ended).isFree(at: now))
  }

  @Test func `A right to lend tells what is out, and its terms`() throws {
    let told = try #require(
      try info(
        """
        {"identifier":"a","status":"available","terms":{"concurrency":2,"checkouts":30},
        "format":"application/epub+zip","protection":{"format":["x/y","application/vnd.adobe.adept+xml"]},
        "checkouts":{"available":1,"active":[{"id":"c","patron":"p","href":"/status/c",
        "expires":"2026-02-01T00:00:00Z"},{"patron":"nameless"}]}}
        """))
    #expect(told.active.map(\.id) == ["c"] && told.active[0].patron == "p")
    #expect(told.active[0].status == "https://lender.example/status/c")
    #expect((told.concurrency, told.checkouts) == (2, 30))
    #expect(told.protections.count == 2 && told.formats.count == 1)
  }

  @Test(arguments: ["", "[]", "{}", #"{"identifier":"a","status":"lost","checkouts":{}}"#])
  func `A right to lend is nothing else`(_ text: String) throws {
    #expect(try info(text) == nil)
  }
}
