/// The names that nearly all records are made of, under the prefixes that nearly all declare. They
/// are told by their bytes, and once for all records; what else there is costs each record a little.
final class Vocabulary: Sendable {
  typealias Name = PlainReading.Name

  /// Where a record declares all of these, the names mean in it what they mean here.
  let namespaces: [(declaration: Range<Int>, uri: Range<Int>, space: Term.Space)]

  /// All that is compared, one after the other.
  private let letters: [UInt8]
  private let names: [Name]
  /// Places among the names by a sum of their bytes; −1 where there is none.
  private let slots: [Int]

  static let usual = Vocabulary()

  private static let size = 256
  /// Names are summed up by so many of their last bytes, which tell them apart best.
  private static let shortest = 8

  private init() {
    var (letters, names): ([UInt8], [Name]) = ([], [])
    var slots = Array(repeating: -1, count: Self.size)
    func write(_ text: String) -> Range<Int> {
      letters += text.utf8
      return (letters.count - text.utf8.count)..<letters.count
    }
    namespaces = Self.spaces.map { prefix, uri, _ in
      (write("xmlns:\(prefix)"), write(uri), Term.Space(uri))
    }
    for (prefix, uri, locals) in Self.spaces {
      for local in locals {
        let range = write("\(prefix):\(local)")
        var slot = Self.slot(of: range, letters.span)
        while slots[slot] >= 0 { slot = (slot + 1) & (Self.size - 1) }
        slots[slot] = names.count
        names.append(Name(range, Term.Space(uri), local))
      }
    }
    (self.letters, self.names, self.slots) = (letters, names, slots)
  }

  func name(_ range: Range<Int>, _ source: Span<UInt8>) -> Name? {
    guard range.count >= Self.shortest else { return nil }
    let letters = letters
    var slot = Self.slot(of: range, source)
    while slots[slot] >= 0 {
      let name = names[slots[slot]]
      if Signs.areEqual(source, range, letters.span, name.range) { return name }
      slot = (slot + 1) & (Self.size - 1)
    }
    return nil
  }

  /// What an attribute declares; nil where it is not one of these.
  func space(_ attribute: PlainReading.Attribute, _ source: Span<UInt8>) -> Term.Space? {
    let letters = letters
    for known in namespaces
    where Signs.areEqual(source, attribute.name, letters.span, known.declaration)
      && Signs.areEqual(source, attribute.value, letters.span, known.uri)
    {
      return known.space
    }
    return nil
  }

  private static func slot(of range: Range<Int>, _ source: Span<UInt8>) -> Int {
    let word =
      Signs.word(source, range.upperBound - shortest) ^ UInt64(truncatingIfNeeded: range.count)
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) &>> 56)
  }

  /// No names that are said in part by their letters, such as those of MARC's fields.
  private static let spaces: [(prefix: String, uri: String, locals: [String])] = [
    (
      "rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
      ["about", "resource", "nodeID", "datatype", "parseType", "value", "Description"]
    ),
    (
      "dcterms", "http://purl.org/dc/terms/",
      [
        "title", "alternative", "creator", "contributor", "language", "subject", "type", "issued",
        "rights", "publisher", "description", "tableOfContents", "hasFormat", "isFormatOf",
        "extent", "modified", "format", "license",
      ]
    ),
    (
      "pgterms", "http://www.gutenberg.org/2009/pgterms/",
      [
        "ebook", "agent", "file", "bookshelf", "downloads", "name", "alias", "birthdate",
        "deathdate", "webpage",
      ]
    ),
    ("dcam", "http://purl.org/dc/dcam/", ["memberOf"]),
    ("cc", "http://web.resource.org/cc/", ["license"]),
    ("rdfs", "http://www.w3.org/2000/01/rdf-schema#", ["comment"]),
    ("marcrel", "http://id.loc.gov/vocabulary/relators/", []),
  ]
}
