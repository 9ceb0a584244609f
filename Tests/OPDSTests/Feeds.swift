import HTTP

@testable import OPDS

/// Feeds as a test writes them: only what it is about.
enum Made {
  static var home: Address { get throws { try Address("https://books.example/opds/start") } }

  static func atom(_ inside: String, root: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xmlns:opds="http://opds-spec.org/2010/catalog"
        xmlns:dc="http://purl.org/dc/terms/" xmlns:schema="http://schema.org/" \(root)>
      <id>urn:x:feed</id><title>Village Books</title><updated>2026-03-01T10:00:00Z</updated>
      \(inside)
    </feed>
    """
  }

  static func entry(_ inside: String, id: String? = "urn:x:1") -> String {
    let name = id.map { "<id>\($0)</id>" } ?? ""
    return """
      <entry>\(name)<title>The Glass Ferry</title><updated>2026-02-01T00:00:00Z</updated>
      <author><name>Ada Quill</name></author>\(inside)</entry>
      """
  }

  static let open =
    #"<link rel="http://opds-spec.org/acquisition/open-access" href="/b/1.epub" type="application/epub+zip"/>"#

  static func document(
    _ text: String, _ type: String? = nil, _ tolerance: Document.Tolerance = .strict
  ) throws -> Document {
    try Document(
      Array(text.utf8), type: type.flatMap { MediaType(parsing: $0) }, from: try home, tolerance)
  }

  static func feed(_ text: String, _ tolerance: Document.Tolerance = .strict) throws -> Feed {
    guard case .feed(let feed) = try document(text, nil, tolerance) else { throw NoFeed() }
    return feed
  }

  struct NoFeed: Error {}
}
