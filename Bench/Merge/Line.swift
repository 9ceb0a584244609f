import Circulation
import JSON
import Machine

/// An edition as the script wrote it, with the work it really is of.
struct Line {
  let work: String?
  let source: String
  let edition: Edition

  init?(_ text: some StringProtocol) throws {
    let record = try JSONValue(parsing: String(text))
    guard let source = record["provider"]?.string, let item = record["item"]?.string,
      let title = record["title"]?.string
    else { return nil }
    self.source = source
    work = record["work"]?.string
    var edition = Edition(item: ItemID(item), title: title)
    edition.subtitle = record["subtitle"]?.string
    edition.contributors = (record["authors"]?.array ?? []).compactMap(\.string).map {
      Contributor(name: $0, role: .author)
    }
    edition.languages = (record["languages"]?.array ?? []).compactMap(\.string)
    edition.isbns = (record["isbns"]?.array ?? []).compactMap(\.string).compactMap { ISBN($0) }
    edition.series = record["series"]?.string.map { Series(name: $0) }
    edition.medium = record["medium"]?.string.flatMap(Medium.init) ?? .book
    self.edition = edition
  }
}

func lines(of path: String) throws -> [Line] {
  let text = String(decoding: try WholeFile.read(path, upTo: 1 << 30), as: UTF8.self)
  return try text.split(separator: "\n").compactMap { try Line($0) }
}
