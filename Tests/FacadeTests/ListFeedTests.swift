import Circulation
import FrontDesk
import HTTP
import OPDS
import Registry
import TestSupport
import Testing

@testable import Facade

private let atom = "application/atom+xml;type=entry"

@Suite struct `A list that is kept by Atom` {
  private func entry(_ inner: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?><entry xmlns="http://www.w3.org/2005/Atom" \
      xmlns:dc="http://purl.org/dc/terms/"><title>T</title>\
      <updated>2001-01-01T00:00:00Z</updated>\(inner)</entry>
      """.utf8)
  }

  private func post(
    _ room: LendingRoom, _ address: String, _ body: [UInt8], type: String = atom,
    slug: String? = nil
  ) async throws -> LendingRoom.Answer {
    var headers: Headers = ["Content-Type": type]
    headers.set("Slug", slug)
    return try await room.ask(address, .post, as: LendingRoom.adaCard, headers, body: body)
  }

  /// From the start feed to the collection of a list just made.
  private func collection(_ room: LendingRoom) async throws -> String {
    let start = try #require(try await room.ask("/opds").feed)
    let lists = try #require(start.navigation.first { $0.title == "Your lists" }?.target).href
    let made = try await post(
      room, lists,
      Array("<entry xmlns=\"http://www.w3.org/2005/Atom\"><title>To read</title></entry>".utf8))
    #expect(made.status == 201)
    let service = try #require(start.links.first(.service)).href
    let document = try await room.ask(service)
    #expect(document.head["Content-Type"] == "application/atomsvc+xml")
    #expect(document.text.contains("<accept>application/atom+xml;type=entry</accept>"))
    let address = try #require(made.head["Location"])
    #expect(document.text.contains("<collection href=\"\(address)\">"))
    return address
  }

  @Test(arguments: Engine.allCases)
  func `a list kept over AtomPub accepts, returns, changes and removes an entry`(
    engine: Engine
  ) async throws {
    try await LendingRoom.open(engine) { room in
      let list = try await collection(room)
      let id = try await room.book("Here").id
      let added = try await post(
        room, list, entry("<id>\(id)</id><content type=\"text\">for May</content>"),
        slug: "My%20%C3%84pfel")
      #expect(added.status == 201)
      let member = try #require(added.head["Location"])
      #expect(member.hasSuffix("/books/my-pfel") && added.head["Content-Location"] == member)
      let tag = try #require(added.head["ETag"])
      #expect(added.text.contains("<content type=\"text\">for May</content>"))
      #expect(added.text.contains("<app:edited>2027-01-01T00:00:00Z</app:edited>"))
      #expect(added.text.contains("rel=\"edit\""))
      #expect(!added.text.contains("2001-01-01"))

      let twice = try await post(room, list, entry("<id>\(id)</id>"))
      #expect(twice.status == 200 && twice.head["Content-Location"] == member)
      let got = try await room.ask(member)
      #expect(got.status == 200 && got.head["ETag"] == tag)
      #expect(try await room.ask(member, ["If-None-Match": tag]).status == 304)

      let change = entry("<id>\(id)</id><content>for June</content><x:y xmlns:x=\"z\"/>")
      func put(_ tag: String) async throws -> LendingRoom.Answer {
        try await room.ask(
          member, .put, as: LendingRoom.adaCard, ["Content-Type": atom, "If-Match": tag],
          body: change)
      }
      #expect(try await put("\"other\"").code == "changed_since")
      let changed = try await put(tag)
      #expect(changed.status == 200 && changed.text.contains("for June"))
      #expect(try await put(tag).status == 412)
      let stale = try await room.ask(member, .delete, ["If-Match": tag])
      #expect(stale.status == 412)
      let feed = try #require(try await room.ask(list).feed)
      #expect(feed.publications.map(\.title) == ["The Here Book"])
      #expect(feed.publications[0].acquisitions.contains { $0.has(.borrow) })
      let now = try #require(changed.head["ETag"])
      #expect(try await room.ask(member, .delete, ["If-Match": now]).status == 204)
      #expect(try await room.ask(member).code == "unknown_member")
      #expect(try await room.ask(list).feed?.publications.isEmpty == true)
    }
  }

  @Test func `an AtomPub list accepts a book by its id, a link to it, or its ISBN`() async throws {
    try await LendingRoom.open { room in
      let list = try await collection(room)
      let book = try await room.book("Here")
      let link = try #require(book.document).href
      let right = [
        "<id>urn:x</id><link rel=\"alternate\" href=\"\(link)\"/>",
        "<id>urn:x</id><dc:identifier>urn:isbn:9780141439587</dc:identifier>",
        "<dc:identifier>0-14-143958-0</dc:identifier>",
      ]
      for inner in right {
        let answer = try await post(room, list, entry(inner))
        #expect([200, 201].contains(answer.status), "\(inner): \(answer.text)")
      }
      let json = try await post(
        room, list, Array("{\"id\":\"\(book.id)\"}".utf8), type: "application/json")
      #expect(json.status == 200)
      #expect(try await room.ask(list).feed?.publications.count == 1)
      let wrong = [
        "<id>urn:x</id>", "<id>w999</id>", "<dc:identifier>urn:isbn:9780141439588</dc:identifier>",
        "<link rel=\"alternate\" href=\"https://elsewhere.example/opds/works/w1\"/>", "",
      ]
      for inner in wrong {
        let answer = try await post(room, list, entry(inner))
        #expect(answer.status == 400 && answer.code == "unknown_work", "\(inner): \(answer.text)")
      }
    }
  }

  @Test func `A list that is kept by Atom refuses what is none, too much, or not the reader's`()
    async throws
  {
    try await LendingRoom.open { room in
      let list = try await collection(room)
      let id = try await room.book("Here").id
      let good = entry("<id>\(id)</id>")
      #expect(try await post(room, list, good, type: "text/plain").code == "unsupported_type")
      #expect(try await post(room, list, good, type: "text/plain").status == 415)
      for torn in ["", "<entry", "<feed xmlns=\"http://www.w3.org/2005/Atom\"/>", "{"] {
        #expect(try await post(room, list, Array(torn.utf8)).code == "malformed_entry")
      }
      let huge = entry("<id>\(id)</id><content>\(String(repeating: "x", count: 8 << 20))</content>")
      #expect(try await post(room, list, huge).status == 413)
      let long = entry("<id>\(id)</id><content>\(String(repeating: "x", count: 30_000))</content>")
      #expect(try await post(room, list, long).code == "too_large")
      let bob: Headers = ["Content-Type": atom]
      let foreign = try await room.ask(list, .post, as: LendingRoom.bobCard, bob, body: good)
      #expect(foreign.status == 404 && foreign.code == "unknown_list")
      #expect(try await room.ask(list, as: LendingRoom.bobCard).status == 404)
      #expect(try await room.ask(list, .put).status == 405)
      let name = try await room.device([.read], of: room.ada, "wall")
      let reading = try await room.ask(list, .post, as: "ada:\(name)", bob, body: good)
      #expect(reading.code == "out_of_scope")
      #expect(try await room.ask(list, as: "ada:\(name)").code == "out_of_scope")
      #expect(try await room.ask(list).feed?.publications.isEmpty == true)
      #expect(try await room.ask("\(list)?page=2").code == "no_such_page")
    }
  }

  @Test func `A list that is kept by Atom keeps the words of a note, and nothing that runs`()
    async throws
  {
    try await LendingRoom.open { room in
      let list = try await collection(room)
      let id = try await room.book("Here").id
      let html =
        "&lt;p&gt;Fine &lt;b&gt;book&lt;/b&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;/p&gt;"
      let added = try await post(
        room, list, entry("<id>\(id)</id><content type=\"html\">\(html)</content>"))
      #expect(added.status == 201 && added.text.contains(">Fine book</content>"))
      #expect(!added.text.contains("alert"))
      let member = try #require(added.head["Location"])
      let xhtml = """
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Still \
        <a href="javascript:alert(2)" onclick="alert(3)">fine</a><script>alert(4)</script></div>\
        </content>
        """
      let changed = try await room.ask(
        member, .put, as: LendingRoom.adaCard, ["Content-Type": atom],
        body: entry("<id>\(id)</id>\(xhtml)"))
      #expect(changed.text.contains(">Still fine</content>") && !changed.text.contains("alert"))
    }
  }
}
