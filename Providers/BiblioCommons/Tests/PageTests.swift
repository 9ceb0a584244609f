import Circulation
import HTTP
import ProviderKit
import Testing

@testable import BiblioCommons

@Suite struct `A library that can only be looked at` {
  private func library(_ endpoints: [String: Address]) -> Library {
    Library(
      id: LibraryID("nypl"), provider: BiblioCommonsProvider.listing.id, name: "NYPL",
      endpoints: endpoints)
  }

  private func page(_ book: BookNumbers) throws -> String? {
    let outlook = try #require(BiblioCommonsProvider.listing.outlook)
    let catalog = try Address("https://nypl.example.com")
    return try outlook(library(["catalog": catalog]), book)?.text
  }

  @Test func `A library that can only be looked at leads to its page for a book by words`() throws {
    var book = BookNumbers(isbns: [try #require(ISBN("9780306406157"))])
    #expect(
      try page(book) == "https://nypl.example.com/v2/search?query=9780306406157&searchType=smart")
    book.title = "Öland & Salt"
    book.authors = ["Rosa O'Neill", "Another"]
    let words = try #require(try page(book))
    #expect(words.hasPrefix("https://nypl.example.com/v2/search?query=%C3%96land"))
    #expect(words.contains("%26") && !words.contains("Another"))
    #expect(try page(BookNumbers()) == nil)
  }

  @Test func `A library that can only be looked at can do nothing else, and says so`() async throws
  {
    #expect(BiblioCommonsProvider.capabilities.isEmpty)
    #expect(throws: SettingsFault.self) { _ = try Settings(library([:])) }
  }
}
