import HTTP
import HTTPClient
import HathiTrustMock
import JSON
import MockKit
import MockSupport
import Testing

@Suite struct `HathiTrust's interface` {
  private struct Played: Sendable {
    let open: OpenHouse

    static func run(_ body: (Played) async throws -> Void) async throws {
      try await OpenHouse.run(MockHouse(dialects: [HathiTrustDialect.dialect])) { open in
        try await body(Played(open: open))
      }
    }

    func get(_ target: String) async throws -> (status: Int, text: String, json: JSONValue) {
      let reply = try await open.client.send(Request(.get, try Address(open.base + target)))
      let text = String(decoding: reply.body, as: UTF8.self)
      return (reply.status.code, text, (try? JSONValue(parsing: reply.body)) ?? .null)
    }

    var records: [String] {
      open.house.main.withState { $0.library("demo", of: "hathitrust")?.lending.order ?? [] }
    }
  }

  @Test func `HathiTrust's interface answers about one number, and says nothing with an object`()
    async throws
  {
    try await Played.run { played in
      let number = played.records[0]
      let one = try await played.get("/api/volumes/brief/recordnumber/\(number).json")
      #expect(one.json["records"]?[number]?["titles"]?[0]?.string?.isEmpty == false)
      #expect(one.json["items"]?[0]?["enumcron"] == .bool(false))
      #expect(one.json["items"]?[0]?["fromRecord"]?.string == number)
      #expect(one.json["records"]?[number]?["marc-xml"] == nil)
      let none = try await played.get("/api/volumes/oclc/1.json")
      #expect(none.text == #"{"records":{},"items":[]}"#)
    }
  }

  @Test func `the HathiTrust mock labels bulk answers and gives an empty list for no match`()
    async throws
  {
    try await Played.run { played in
      let number = played.records[6]
      let target = "/api/volumes/full/json/id:a;recordnumber:\(number)%7Coclc:1"
      let many = try await played.get(target)
      #expect(many.json["oclc:1"]?["records"] == .array([]))
      #expect(
        many.json["a"]?["items"]?.array?.map { $0["enumcron"]?.string } == ["v.1", "v.2", "v.3"])
      #expect(many.json["a"]?["records"]?[number]?["marc-xml"]?.string?.hasPrefix("<?xml") == true)
    }
  }

  @Test func `the HathiTrust mock finds records by every number and pads only record numbers`()
    async throws
  {
    try await Played.run { played in
      let number = played.records[0]
      let path = "/api/volumes/brief/recordnumber/\(number.drop { $0 == "0" }).json"
      let record = try await played.get(path).json["records"]?[number]
      let oclc = record?["oclcs"]?[0]?.string ?? ""
      let lccn = record?["lccns"]?[0]?.string ?? ""
      for question in ["oclc/(OCoLC)00\(oclc)", "lccn/\(lccn.prefix(2))-\(lccn.dropFirst(2))"] {
        let found = try await played.get("/api/volumes/brief/\(question).json")
        #expect(found.json["records"]?[number] != nil, "\(question)")
      }
      let bare = try await played.get("/api/volumes/brief/recordid/\(number).json")
      #expect(bare.json["records"] == .object([:]))
    }
  }

  @Test func `HathiTrust's interface refuses what is no question`() async throws {
    try await Played.run { played in
      let odd = try await played.get("/api/volumes/brief/json/foo:%3Cb%3E")
      #expect(odd.status == 400)
      #expect(odd.json["message"]?.string == "query 'foo:&lt;b&gt;' is invalid")
      let empty = try await played.get("/api/volumes/brief/json/")
      #expect(empty.status == 400)
      #expect(empty.json["message"]?.string == "missing or empty query")
      #expect(try await played.get("/api/volumes/brief/oclc/1.xml").status == 404)
    }
  }

  @Test func `HathiTrust's interface wraps an answer for browsers of old`() async throws {
    try await Played.run { played in
      let answer = try await played.get("/api/volumes/brief/oclc/1.json?callback=fn")
      #expect(answer.text == #"fn( {"records":{},"items":[]})"#)
    }
  }

  @Test func `HathiTrust's interface opens the pages of a volume`() async throws {
    try await Played.run { played in
      let number = played.records[0]
      let one = try await played.get("/api/volumes/brief/recordnumber/\(number).json")
      let address = one.json["items"]?[0]?["itemURL"]?.string ?? ""
      let page = try await played.get(String(address.dropFirst(played.open.base.count)))
      #expect(page.status == 200 && page.text.contains("<h1>"))
      #expect(try await played.get("/cgi/pt?id=none").status == 404)
    }
  }
}
