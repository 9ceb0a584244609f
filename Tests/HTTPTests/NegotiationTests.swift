import HTTP
import Testing

@Suite struct NegotiationTests {
  static let html = MediaType.html
  static let json = MediaType.json
  static let feed = MediaType("application", "atom+xml", [.init("profile", "opds-catalog")])

  struct Row: Sendable, CustomTestStringConvertible {
    let accept: String?
    let best: MediaType?
    var testDescription: String { accept ?? "no field" }
  }

  @Test(arguments: [
    Row(accept: nil, best: html),
    Row(accept: "", best: html),
    Row(accept: "*/*", best: html),
    Row(accept: "application/json", best: json),
    Row(accept: "text/*;q=0.5, application/json;q=0.4", best: html),
    Row(accept: "text/html;q=0.3, */*;q=0.2, application/json;q=0.9", best: json),
    Row(accept: "TEXT/HTML", best: html),
    Row(accept: "text/html;q=0, */*", best: json),
    Row(accept: "image/png", best: nil),
    Row(accept: "*/*;q=0", best: nil),
    Row(accept: "application/atom+xml;profile=opds-catalog, text/html;q=0.9", best: feed),
    Row(accept: "application/atom+xml;profile=\"OPDS-Catalog\"", best: feed),
    Row(accept: "application/atom+xml;profile=other", best: nil),
    Row(accept: "nonsense, application/json", best: json),
    Row(accept: "application/json;q=2, text/html;q=0.1", best: html),
    Row(accept: "application/json ; q=0.8 , text/html ; q=0.7", best: json),
    Row(accept: "application/json;q=0.8;ext=1, text/html;q=0.7", best: json),
    Row(
      accept: "application/atom+xml;q=0.1, application/atom+xml;profile=opds-catalog", best: feed),
  ])
  func `the best liked offer is chosen`(row: Row) {
    #expect(Accept(row.accept).best(of: [Self.html, Self.json, Self.feed]) == row.best)
  }

  @Test func `thousands of ranges are cut short`() {
    let field = String(repeating: "a/b,", count: 10_000)
    #expect(Accept(field).best(of: [.html]) == nil)
  }

  struct CodingRow: Sendable, CustomTestStringConvertible {
    let field: String?
    let coding: AcceptEncoding.Coding?
    var testDescription: String { field ?? "no field" }
  }

  @Test(arguments: [
    CodingRow(field: nil, coding: .identity),
    CodingRow(field: "", coding: .identity),
    CodingRow(field: "gzip", coding: .gzip),
    CodingRow(field: "x-gzip", coding: .gzip),
    CodingRow(field: "GZIP", coding: .gzip),
    CodingRow(field: "gzip, deflate, br, zstd", coding: .gzip),
    CodingRow(field: "br", coding: .identity),
    CodingRow(field: "gzip;q=0", coding: .identity),
    CodingRow(field: "gzip;q=0.000", coding: .identity),
    CodingRow(field: "gzip;q=0.5", coding: .gzip),
    CodingRow(field: "identity", coding: .identity),
    CodingRow(field: "identity, gzip;q=0.5", coding: .identity),
    CodingRow(field: "identity;q=0.5, gzip;q=1.0", coding: .gzip),
    CodingRow(field: "*", coding: .gzip),
    CodingRow(field: "*;q=0", coding: nil),
    CodingRow(field: "*;q=0, gzip;q=0.1", coding: .gzip),
    CodingRow(field: "identity;q=0", coding: nil),
    CodingRow(field: "identity;q=0, gzip", coding: .gzip),
    CodingRow(field: "gzip;q=0, *", coding: .identity),
    CodingRow(field: "gzip;q=high", coding: .identity),
  ])
  func `the coding is what the client can undo`(row: CodingRow) {
    #expect(AcceptEncoding(row.field).choice(gzipAvailable: true) == row.coding)
  }

  @Test func `without gzip there is identity`() {
    #expect(AcceptEncoding("gzip").choice(gzipAvailable: false) == .identity)
  }
}

@Suite struct MediaTypeTests {
  @Test func `reads type and parameters`() throws {
    let type = try #require(MediaType(parsing: "Text/HTML; Charset=\"utf-8\";x=\"a\\\"b\""))
    #expect(type.essence == "text/html")
    #expect(type["charset"] == "utf-8")
    #expect(type["x"] == "a\"b")
  }

  @Test(arguments: [
    "", "text", "text/", "/html", "text/html; charset", "text/html; charset=\"open",
    "text/html x", "text/html, text/plain", "te xt/html",
  ])
  func `what is no media type is none`(text: String) { #expect(MediaType(parsing: text) == nil) }

  @Test func `prints what it would read`() {
    let type = MediaType(
      "application", "atom+xml", [.init("profile", "opds-catalog"), .init("title", "a \"b\"")])
    #expect(
      type.description == #"application/atom+xml; profile=opds-catalog; title="a \"b\"""#)
    #expect(MediaType(parsing: type.description) == type)
  }
}
