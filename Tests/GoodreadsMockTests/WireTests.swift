import Crypto
import GoodreadsMock
import HTTP
import HTTPClient
import JSON
import MockKit
import MockSupport
import Secrets
import Testing

@Suite(.serialized) struct `The interface of Goodreads` {
  private struct Played: Sendable {
    static let card = "23000000000001"
    let open: OpenHouse

    static func run(_ body: (Played) async throws -> Void) async throws {
      try await OpenHouse.run(MockHouse(dialects: [GoodreadsDialect.dialect])) { open in
        try await body(Played(open: open))
      }
    }

    var user: String { Furnishing.userID(of: Self.card) }
    var now: Int64 { open.house.main.withState { $0.now.milliseconds / 1000 } }

    func send(_ request: Request) async throws -> (status: Int, text: String) {
      let reply = try await open.client.send(request)
      return (reply.status.code, String(decoding: reply.body, as: UTF8.self))
    }

    func get(_ target: String, _ headers: Headers = [:]) async throws -> (status: Int, text: String)
    {
      let address = try Address(open.base + "/goodreads" + target)
      return try await send(Request(.get, address, headers: headers))
    }

    /// Signed by hand, step by step as the recipe has it.
    func signed(
      _ path: String, _ query: [(String, String)] = [], nonce: String, time: Int64? = nil,
      secret: String = "1111"
    ) async throws -> (status: Int, text: String) {
      let own = [
        ("oauth_consumer_key", Furnishing.key), ("oauth_nonce", nonce),
        ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", String(time ?? now)),
        ("oauth_token", Self.card), ("oauth_version", "1.0"),
      ]
      let place = open.base + "/goodreads" + path
      let sorted = (own + query).map { (Address.encoded($0.0), Address.encoded($0.1)) }
        .sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
      let base = ["GET", place, sorted].map { Address.encoded($0) }.joined(separator: "&")
      let key = "\(Address.encoded(Furnishing.secret))&\(Address.encoded(secret))"
      let signature = Base64.standard.encode(
        Digest.sha1.authenticate(Array(base.utf8), key: Array(key.utf8)))
      let fields = (own + [("oauth_signature", signature)]).map {
        "\($0.0)=\"\(Address.encoded($0.1))\""
      }
      return try await send(
        Request(
          .get, try Address(place).adding(query.map { .init($0.0, $0.1) }),
          headers: ["Authorization": "OAuth " + fields.joined(separator: ", ")]))
    }
  }

  @Test func `the Goodreads mock accepts a signature once, in time and with the right secret`()
    async throws
  {
    try await Played.run { played in
      let first = try await played.signed("/api/auth_user", nonce: "a")
      #expect(first.status == 200 && first.text.contains("<user id=\"\(played.user)\">"))
      #expect(first.text.hasPrefix("\n\n<?xml"))
      let again = try await played.signed("/api/auth_user", nonce: "a")
      #expect(again.status == 401 && again.text == "Invalid OAuth Request")
      let late = try await played.signed("/api/auth_user", nonce: "b", time: played.now - 301)
      #expect(late.status == 401)
      let wrong = try await played.signed("/api/auth_user", nonce: "c", secret: "2222")
      #expect(wrong.status == 401)
    }
  }

  @Test func `The interface of Goodreads signs an awkward query`() async throws {
    try await Played.run { played in
      let query = [("v", "2"), ("shelf", "to-read"), ("search[query]", "Bronte & sisters+ ~*")]
      let found = try await played.signed("/review/list.xml", query, nonce: "q")
      #expect(found.status == 200)
      #expect(found.text.contains("<reviews start=\"0\" end=\"0\" total=\"0\">"))
    }
  }

  @Test func `The interface of Goodreads shows public shelves to whoever has a key`() async throws {
    try await Played.run { played in
      let target = "/shelf/list.xml?user_id=\(played.user)"
      #expect(try await played.get(target).status == 401)
      let found = try await played.get(target + "&key=\(Furnishing.key)")
      #expect(found.text.contains("<name>did-not-finish</name>"))
      #expect(found.text.contains("<authentication>false</authentication>"))
      let writing = try Address(
        played.open.base + "/goodreads/shelf/add_to_shelf.xml?key=\(Furnishing.key)")
      #expect(try await played.send(Request(.post, writing)).status == 403)
    }
  }

  @Test func `The interface of Goodreads pages from one, and says nothing past the end`()
    async throws
  {
    try await Played.run { played in
      let base = "/review/list/\(played.user).xml?v=2&key=\(Furnishing.key)&per_page=5"
      for (page, span) in [(1, (1, 5)), (3, (11, 12)), (4, (0, 0))] {
        let found = try await played.get(base + "&page=\(page)")
        #expect(found.text.contains("start=\"\(span.0)\" end=\"\(span.1)\" total=\"12\""))
      }
    }
  }

  @Test func `The interface of Goodreads answers for numbers in plain text`() async throws {
    try await Played.run { played in
      let books = played.open.house.main.withState { state in
        state.library("demo", of: "goodreads")?.lending.titles ?? [:]
      }
      let book = try #require(books["17340"])
      let key = "key=\(Furnishing.key)"
      let one = try await played.get("/book/isbn_to_id/\(book.isbn)?\(key)")
      #expect(one.text == book.id)
      let two = try await played.get("/book/isbn_to_id?isbn=0,\(book.isbn)&\(key)")
      #expect(two.text == ",\(book.id)")
      #expect(try await played.get("/book/isbn_to_id/0?\(key)").status == 404)
    }
  }

  @Test func `The interface of Goodreads has feeds for browsers, which know what has not changed`()
    async throws
  {
    try await Played.run { played in
      let target = "/review/list_rss/\(played.user)?shelf=to-raed"
      #expect(try await played.get(target).status == 503)
      let browser: Headers = ["User-Agent": "Mozilla/5.0"]
      let feed = try await played.get(target, browser)
      #expect(feed.status == 200 && feed.text.contains("bookshelf: </title>"))
    }
  }

  @Test func `The interface of Goodreads keeps lists that the admin interface shows and changes`()
    async throws
  {
    try await Played.run { played in
      let change = """
        {"libraries":[{"id":"demo","readers":[{"card":"\(Played.card)","private":true,
        "put":[{"list":"favorites","book":"17350","rating":4}]}]}]}
        """
      let state = try Address(played.open.base + "/__admin/state")
      let reply = try await played.send(Request(.put, state, body: .bytes(Array(change.utf8))))
      #expect(reply.status == 200 && reply.text.contains("\"readers\""))
      let key = "key=\(Furnishing.key)"
      let shut = try await played.get("/shelf/list.xml?user_id=\(played.user)&\(key)")
      #expect(shut.status == 403)
      let wrong = change.replacing("favorites", with: "nowhere")
      let refused = try await played.send(
        Request(.put, state, body: .bytes(Array(wrong.utf8))))
      #expect(refused.status == 400)
    }
  }
}
