import HTTP
import Testing

@Suite struct `An address is read strictly` {
  @Test(arguments: [
    ("http://example.com", "http://example.com/"),
    ("HTTP://EXAMPLE.com:80/A", "http://example.com/A"),
    ("https://example.com:443/", "https://example.com/"),
    ("https://example.com:8443/", "https://example.com:8443/"),
    ("https://example.com:/x", "https://example.com/x"),
    ("http://example.com?q", "http://example.com/?q"),
    ("http://example.com/?", "http://example.com/?"),
    ("http://example.com#f", "http://example.com/#f"),
    ("http://example.com/a/./b/../c", "http://example.com/a/c"),
    ("http://example.com/../../a", "http://example.com/a"),
    ("http://example.com/a%2Fb/%c3%A9", "http://example.com/a%2Fb/%c3%A9"),
    ("http://[2001:DB8:0:0:0:0:0:1]:8080/", "http://[2001:db8::1]:8080/"),
    ("http://[::ffff:192.0.2.1]/", "http://[::ffff:c000:201]/"),
    ("http://192.0.2.7/", "http://192.0.2.7/"),
    ("http://BÜCHER.example/", "http://bücher.example/"),
    ("http://a_b.example./", "http://a_b.example./"),
    ("http://example.com/a//b", "http://example.com/a//b"),
    ("http://example.com/a:b@c;d=e,f", "http://example.com/a:b@c;d=e,f"),
  ])
  func `An address is read strictly and printed in one form`(_ text: String, _ printed: String)
    throws
  {
    let address = try Address(text)
    #expect(address.text == printed)
    #expect(try Address(address.text) == address)
  }

  @Test(arguments: [
    ("", AddressError.schemeMissing), ("example.com/x", .schemeMissing),
    ("//example.com/", .schemeMissing), ("/x", .schemeMissing),
    ("http:", .hostMissing), ("http:/x", .hostMissing), ("http:///x", .hostMissing),
    ("http://:80/", .hostMissing), ("mailto:a@b", .hostMissing), ("urn:isbn:1", .hostMissing),
    ("1http://a/", .malformedScheme), ("ht tp://a/", .malformedScheme),
    ("://a/", .malformedScheme), ("héttp://a/", .malformedScheme),
    ("http://user@example.com/", .userinfoRefused),
    ("http://user:secret@example.com/", .userinfoRefused),
    ("http://@example.com/", .userinfoRefused),
    ("http://a@b@c/", .malformedHost), ("http://good.example\\@evil.example/", .forbiddenCharacter),
    ("http://exa mple.com/", .malformedHost), ("http://a..b/", .malformedHost),
    ("http://.a/", .malformedHost), ("http://a../", .malformedHost), ("http://./", .malformedHost),
    ("http://127%2e0.0.1/", .malformedHost), ("http://a%00b/", .malformedHost),
    ("http://a<b/", .malformedHost), ("http://a\u{0}b/", .malformedHost),
    ("http://a\u{200B}b/", .malformedHost), ("http://a\u{202E}b/", .malformedHost),
    ("http://[::1/", .malformedHost), ("http://::1/", .malformedPort),
    ("http://[::1]x/", .malformedHost), ("http://[127.0.0.1]/", .malformedHost),
    ("http://[fe80::1%25eth0]/", .malformedHost), ("http://[v1.a]/", .malformedHost),
    ("http://[1:2:3:4:5:6:7]/", .malformedHost), ("http://[1::2::3]/", .malformedHost),
    ("http://[:::]/", .malformedHost), ("http://[12345::]/", .malformedHost),
    ("http://[::1.2.3]/", .malformedHost), ("http://[::01.2.3.4]/", .malformedHost),
    ("http://[1:2:3:4:5:6:7::8]/", .malformedHost), ("http://[::1.2.3.4:5]/", .malformedHost),
    ("http://a:0/", .malformedPort), ("http://a:65536/", .malformedPort),
    ("http://a:-1/", .malformedPort), ("http://a:8o/", .malformedPort),
    ("http://a:000080/", .malformedPort), ("http://a:80:80/", .malformedPort),
    ("http://a:٣/", .malformedPort),
    ("http://a/%", .malformedPercent), ("http://a/%2", .malformedPercent),
    ("http://a/%zz", .malformedPercent), ("http://a/?%ag", .malformedPercent),
    ("http://a/#%", .malformedPercent),
    ("http://a/b c", .forbiddenCharacter), ("http://a/b\r\nX: y", .forbiddenCharacter),
    ("http://a/é", .forbiddenCharacter), ("http://a/?a=[b]", .forbiddenCharacter),
    ("http://a/<>", .forbiddenCharacter), ("http://a/#a#b", .forbiddenCharacter),
    ("http://a/\u{7F}", .forbiddenCharacter), (" http://a/", .malformedScheme),
  ])
  func `An address is read strictly and refused with a reason`(
    _ text: String, _ reason: AddressError
  ) {
    #expect(throws: reason) { try Address(text) }
  }

  @Test func `a label, a host name and a whole address have a maximum length`() throws {
    #expect(throws: Never.self) { try Address("http://\(String(repeating: "a", count: 63)).b/") }
    #expect(throws: AddressError.malformedHost) {
      try Address("http://\(String(repeating: "a", count: 64)).b/")
    }
    #expect(throws: AddressError.malformedHost) {
      try Address("http://\(String(repeating: "a.", count: 130))b/")
    }
    #expect(throws: AddressError.tooLong) {
      try Address("http://a/\(String(repeating: "b", count: Address.longest))")
    }
  }

  @Test func `An address is read strictly userinfo is kept only on demand, and never described`()
    throws
  {
    let address = try Address("http://u:p@a:81/b?token=t#f", userinfo: .kept)
    #expect(address.userinfo == "u:p")
    #expect(address.text == "http://u:p@a:81/b?token=t#f")
    #expect("\(address)" == "http://a:81/b?…")
    #expect(String(reflecting: [address]) == "[http://a:81/b?…]")
    #expect("\(address.origin)" == "http://a:81")
  }

  @Test func `An address is read strictly origins are equal when scheme, host and port are`() throws
  {
    let origin = try Address("https://a.example/x").origin
    #expect(try Address("https://A.example:443/y?z").origin == origin)
    #expect(try Address("http://a.example/").origin != origin)
    #expect(try Address("https://a.example:444/").origin != origin)
    #expect(try Address("https://b.a.example/").origin != origin)
    #expect(try Address("https://a.example./").origin != origin)
  }
}

@Suite struct `A reference is resolved against its page` {
  /// RFC 3986 §5.4, with an empty path of the base's host written as a slash.
  @Test(arguments: [
    ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
    ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
    ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("https://h/x/../y", "https://h/y"), ("./a:b", "http://a/b/c/a:b"),
  ])
  func `a relative address is resolved like the examples of RFC 3986`(
    _ reference: String, _ target: String
  ) throws {
    let base = try Address("http://a/b/c/d;p?q")
    #expect(try base.resolving(reference).text == target)
  }

  @Test(arguments: [
    ("http:g", AddressError.hostMissing), ("g:h", .hostMissing),
    ("javascript:alert(1)", .hostMissing),
    ("//u:p@h/", .userinfoRefused), ("https://u@h/", .userinfoRefused), ("//", .hostMissing),
    ("a b", .forbiddenCharacter), ("\\\\evil", .forbiddenCharacter), ("/a\nb", .forbiddenCharacter),
  ])
  func `A reference is resolved against its page or refused`(
    _ reference: String, _ reason: AddressError
  ) throws {
    let base = try Address("http://a/b/c/d;p?q")
    #expect(throws: reason) { try base.resolving(reference) }
  }

  @Test(arguments: [
    ("/a b", "/a%20b"), (" /a ", "/a"), ("/é?ü=[1]|2#é", "/%C3%A9?%C3%BC=%5B1%5D%7C2#%C3%A9"),
    ("100%", "100%25"), ("/%41%zz", "/%41%25zz"), ("//bücher.example/ä", "//bücher.example/%C3%A4"),
    ("http://a b/c d", "http://a b/c%20d"), ("/a\\b", "/a%5Cb"), ("/a#b#c", "/a#b%23c"),
    ("http://h?a=//b c", "http://h?a=//b%20c"), ("", ""), ("/a\r\nb", "/a\r\nb"),
  ])
  func `spaces and other bare characters in an address are escaped`(
    _ text: String, _ escaped: String
  ) {
    #expect(Address.escaped(text) == escaped)
  }
}

@Suite struct `A query and a path are built from plain text` {
  @Test func `adding query fields to an address encodes every reserved character`() throws {
    let address = try Address("http://a/s?x=1#f").adding([
      .init("q", "Ä & b=c+d/e?#%"), .init("", ""),
    ])
    #expect(address.text == "http://a/s?x=1&q=%C3%84%20%26%20b%3Dc%2Bd%2Fe%3F%23%25&=#f")
    #expect(try Address(address.text) == address)
  }

  @Test func `the query of an address can be replaced and removed`() throws {
    let address = try Address("http://a/s?x=1")
    #expect(address.replacingQuery([.init("y", "2")]).text == "http://a/s?y=2")
    #expect(address.replacingQuery([]).text == "http://a/s")
    #expect(try Address("http://a/?").adding([.init("b", "c")]).text == "http://a/?b=c")
  }

  @Test(arguments: [
    ("c", "http://a/b/c"), ("c/d", "http://a/b/c%2Fd"), ("..", "http://a/b/%2E%2E"),
    (".", "http://a/b/%2E"), ("a?b#c", "http://a/b/a%3Fb%23c"), ("é", "http://a/b/%C3%A9"),
  ])
  func `a path segment added to an address stays one segment`(_ segment: String, _ text: String)
    throws
  {
    #expect(try Address("http://a/b?q").appending(segment: segment).text == text)
    #expect(try Address("http://a/b/").appending(segment: segment).text == text)
  }
}

@Suite struct `An IP address is read and printed` {
  @Test(arguments: [
    ("0:0:0:0:0:0:0:0", "::"), ("::1", "::1"), ("1::", "1::"), ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
    ("1:0:0:2:3:0:0:4", "1::2:3:0:0:4"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
    ("ABCD::0001", "abcd::1"), ("::1.2.3.4", "::102:304"), ("64:ff9b::10.0.0.1", "64:ff9b::a00:1"),
    ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
    ("1.2.3.4", "1.2.3.4"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
  ])
  func `an IP address is printed in the form of RFC 5952`(_ text: String, _ printed: String) throws
  {
    let ip = try #require(Address.IP(text))
    #expect(ip.description == printed)
    #expect(Address.IP(printed) == ip)
  }

  @Test(arguments: [
    "", "1", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.04", "0x1.2.3.4", "1.2.3.",
    "1..2.3", "-1.2.3.4", "1.2.3.4 ", "+1.2.3.4", ":", ":::", "1:2:3:4:5:6:7:8:9", "g::", "::1%1",
    "1::2::3", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", "::+1", "1.2.3.4::", "[::1]", "١.2.3.4",
    "1:2:3:4:5:6:1.2.3.4:8",
  ])
  func `An IP address is read and printed and not in any loose one`(_ text: String) {
    #expect(Address.IP(text) == nil)
  }
}
