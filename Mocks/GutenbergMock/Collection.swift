import Archive
import Compression
import JSON
import Markup
import MockKit

/// What the site publishes of its books.
struct Collection {
  private let lending: LendingLibrary
  private let base: String
  /// Whether there are records as odd as the oddest real ones.
  private let isOdd: Bool

  init(_ library: MockLibrary, _ base: String) {
    (lending, self.base) = (library.lending, base)
    isOdd = library.settings["odd"]?.bool == true
  }

  static let files = [
    "epub3.images": "pg#-images-3.epub", "epub.images": "pg#-images.epub",
    "epub.noimages": "pg#.epub", "kf8.images": "pg#-images-kf8.mobi", "txt.utf-8": "pg#.txt",
    "html.images": "pg#-images.html",
  ]

  func title(_ number: Int) -> Title? { lending.titles[String(number)] }

  func record(_ number: Int) -> String? {
    guard let title = title(number) else { return nil }
    return RecordWriter(title, number, isOdd ? .ofNumber(number) : .plain).text
  }

  /// Packed in no order, with members that are none of the books.
  var archive: [UInt8] {
    var tar = TarWriter()
    let numbers = lending.order.compactMap { Int($0) }.sorted {
      $0 * 7919 % 1009 < $1 * 7919 % 1009
    }
    if isOdd {
      tar.addFolder("cache/epub/DELETE-55495")
      tar.add("cache/epub/DELETE-55495/pg55495.rdf", Self.empty)
      tar.add("cache/epub/test/pg11.rdf", Self.empty)
      tar.add("cache/epub/0/pg0.rdf", Self.empty)
    }
    for number in numbers {
      if let record = record(number) {
        tar.add("cache/epub/\(number)/pg\(number).rdf", Array(record.utf8))
      }
    }
    if isOdd {
      tar.add("cache/epub/999999/pg999999.rdf", Self.empty)
      tar.add("cache/epub/66666/pg66666.rdf", Array("<rdf:RDF nobody can read".utf8))
    }
    tar.finish()
    return BZip2.compress(tar.bytes, level: 1) ?? []
  }

  private static let empty = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>
    """.utf8)

  var table: String {
    var lines = ["Text#,Type,Issued,Title,Language,Authors,Subjects,LoCC,Bookshelves"]
    for id in lending.order {
      guard let title = lending.titles[id], let number = Int(id) else { continue }
      let authors = title.authors.map { RecordWriter.inverted($0) + ", 428? BCE-348? BCE" }
      let hands =
        authors + [title.narrator].compactMap { $0.map { RecordWriter.inverted($0) + " [Editor]" } }
      let name = [title.name, title.subtitle].compactMap(\.self).joined(separator: "\n")
      lines.append(
        [
          "\(number)", title.medium == "audiobook" ? "Sound" : "Text", title.added.date, name,
          title.language, hands.joined(separator: "; "), title.subjects.joined(separator: "; "),
          "PR", "Browsing: Literature",
        ].map(Self.quoted).joined(separator: ","))
    }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private static func quoted(_ text: String) -> String {
    guard text.contains(where: { ",\"\n".contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

extension Moment {
  var date: String { String(text.prefix(10)) }
}
