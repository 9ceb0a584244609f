import Circulation

@testable import Gutenberg

/// Records of books that nobody wrote, as the site and its former tools write records.
enum Written {
  static let spaces = """
    xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dcam="http://purl.org/dc/dcam/"
      xmlns:pgterms="http://www.gutenberg.org/2009/pgterms/"
      xmlns:marcrel="http://id.loc.gov/vocabulary/relators/"
    """

  static func record(
    _ inner: String, number: Int = 4711, beside: String = "", spaces: String = spaces
  ) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <rdf:RDF xml:base="http://www.gutenberg.org/" \(spaces)>
      <pgterms:ebook rdf:about="ebooks/\(number)">\(inner)</pgterms:ebook>\(beside)
    </rdf:RDF>
    """
  }

  static func title(_ text: String) -> String { "<dcterms:title>\(text)</dcterms:title>" }

  static func agent(_ id: Int, _ name: String, _ more: String = "") -> String {
    "<pgterms:agent rdf:about=\"2009/agents/\(id)\"><pgterms:name>\(name)</pgterms:name>"
      + "\(more)</pgterms:agent>"
  }

  static func described(_ name: String, _ value: String, of scheme: String = "x/None") -> String {
    "<\(name)><rdf:Description><dcam:memberOf rdf:resource=\"\(scheme)\"/>"
      + "<rdf:value>\(value)</rdf:value></rdf:Description></\(name)>"
  }

  static func file(_ path: String, _ types: [String], _ more: String = "") -> String {
    "<dcterms:hasFormat>\(body(path, types, more))</dcterms:hasFormat>"
  }

  static func body(_ path: String, _ types: [String], _ more: String = "") -> String {
    let formats = types.map { described("dcterms:format", $0) }.joined()
    return "<pgterms:file rdf:about=\"https://www.gutenberg.org/\(path)\">\(more)\(formats)"
      + "<dcterms:isFormatOf rdf:resource=\"ebooks/4711\"/></pgterms:file>"
  }
}

enum Read {
  static func record(_ text: String) throws -> Record {
    try Record.reading(Array(text.utf8)).record
  }

  static func edition(_ inner: String, beside: String = "") throws -> Edition {
    try record(Written.record(inner, beside: beside)).edition().edition
  }
}
