package import JSON

/// What a book file says of itself.
package struct BookItem: Sendable, Hashable {
  package var version: String
  package var title: String?
  package var subtitle: String?
  package var creators: [String] = []
  package var language: String?
  package var identifier: String?
  package var published: String?
  package var modified: String?
  package var publisher: String?
  package var series: Series?
  package var spineLength = 0
  package var tocEntries = 0
  package var tocTopLevel = 0
  /// nav, ncx, landmarks, guide or spine.
  package var tocSource = "spine"
  package var pageListEntries = 0
  package var landmarks = 0
  package var cover: String?
  /// ltr or rtl.
  package var pageProgression = "ltr"
  package var isFixedLayout = false
  package var mediaOverlays = 0
  package var positions = 0
  package var remoteResources: [String] = []
  package var obfuscatedFonts = 0
  package var faults: [FaultItem] = []

  package init(version: String) { self.version = version }

  package struct Series: Sendable, Hashable {
    package let name: String
    /// As written: `2.5`, `1.2.3`.
    package let position: String?

    package init(name: String, position: String?) { (self.name, self.position) = (name, position) }

    var json: JSONValue { ["name": .string(name), "position": JSONValue(position)] }
  }

  /// The words for what is wrong, each once.
  package var warnings: [String] {
    var seen: Set<String> = []
    return faults.map(\.code).filter { seen.insert($0).inserted }
  }

  package var json: JSONValue {
    [
      "version": .string(version), "title": JSONValue(title), "subtitle": JSONValue(subtitle),
      "creators": .texts(creators), "language": JSONValue(language),
      "identifier": JSONValue(identifier), "published": JSONValue(published),
      "modified": JSONValue(modified), "publisher": JSONValue(publisher),
      "series": series?.json ?? .null,
      "spine_length": .integer(spineLength), "toc_entries": .integer(tocEntries),
      "toc_top_level": .integer(tocTopLevel), "toc_source": .string(tocSource),
      "page_list": .integer(pageListEntries), "landmarks": .integer(landmarks),
      "cover": JSONValue(cover), "page_progression": .string(pageProgression),
      "fixed_layout": .bool(isFixedLayout), "media_overlays": .integer(mediaOverlays),
      "positions": .integer(positions), "remote_resources": .texts(remoteResources),
      "obfuscated_fonts": .integer(obfuscatedFonts), "warnings": .texts(warnings),
      "faults": .array(faults.map(\.json)),
    ]
  }
}

/// Something that is wrong in a book that opens all the same.
package struct FaultItem: Sendable, Hashable {
  package let code: String
  /// The entry, id or address it is about; empty where it is about the whole.
  package let subject: String

  package init(code: String, subject: String) { (self.code, self.subject) = (code, subject) }

  package var json: JSONValue { ["code": .string(code), "subject": .string(subject)] }
}

/// An entry of a table of contents.
package struct ContentsItem: Sendable, Hashable {
  package var title: String
  package var depth: Int
  /// The name of the entry it leads to, with a fragment; nil for a mere heading.
  package var href: String?
  /// Which of the items that are read in order that is, from 0.
  package var spine: Int?

  package init(title: String, depth: Int) { (self.title, self.depth) = (title, depth) }

  package var json: JSONValue {
    [
      "title": .string(title), "depth": .integer(depth), "href": JSONValue(href),
      "spine": .number(spine),
    ]
  }
}
