import Testing

@testable import Circulation

@Suite struct `Texts of a catalog` {
  /// One letter, and one that is as long as a book.
  @Test(arguments: ["a", "\u{301}"])
  func `texts of a catalog are cut where they are longer than a screen can show`(letter: String) {
    let long = "a" + String(repeating: letter, count: 200_000)
    var edition = Edition(item: ItemID("1"), title: long)
    func lengths(_ texts: String?...) -> [Int] { texts.map { $0?.unicodeScalars.count ?? 0 } }
    #expect(lengths(edition.title) == [1000])
    edition.title = long
    (edition.subtitle, edition.sortTitle, edition.alternativeTitles) = (long, long, [long])
    (edition.summary, edition.publisher, edition.subjects) = (long, long, [long])
    edition.contributors = [Contributor(name: long, sortName: long, role: .author)]
    edition.series = Series(name: long)
    #expect(lengths(edition.title, edition.subtitle, edition.sortTitle) == [1000, 1000, 1000])
    #expect(lengths(edition.alternativeTitles[0], edition.summary) == [1000, 20_000])
    #expect(
      lengths(edition.publisher, edition.subjects[0], edition.series?.name) == [500, 500, 500])
    #expect(
      lengths(edition.contributors[0].name, edition.contributors[0].sortName) == [500, 500])
    var loan = Loan(item: edition.item, until: nil)
    (loan.title, loan.authors) = (long, [long])
    #expect(lengths(loan.title, loan.authors[0]) == [1000, 500])
    var entry = ListEntry(item: edition.item, title: long)
    entry.authors = [long]
    let listed = ListPage(entries: [entry]).entries[0]
    #expect(lengths(listed.title, listed.authors[0]) == [1000, 500])
  }

  @Test func `texts of a catalog that are not too long stay as they are`() {
    let title = String(repeating: "é", count: 1000)
    #expect(Edition(item: ItemID("1"), title: title).title == title)
  }
}
