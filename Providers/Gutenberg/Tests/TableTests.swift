import CSV
import Circulation
import Testing

@testable import Gutenberg

@Suite struct `The table` {
  private static let head = "Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves\r\n"

  private func records(_ rows: String) async throws -> TableFeed.Rows {
    let feed = TableFeed(try CSVTable(Array((Self.head + rows).utf8)))
    return await feed.rows(from: 0, atMost: 100)
  }

  @Test func `The table has line ends within its titles, and lists in its cells`() async throws {
    let rows = try await records(
      "7,Text,1990-01-02,\"The Ferry\nA Tale, in Verse\",en; fr,\"Rowe, Nella, 1801-1880; Quist,"
        + " Tove, 1820- [Illustrator]\",Ferries -- Fiction; Tides,PR; PZ,Browsing: Literature\r\n")
    let edition = try #require(rows.records.first).edition().edition
    #expect(edition.item == ItemID("7"))
    #expect(edition.title == "The Ferry")
    #expect(edition.subtitle == "A Tale, in Verse")
    #expect(edition.languages == ["en", "fr"])
    #expect(edition.contributors.map(\.name) == ["Nella Rowe", "Tove Quist"])
    #expect(edition.contributors.map(\.role) == [.author, .illustrator])
    #expect(edition.contributors.map(\.died) == [1880, nil])
    #expect(
      edition.subjects
        == ["Ferries -- Fiction", "Tides", "Browsing: Literature", "PR", "PZ"])
  }

  @Test(
    arguments: [
      ("Rowe, N., 1801-1880", "Rowe, N.", 1801, 1880, false),
      ("Plato, 428? BCE-348? BCE", "Plato", -427, -347, true),
      ("Livy, 60? BCE-18?", "Livy", -59, 18, true),
      ("Rowe, N., -1898", "Rowe, N.", nil, 1898, false),
      ("Rowe, N., 1832-", "Rowe, N.", 1832, nil, false),
      ("Rowe, N., 1832?-1898", "Rowe, N.", 1832, 1898, true),
      ("Smith, Joseph, Jr., 1805-1844", "Smith, Joseph, Jr.", 1805, 1844, false),
      ("United States", "United States", nil, nil, false),
      ("Rowe, Jean-Luc", "Rowe, Jean-Luc", nil, nil, false),
    ] as [(String, String, Int?, Int?, Bool)])
  func `The table years stand behind the name`(
    _ text: String, name: String, born: Int?, died: Int?, isUncertain: Bool
  ) {
    let agent = TableReading.credit(text).agent
    #expect(agent.name == name)
    #expect(agent.born?.number == born)
    #expect(agent.died?.number == died)
    #expect((agent.born?.isUncertain ?? false) == isUncertain)
  }

  @Test func `a bad row in the Gutenberg catalog file is skipped with a warning`() async throws {
    let rows = try await records(
      "7,Text,1990-01-02,\"open,en,,,,\r\n8,Text,1990-01-02,Good,en,,,,\r\nx,Text,,Bad,en,,,,\r\n")
    #expect(rows.records.map(\.number) == [8])
    #expect(rows.warnings.count == 2)
    #expect(rows.isLast)
  }

  @Test func `The table is read on from any row`() async throws {
    let lines = (1...7).map { "\($0),Text,1990-01-02,T \($0),en,,,,\r\n" }.joined()
    let feed = TableFeed(try CSVTable(Array((Self.head + lines).utf8)))
    let first = await feed.rows(from: 0, atMost: 3)
    let second = await feed.rows(from: first.offset, atMost: 3)
    let again = await feed.rows(from: first.offset, atMost: 3)
    let last = await feed.rows(from: second.offset, atMost: 3)
    #expect(first.records.map(\.number) == [1, 2, 3])
    #expect(second == again)
    #expect(second.records.map(\.number) == [4, 5, 6])
    #expect(last.records.map(\.number) == [7])
    #expect(last.isLast && !second.isLast)
  }
}
