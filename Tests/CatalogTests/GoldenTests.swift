import Catalog
import Circulation
import Foundation
import TestSupport
import Testing

/// What readers type and what they must find, the same on both engines.
@Suite struct `The golden searches` {
  struct Query: Sendable, CustomTestStringConvertible {
    let words: String
    let items: [String]
    /// Whether nothing else may be found.
    let isAll: Bool

    var testDescription: String { words }
  }

  @Test(arguments: Engine.allCases)
  func `The golden searches find the right books in the right order`(engine: Engine) async throws {
    try await withCatalog(engine) { catalog, _ async throws in
      try await catalog.take(try Self.editions())
      for query in try Self.queries() {
        let found = try await catalog.found(query.words)
        let shown = query.isAll ? found : Array(found.prefix(query.items.count))
        #expect(shown == query.items, "\(query.words)")
      }
    }
  }

  @Test func `The golden searches are answered alike by both engines, to the last book`()
    async throws
  {
    let queries = try Self.queries()
    let editions = try Self.editions()
    let one = try await withCatalog(.sqlite) { catalog, _ async throws in
      try await Self.answers(to: queries, catalog, editions)
    }
    let other = try await withCatalog(.postgres) { catalog, _ async throws in
      try await Self.answers(to: queries, catalog, editions)
    }
    for (query, pair) in zip(queries, zip(one, other)) {
      #expect(pair.0 == pair.1, "\(query.words)")
    }
  }

  @Test func `The golden searches are two hundred and more, about a few hundred books`() throws {
    let known = Set(try Self.editions().map(\.item.rawValue))
    let queries = try Self.queries()
    #expect(queries.count >= 200)
    #expect(known.count >= 250)
    #expect(queries.flatMap(\.items).filter { !known.contains($0) } == [])
  }

  private static func answers(
    to queries: [Query], _ catalog: Catalog, _ editions: [Edition]
  ) async throws -> [[String]] {
    try await catalog.take(editions)
    var answers: [[String]] = []
    for query in queries { answers.append(try await catalog.found(query.words, limit: 100)) }
    return answers
  }

  private static func lines(_ name: String) throws -> [[String]] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/\(name).txt")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
  }

  private static func queries() throws -> [Query] {
    try lines("golden-queries").map { fields in
      let isAll = fields[1].hasPrefix("=") || fields[1] == "-"
      let items = fields[1].split(separator: " ").map(String.init).filter {
        !["=", "-"].contains($0)
      }
      return Query(words: fields[0], items: items, isAll: isAll)
    }
  }

  private static func editions() throws -> [Edition] {
    try lines("golden-editions").enumerated().map { index, fields in
      var edition = Edition(item: ItemID(fields[0]), title: fields[1])
      let list = { (text: String) in
        text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      edition.contributors = list(fields[2]).map { Contributor(name: $0, role: .author) }
      edition.languages = [fields[3]]
      if !fields[4].isEmpty {
        let parts = fields[4].split(separator: "#")
        edition.series = Series(
          name: parts[0].trimmingCharacters(in: .whitespaces),
          position: parts.count > 1 ? Double(parts[1]) : nil)
      }
      edition.isbns = [ISBN(fields[5])].compactMap(\.self)
      edition.subjects = list(fields[6])
      // So far apart that the order of the file is that of liking.
      edition.popularity = 1_000_000 / pow(1.03, Double(index))
      return edition
    }
  }
}
