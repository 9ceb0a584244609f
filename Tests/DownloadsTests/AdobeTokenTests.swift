import Testing

@testable import Downloads

@Suite struct `A token of Adobe's` {
  private static func token(_ inner: String, root: String = "fulfillmentToken") -> [UInt8] {
    Array(
      """
      <\(root) fulfillmentType="loan" auth="user" xmlns="http://ns.adobe.com/adept">\(inner)</\(root)>
      """.utf8)
  }

  private static let whole = """
    <distributor>urn:uuid:176c679c</distributor><operatorURL>http://127.0.0.1/fulfillment</operatorURL>
    <transaction>T:1</transaction><purchase>2026-11-22T12:00:00+00:00</purchase>
    <expiration>2026-11-22T13:05:00+01:00</expiration>
    <resourceItemInfo><resource>urn:uuid:1</resource><resourceItem>0</resourceItem><metadata>
    <dc:title xmlns:dc="http://purl.org/dc/elements/1.1/">The  Long
    Walk</dc:title><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/"> </dc:creator>
    <dc:format xmlns:dc="http://purl.org/dc/elements/1.1/">application/pdf</dc:format></metadata>
    </resourceItemInfo><hmac>umQylLEg</hmac>
    """

  @Test func `A token of Adobe's says what it is for, and until when`() throws {
    let token = try #require(AdobeToken(Self.token(Self.whole)))
    #expect(token.title == "The Long Walk" && token.creator == nil)
    #expect(token.format == "application/pdf" && token.distributor == "urn:uuid:176c679c")
    #expect(token.transaction == "T:1" && token.expires == 1_795_349_100_000)
    #expect(!token.isOver(at: 1_795_349_099_999) && token.isOver(at: 1_795_349_100_000))
  }

  @Test func `A token of Adobe's may leave out all of that`() throws {
    let token = try #require(AdobeToken(Self.token("<expiration>soon</expiration>")))
    #expect(token.title == nil && token.expires == nil && !token.isOver(at: .max))
  }

  @Test func `A token of Adobe's is nothing else`() {
    #expect(AdobeToken([]) == nil)
    #expect(AdobeToken(Self.token("", root: "signInRequest")) == nil)
    #expect(AdobeToken(Array("<fulfillmentToken/>".utf8)) == nil)
    #expect(AdobeToken(Array("<fulfillmentToken xmlns='http://ns.adobe.com/adept'>".utf8)) == nil)
    #expect(
      AdobeToken(Self.token(String(repeating: "<a/>", count: 5_000))) == nil)
  }
}
