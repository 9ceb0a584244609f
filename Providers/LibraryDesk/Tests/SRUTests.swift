import Circulation
import HTTP
import ProviderKit
import Testing

@testable import LibraryDesk

@Suite struct `A catalogue asked by SRU` {
  private static func answer(_ records: [String]) -> String {
    let wrapped = records.map {
      "<record><recordSchema>marcxml</recordSchema><recordData>\($0)</recordData></record>"
    }
    return """
      <?xml version="1.0"?><zs:searchRetrieveResponse xmlns:zs="http://www.loc.gov/zing/srw/">\
      <zs:numberOfRecords>\(records.count)</zs:numberOfRecords><zs:records>\
      \(wrapped.joined())</zs:records></zs:searchRetrieveResponse>
      """
  }

  private static func record(
    _ number: Int = 12, isbn: String = "978-0-306-40615-7 (pbk.)", carrier: String = "nc",
    copies: String =
      #"<datafield tag="952" ind1=" " ind2=" "><subfield code="b">MTH</subfield><subfield code="o">FIC MAR</subfield><subfield code="p">39001</subfield></datafield>"#
  ) -> String {
    """
    <record xmlns="http://www.loc.gov/MARC21/slim"><leader>00000nam a2200000 a 4500</leader>\
    <controlfield tag="001">\(number)</controlfield>\
    <datafield tag="020" ind1=" " ind2=" "><subfield code="a">\(isbn)</subfield></datafield>\
    <datafield tag="100" ind1="1" ind2=" "><subfield code="a">Marsh, Odile,</subfield></datafield>\
    <datafield tag="245" ind1="1" ind2="4"><subfield code="a">The tin harbour &amp; more /</subfield></datafield>\
    <datafield tag="338" ind1=" " ind2=" "><subfield code="b">\(carrier)</subfield></datafield>\(copies)</record>
    """
  }

  private func desk(
    _ played: PlayedDesk, _ more: [String: String] = [:]
  ) throws -> LibraryDeskProvider {
    try played.desk(
      ["sign_in": "kansas", "titles": "sru", "branches": "MTH = Mott Haven"].merging(more) { $1 })
  }

  @Test func `A catalogue asked by SRU finds a title by a number, with the copies in its record`()
    async throws
  {
    let played = PlayedDesk { _ in (200, Self.answer([Self.record()])) }
    let book = BookNumbers(isbns: [ISBN("9780306406157")].compactMap(\.self))
    let found = try await desk(played).lookUp([book], in: played.call).found
    #expect(found.map(\.edition.item) == [ItemID("title-12")])
    #expect(found.first?.edition.title == "The tin harbour & more")
    #expect(found.first?.availability.status == .available(.init(total: 1, available: 1)))
    #expect(
      played.asked[0].query["query"]
        == #"bath.isbn="9780306406157" or bath.isbn="0306406152""#)
    let copies = try await desk(played).copies(of: ItemID("title-12"), in: played.call).copies
    #expect(copies.map(\.branch?.name) == ["Mott Haven"] && copies[0].callNumber == "FIC MAR")
  }

  @Test func `A catalogue asked by SRU writes quotes and signs of its language as texts`() {
    #expect(SRU.quoted(#"a "b" \ c* d? ^e"#) == #""a \"b\" \\ c\* d\? \^e""#)
  }

  @Test func `A catalogue asked by SRU drops what is online, and what is another book`()
    async throws
  {
    let played = PlayedDesk { _ in
      (200, Self.answer([Self.record(carrier: "cr"), Self.record(13, isbn: "9780131103627")]))
    }
    let book = BookNumbers(isbns: [ISBN("9780306406157")].compactMap(\.self))
    #expect(try await desk(played).lookUp([book], in: played.call).found.isEmpty)
  }

  @Test func `A catalogue asked by SRU reads copies where the library says they stand`()
    async throws
  {
    let copies = """
      <datafield tag="949" ind1=" " ind2=" "><subfield code="l">MTH</subfield><subfield code="s">DUE 03-24</subfield><subfield code="d">2026-04-01</subfield></datafield>\
      <datafield tag="949" ind1=" " ind2=" "><subfield code="l">CPL</subfield><subfield code="s">-</subfield></datafield>\
      <datafield tag="949" ind1=" " ind2=" "><subfield code="l">CPL</subfield><subfield code="s">o</subfield></datafield>
      """
    let played = PlayedDesk { _ in (200, Self.answer([Self.record(copies: copies)])) }
    let desk = try desk(played, ["sru_holdings": "949: branch=l status=s due=d"])
    let told = try await desk.copies(of: ItemID("title-12"), in: played.call).copies
    #expect(told.map(\.state) == [.out, .available, .reference])
    #expect(told[0].due == WireDate.instant("2026-04-01T23:59:59Z"))
    #expect(throws: SettingsFault.self) { _ = try self.desk(played, ["sru_holdings": "949"]) }
  }

  @Test func `A catalogue asked by SRU that does not know our index is told to the administrator`()
    async throws
  {
    let played = PlayedDesk { _ in
      (
        200,
        """
        <searchRetrieveResponse><numberOfRecords>0</numberOfRecords><diagnostics><diagnostic>\
        <uri>info:srw/diagnostic/1/16</uri><message>Unsupported index</message></diagnostic>\
        </diagnostics></searchRetrieveResponse>
        """
      )
    }
    let book = BookNumbers(isbns: [ISBN("9780306406157")].compactMap(\.self))
    let error = await failure { _ = try await desk(played).lookUp([book], in: played.call).found }
    #expect(error?.reason.code == "not_configured" && error?.providerSays == "Unsupported index")
  }

  @Test(arguments: ["", "<html><body>x</body></html>", "<searchRetrieveResponse/>", "{}"])
  func `A catalogue asked by SRU that sends something else has not answered`(body: String)
    async throws
  {
    let played = PlayedDesk { _ in (200, body) }
    let book = BookNumbers(isbns: [ISBN("9780306406157")].compactMap(\.self))
    let error = await failure { _ = try await desk(played).lookUp([book], in: played.call).found }
    #expect(error?.reason == .malformedResponse(expected: "an answer of SRU"))
  }
}
