import Circulation
import ProviderKit
import Testing

@testable import HathiTrust

@Suite struct `Oddities of HathiTrust` {
  private let service = PlayedService()
  private let item = ItemID("000000042")

  @Test
  func `HathiTrust quirk 1: an empty list and an empty object both mean not found`() async throws {
    for nothing in [Wire.nothing, #"{"records":{},"items":[]}"#] {
      let service = PlayedService()
      service.on(Wire.many([nothing]))
      let told = try await service.adapter().availability(of: [item], in: service.call)
      #expect(told[item]?.status == .unknownToProvider)
    }
    let half = #"{"w0":{"records":[],"items":[\#(Wire.volume("pd"))]}}"#
    #expect(Wire.reason(Wire.decode("availability", half))?.code == "malformed_response")
  }

  @Test
  func `HathiTrust quirk 1: an unreadable book does not affect the other books`() async throws {
    let books = (1...3).map {
      BookNumbers(identifiers: [ForeignIdentifier(scheme: "oclc", value: "42402\($0)")])
    }
    let (first, third) = (
      Wire.book(
        [Wire.record("000000041", oclcs: ["424021"])], [Wire.volume("pd", of: "000000041")]),
      Wire.book([Wire.record("000000043", oclcs: ["424023"])], [Wire.volume("pd", of: "000000043")])
    )
    for torn in ["null", #"{"records":7,"items":[]}"#, #"{"records":{"x":1},"items":[]}"#] {
      let service = PlayedService()
      service.on(Wire.many([first, torn, third]))
      let answer = try await service.adapter().lookUp(books, in: service.call)
      #expect(answer.found.map(\.edition.item.rawValue) == ["000000041", "000000043"])
      #expect(answer.unread == [books[1]])
      let items = ["oclc:424021", "oclc:424022", "oclc:424023"].map { ItemID($0) }
      let told = try await service.adapter().availability(of: items, in: service.call)
      #expect(Set(told.keys) == [items[0], items[2]])
      #expect(told.values.allSatisfy { $0.status == .openAccess })
      service.on(Wire.many([torn, torn, torn]))
      _ = try await service.adapter().lookUp(books, in: service.call)
      let error = await #expect(throws: CirculationError.self) {
        try await service.adapter().lookUp(books, in: service.call)
      }
      #expect(error?.reason.code == "malformed_response")
    }
  }

  @Test
  func `HathiTrust quirk 1: an unreadable record does not affect the other records`() async throws {
    service.on(
      Wire.many([Wire.book([#""no number":{}"#, Wire.record()], [Wire.volume("pd")])]))
    let told = try await service.adapter().availability(
      of: [ItemID("oclc:424023")], in: service.call)
    #expect(told[ItemID("oclc:424023")]?.status == .openAccess)
  }

  @Test func `HathiTrust quirk 2: the part of a volume is a string or false`() {
    let set = Wire.book(
      [Wire.record()],
      [Wire.volume("pd", part: "\"v.1\"", id: "a.1"), Wire.volume("pd", part: "false", id: "a.2")])
    #expect(Wire.edition(set)?.formats.map(\.id) == ["v.1", "a.2"])
    let one = Wire.book([Wire.record()], [Wire.volume("pd")])
    #expect(Wire.edition(one)?.formats.map(\.id) == ["read-online"])
  }

  @Test
  func `HathiTrust quirk 3: volumes open in the United States are closed elsewhere`() async throws {
    service.on(
      Wire.many([Wire.book([Wire.record()], [Wire.volume("pdus", says: "Full view")])]))
    for (country, isOpen) in [("us", true), ("de", false), (nil, false)] {
      let told = try await service.adapter(country: country)
        .availability(of: [item], in: service.call)
      #expect(told[item]?.canBeHadNow == isOpen, "\(country ?? "-")")
    }
  }

  @Test func `HathiTrust quirk 4: of two records the one with another OCLC number is left out`()
    async throws
  {
    let isbn = try #require(ISBN("9780306406157"))
    let (right, wrong) = (
      Wire.record("000000042", oclcs: ["424023"]),
      Wire.record("000000077", isbns: [isbn.digits], oclcs: ["999"])
    )
    service.on(
      Wire.many([
        Wire.book(
          [right, wrong], [Wire.volume("pd"), Wire.volume("pd", of: "000000077", id: "b.1")])
      ]))
    let book = BookNumbers(
      isbns: [isbn], identifiers: [ForeignIdentifier(scheme: "oclc", value: "(OCoLC)00424023")])
    let found = try await service.adapter().lookUp([book], in: service.call).found
    #expect(found.map(\.edition.item) == [item])
    #expect(service.asked == [["id:w0;oclc:424023;isbn:9780306406157"]])
  }

  @Test
  func `HathiTrust quirk 4: a record with the right ISBN but another OCLC number is no match`()
    async throws
  {
    let isbn = try #require(ISBN("9780306406157"))
    service.on(
      Wire.many([
        Wire.book([Wire.record(isbns: [isbn.digits], oclcs: ["999"])], [Wire.volume("pd")])
      ]))
    let book = BookNumbers(
      isbns: [isbn], identifiers: [ForeignIdentifier(scheme: "oclc", value: "424023")])
    #expect(try await service.adapter().lookUp([book], in: service.call).found.isEmpty)
  }

  @Test func `HathiTrust quirk 5: a record found by a former OCLC number alone is accepted`()
    async throws
  {
    service.on(Wire.many([Wire.book([Wire.record(oclcs: ["424023"])], [Wire.volume("pd")])]))
    let former = ItemID("oclc:555")
    let told = try await service.adapter().availability(of: [former], in: service.call)
    #expect(told[former]?.status == .openAccess)
  }

  @Test(arguments: [
    "isbn:9780306406158", "oclc:", "oclc:12a4", "lccn:n/a", "recordnumber:0123456789", "nothing",
    "htid:a|b", "htid:a;b",
  ])
  func `HathiTrust quirk 6: an invalid number is not looked up`(_ name: String) async throws {
    let told = try await service.adapter().availability(of: [ItemID(name)], in: service.call)
    #expect(told[ItemID(name)]?.status == .unknownToProvider)
    #expect(service.asked.isEmpty)
  }

  @Test(arguments: [
    ("366004", "recordnumber:000366004"), ("oclc:ocm00424023", "oclc:424023"),
    ("lccn:70-98765", "lccn:70098765"), ("LCCN: 61007069 /AC/r85", "lccn:61007069"),
    ("isbn:0-306-40615-2", "isbn:9780306406157"),
    ("uc2.ark:/13960/T4X", "htid:uc2.ark:/13960/t4x"), ("issn:317-8471", "issn:03178471"),
  ])
  func `HathiTrust quirk 7: numbers are sent in the service's own spelling`(
    _ name: String, spec: String
  )
    async throws
  {
    service.on(Wire.many([Wire.nothing]))
    _ = try await service.adapter().availability(of: [ItemID(name)], in: service.call)
    #expect(service.asked == [["id:w0;\(spec)"]])
  }

  @Test
  func `HathiTrust quirk 7: a record with another record number is not accepted`() async throws {
    service.on(Wire.many([Wire.book([Wire.record("000000043")], [])]))
    let told = try await service.adapter().availability(of: [item], in: service.call)
    #expect(told[item]?.status == .unknownToProvider)
  }

  @Test func `HathiTrust quirk 8: a full reply is requested again in halves`() async throws {
    let crowd = (0..<200).map { Wire.record("0000010\($0 / 100)\($0 / 10 % 10)\($0 % 10)".suffix9) }
    service.on { specs in
      specs.count > 1
        ? (200, Wire.many([Wire.book(crowd, [])] + specs.dropFirst().map { _ in Wire.nothing }))
        : (200, Wire.many([Wire.book([Wire.record()], [Wire.volume("pd")])]))
    }
    let items = [ItemID("oclc:1"), ItemID("oclc:2"), ItemID("oclc:3")]
    let told = try await service.adapter().availability(of: items, in: service.call)
    #expect(items.allSatisfy { told[$0]?.status == .openAccess })
    #expect(service.asked.map(\.count) == [3, 1, 2, 1, 1])
  }

  @Test func `HathiTrust quirk 9: ISBNs of a multi-volume set are only related ISBNs`() {
    let isbns = ["0306406152 (v. 1)", "n/a"]
    let set = Wire.book(
      [Wire.record(isbns: isbns)],
      [
        Wire.volume("pd", part: "\"v.1\"", id: "a.1"),
        Wire.volume("ic", part: "\"v.2\"", id: "a.2"),
      ])
    let edition = Wire.edition(set)
    #expect(edition?.isbns == [])
    #expect(edition?.relatedISBNs.map(\.digits) == ["9780306406157"])
    let one = Wire.book([Wire.record(isbns: isbns)], [Wire.volume("pd")])
    #expect(Wire.edition(one)?.isbns.map(\.digits) == ["9780306406157"])
  }

  @Test func `HathiTrust quirk 10: only the open volumes of a set are offered, each by itself`()
    async throws
  {
    service.on(
      Wire.many([
        Wire.book(
          [Wire.record()],
          [
            Wire.volume("ic", part: "\"v.1\"", id: "a.1"),
            Wire.volume("pd", part: "\"v.2\"", id: "a.2"),
            Wire.volume("pd", part: "\"v.3\"", id: "a.3"),
          ])
      ]))
    let adapter = try service.adapter()
    let any = try await adapter.fulfil(item, as: nil, in: service.call)
    #expect(any.link.address == "https://babel.example/cgi/pt?id=a.2")
    let third = Format(id: "v.3", content: .html, protection: .streaming)
    let part = try await adapter.fulfil(item, as: third, in: service.call)
    #expect(part.link.address == "https://babel.example/cgi/pt?id=a.3")
    let closed = Format(id: "v.1", content: .html, protection: .streaming)
    let error = await #expect(throws: CirculationError.self) {
      try await adapter.fulfil(item, as: closed, in: service.call)
    }
    #expect(error?.reason == .formatUnavailable)
  }

  @Test(arguments: [
    (
      "The tin harbour : a tale of tides / by Odile Marsh ; drawn by P. Quay.",
      "The tin harbour", "a tale of tides", "Odile Marsh"
    ),
    (
      "The tin harbour, and other stories. Written and illustrated by Odile Marsh.",
      "The tin harbour, and other stories", nil, nil
    ),
    (
      "Up the tin harbour, by Odile Marsh, as told to P. Quay.", "Up the tin harbour", nil,
      "Odile Marsh"
    ),
    ("Letters to J. F.", "Letters to J. F.", nil, nil), ("Harbour /", "Harbour", nil, nil),
  ])
  func `HathiTrust quirk 11: a title string is split into title, subtitle and author`(
    _ text: String, title: String, subtitle: String?, author: String?
  ) {
    let plain = PlainTitle(text)
    #expect(plain.title == title)
    #expect(plain.subtitle == subtitle)
    #expect(plain.author == author)
  }

  @Test func `HathiTrust quirk 12: Creative Commons codes without a version are open`() {
    for code in ["cc-by", "cc-by-nc-sa-3.0", "CC-BY-4.0", "cc-zero"] {
      #expect(Reach(code: code) == .everywhere)
    }
    #expect(Reach(code: "cc-something") == .nowhere)
  }

  @Test func `HathiTrust quirk 13: the query repeated in a 400 reply is not shown`() async throws {
    service.on(#"{"message":"query 'oclc:424023' is invalid"}"#, status: 400)
    let error = await #expect(throws: CirculationError.self) {
      try await service.adapter().availability(of: [item], in: service.call)
    }
    #expect(error?.reason.code == "not_configured")
    #expect(error?.providerSays == "HTTP 400")
  }

  @Test func `HathiTrust quirk 14: a reply wrapped in a callback is read`() {
    let body = "fn( \(Wire.book([Wire.record()], [Wire.volume("pd")])));"
    #expect(Wire.edition(body)?.title == "The tin harbour")
  }

  @Test func `HathiTrust quirk 15: hathifile rows are read by column in the old and new layout`() {
    let columns = [
      "mdp.1", "allow", "pd", "000000042", "", "MIU", "9", "424023,777", "0306406152 (pbk.)", "",
      "61007069", #"The "tin" harbour / by Odile Marsh."#, "Quay, 1911", "bib",
      "2024-01-01 00:00:00", "0", "9999", "   ", "ger", "BK", "MIU", "umich", "umich", "google",
    ]
    let old = columns.joined(separator: "\t")
    let new = old + "\tgoogle\tMärsh, Odile, 1880-1931."
    guard
      case .editions(let editions, next: _, total: _) = Wire.decode(
        "hathifile", "\(old)\nrubbish\n\(new)\n")
    else {
      Issue.record("no rows")
      return
    }
    #expect(editions.map(\.title) == [#"The "tin" harbour"#, #"The "tin" harbour"#])
    #expect(editions.map(\.authors) == [["Odile Marsh"], ["Odile Märsh"]])
    #expect(editions[1].languages == ["de"] && editions[1].published == nil)
    #expect(editions[1].isbns.map(\.digits) == ["9780306406157"])
    #expect(editions[1].identifiers.map(\.value) == ["424023", "777", "61007069"])
  }

  @Test func `HathiTrust quirk 16: several copies of one volume are offered once`() {
    let set = Wire.book(
      [Wire.record()],
      [
        Wire.volume("pd", part: "\"v.1\"", id: "a.1"),
        Wire.volume("pd", part: "\"v.1\"", id: "b.1"),
      ])
    #expect(Wire.edition(set)?.formats.map(\.id) == ["v.1"])
    let twice = Wire.book(
      [Wire.record()], [Wire.volume("ic", id: "a.1"), Wire.volume("pd", id: "b.1")])
    #expect(Wire.edition(twice)?.formats.map(\.id) == ["read-online"])
  }
}

extension String {
  fileprivate var suffix9: String { String(suffix(9)) }
}
