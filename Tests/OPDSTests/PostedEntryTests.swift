import Circulation
import HTTP
import OPDS
import Testing

@Suite struct `An entry that was posted` {
  private func read(_ text: String, _ type: String) throws(PostedEntry.Fault) -> PostedEntry {
    guard let address = try? Address("https://h.example/lists/1") else {
      throw .torn("an address")
    }
    return try PostedEntry(Array(text.utf8), type: MediaType(parsing: type), from: address)
  }

  @Test func `An entry that was posted of Atom tells of a book, whatever else is in it`() throws {
    let entry = try read(
      """
      <a:entry xmlns:a="http://www.w3.org/2005/Atom" xmlns:d="http://purl.org/dc/terms/" \
      xmlns:z="urn:z"><a:id> urn:x:1 </a:id><a:title>Emma</a:title><z:odd>1</z:odd>\
      <a:author><a:name>Jane Austen</a:name></a:author><d:identifier>urn:isbn:9780141439587\
      </d:identifier><d:identifier>n/a</d:identifier><a:link rel="alternate" href="../works/w1"/>\
      <a:summary>not this</a:summary><a:content> mine </a:content></a:entry>
      """, "application/atom+xml;type=entry;charset=utf-8")
    #expect(entry.id == "urn:x:1" && entry.title == "Emma")
    #expect(entry.isbns == [ISBN("9780141439587")])
    #expect(entry.links.map(\.href) == ["https://h.example/works/w1"])
    #expect(entry.note == "mine")
  }

  @Test func `An entry that was posted of JSON tells the same`() throws {
    let publication = try read(
      """
      {"metadata":{"identifier":"urn:x:1","title":"Emma","author":[{"name":"Jane Austen"}],\
      "altIdentifier":["urn:isbn:9780141439587"]},"links":[{"rel":["self"],"href":"/w1"}],\
      "note":"mine"}
      """, "application/opds-publication+json")
    #expect(publication.id == "urn:x:1")
    #expect(publication.isbns == [ISBN("9780141439587")] && publication.note == "mine")
    #expect(publication.links.map(\.href) == ["https://h.example/w1"])
    #expect(try read(#"{"id":"w1"}"#, "application/json").id == "w1")
  }

  @Test(arguments: [
    ("<p/>", "application/atom+xml"), ("", "application/atom+xml"), ("{", "application/json"),
    ("[]", "application/json"),
  ])
  func `An entry that was posted that is none is refused`(text: String, type: String) {
    #expect(throws: PostedEntry.Fault.self) { try read(text, type) }
  }

  @Test(arguments: ["text/plain", "application/xml", "multipart/form-data", "nonsense"])
  func `An entry that was posted of another type is refused as such`(type: String) {
    #expect(throws: PostedEntry.Fault.foreignType) { try read("<entry/>", type) }
  }

  @Test(arguments: [
    ("<content type=\"html\">a &lt;script&gt;x()&lt;/script&gt;b</content>", "a b"),
    ("<content type=\"image/png\" src=\"http://x/\"/>", nil), ("<content>  </content>", nil),
    ("", nil), ("<content type=\"text\">a &lt; b</content>", "a < b"),
  ])
  func `An entry that was posted keeps the words of its note only`(inner: String, note: String?)
    throws
  {
    let entry = try read(
      "<entry xmlns=\"http://www.w3.org/2005/Atom\">\(inner)</entry>", "application/atom+xml")
    #expect(entry.note == note)
  }

  @Test func `An entry that was posted leaves entities of its own making unread`() {
    let bomb = """
      <!DOCTYPE entry [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\
      <entry xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></entry>
      """
    let entry = try? read(bomb, "application/atom+xml")
    #expect(entry?.title?.contains("aaaaaaaa") != true)
  }
}
