import Testing

@testable import HTTP

@Suite struct `An address with places to fill in` {
  @Test(arguments: [
    ("https://a.example/r{?id,name}", "https://a.example/r?id=1%2F2&name=My%20Tablet"),
    ("https://a.example/r{?end,id}", "https://a.example/r?id=1%2F2"),
    ("https://a.example/r{?end}", "https://a.example/r"),
    ("https://a.example/r?x=1{&id}", "https://a.example/r?x=1&id=1%2F2"),
    ("https://a.example/r?x=1{?id}", "https://a.example/r?x=1&id=1%2F2"),
    ("https://a.example{/id}/s", "https://a.example/1%2F2/s"),
    ("https://a.example/{id}", "https://a.example/1%2F2"),
    ("https://a.example/%7B?name*%7D", "https://a.example/?name=My%20Tablet"),
    ("https://a.example/plain", "https://a.example/plain"),
  ])
  func `a URI template fills in known variables and drops unknown ones`(
    _ template: String, _ wanted: String
  ) {
    #expect(URITemplate(template).filled(["id": "1/2", "name": "My Tablet"]) == wanted)
  }

  @Test func `An address with places to fill in is none where a brace is never closed`() {
    #expect(URITemplate("https://a.example/{id").filled(["id": "1"]) == nil)
  }
}
