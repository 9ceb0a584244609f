import HTTP
import ProviderKit
import Secrets
import Testing

@testable import BookWyrm

@Suite struct `Addresses of profiles` {
  private func profile(_ text: String, _ shelves: String? = nil, at instance: String? = nil)
    throws -> Profile?
  {
    var fields = ["profile": Secret(text)]
    fields["shelves"] = shelves.map { Secret($0) }
    return Profile(Credentials(fields), at: try instance.map { try Address($0) })
  }

  @Test(
    arguments: [
      ("https://books.example/user/ada", "https://books.example/ ada"),
      ("books.example/user/ada", "https://books.example/ ada"),
      ("http://books.example:8080/user/ada/", "http://books.example:8080/ ada"),
      ("https://books.example/user/ada.json", "https://books.example/ ada"),
      ("https://books.example/user/ada/books/to-read?page=2#top", "https://books.example/ ada"),
      ("https://books.example/user/ada/shelf/cooking-9", "https://books.example/ ada"),
      ("https://books.example/@ada", "https://books.example/ ada"),
      ("https://school.example/wyrm/user/ada/books", "https://school.example/wyrm ada"),
      ("@ada@books.example", "https://books.example/ ada"),
      ("ada@books.example", "https://books.example/ ada"),
      (" @ada@books.example\n", "https://books.example/ ada"),
      // Seen as a guest, whose shelves are at home.
      ("https://books.example/user/bob@other.example/books/read", "https://other.example/ bob"),
      ("", nil), ("ada", nil), ("@ada", nil), ("https://books.example/", nil),
      ("https://books.example/book/17/s/emma", nil), ("ftp://books.example/user/ada", nil),
      ("https://books.example/user/", nil), ("https://books.example/user/a%2Fb", nil),
      ("https://books.example/user/%2E%2E", "https://books.example/ .."),
      ("@ada@books.example?x=y", nil), ("@ada@", nil), ("javascript:alert(1)//user/x", nil),
    ] as [(String, String?)])
  func `Addresses of profiles are what readers paste`(_ text: String, told: String?) throws {
    let profile = try profile(text)
    #expect(profile.map { "\($0.home.text) \($0.name)" } == told)
  }

  @Test func `Addresses of profiles name shelves, too`() throws {
    let one = try profile("https://books.example/user/ada/books/cooking-9")
    #expect(one?.shelves == ["cooking-9"])
    #expect(try profile("https://books.example/user/ada/books/all")?.shelves == [])
    let several = try profile(
      "@ada@books.example",
      "Tea Time 12, https://books.example/user/ada/books/cooking-9, https://books.example/x, to-read"
    )
    #expect(several?.shelves == ["tea-time-12", "cooking-9", "to-read"])
  }

  @Test func `Addresses of profiles may leave out an instance that the settings name`() throws {
    let house = "https://wyrm.school.example/"
    #expect(try profile("ada", at: house)?.home.text == house)
    #expect(try profile("@ada", at: house)?.name == "ada")
    #expect(try profile("ada@books.example", at: house)?.home.text == "https://books.example/")
  }

  @Test func `Addresses of profiles lead to documents below, whatever a name is made of`() throws {
    let profile = try #require(try profile("https://books.example/user/%2E%2E"))
    #expect(profile.person.text == "https://books.example/user/...json")
    let home = try #require(try self.profile("https://school.example/wyrm/@ada"))
    #expect(
      home.shelf("co/../king", page: 2).text
        == "https://school.example/wyrm/user/ada/books/co%2F..%2Fking.json?page=2")
  }
}
