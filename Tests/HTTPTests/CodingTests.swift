import HTTP
import Testing

@Suite struct PercentCodingTests {
  @Test(arguments: [
    ("a%20b", "a b"), ("%C3%A9", "é"), ("a+b", "a+b"), ("", ""), ("%2F", "/"), ("%2f", "/"),
  ])
  func `decodes`(text: String, decoded: String) {
    #expect(PercentCoding.decode(text) == decoded)
  }

  @Test(arguments: ["%", "%2", "%zz", "%00", "%ff", "%c0%af", "a%2"])
  func `refuses what has no meaning`(text: String) { #expect(PercentCoding.decode(text) == nil) }

  @Test(arguments: [
    "plain", "a b/c?d#e%", "é漢😀", "..", ".", "a&b=c+d;e", "\"<>\\^`{|}", "line\r\nend",
  ])
  func `what was encoded comes back, and has no reserved byte`(text: String) {
    let segment = PercentCoding.encode(segment: text)
    #expect(PercentCoding.decode(segment) == text)
    #expect(segment.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#".utf8.contains($0) })
    #expect(segment != "." && segment != "..")
    var fields = FormFields()
    fields.add(text, text)
    #expect(FormFields(parsing: fields.encoded) == fields)
  }
}

@Suite struct FormFieldsTests {
  @Test func `reads pairs in order`() {
    let fields = FormFields(parsing: "q=a+b&q=%C3%A9&empty=&bare&&=x")
    #expect(fields["q"] == "a b")
    #expect(fields.all("q") == ["a b", "é"])
    #expect(fields["empty"] == "")
    #expect(fields["bare"] == "")
    #expect(fields[""] == "x")
    #expect(fields["none"] == nil)
  }

  @Test func `a stray percent stands for itself`() {
    #expect(FormFields(parsing: "a=100%&b=%zz")["a"] == "100%")
    #expect(FormFields(parsing: "a=100%&b=%zz")["b"] == "%zz")
    #expect(FormFields(parsing: "a=%ff")["a"] == "\u{FFFD}")
  }

  @Test func `thousands of names are cut short`() {
    let text = String(repeating: "a=b&", count: 5000)
    #expect(FormFields(parsing: text).fields.count == FormFields.most)
  }
}

@Suite struct CookieTests {
  @Test func `reads what browsers send`() {
    let cookies = Cookies(["a=1; b=\"two\"; c=x=y;d=; =none; e"])
    #expect(cookies["a"] == "1")
    #expect(cookies["b"] == "two")
    #expect(cookies["c"] == "x=y")
    #expect(cookies["d"] == "")
    #expect(cookies["e"] == nil)
    #expect(cookies.all.count == 4)
  }

  @Test func `the first of a name wins`() {
    #expect(Cookies(["a=1; a=2", "a=3"])["a"] == "1")
  }

  @Test func `the careful attributes are there by default`() throws {
    let cookie = try #require(SetCookie("session", "abc"))
    #expect(cookie.description == "session=abc; Path=/; Secure; HttpOnly; SameSite=Lax")
  }

  @Test func `every attribute is printed`() throws {
    let cookie = try #require(
      SetCookie(
        "a", "b", path: "/x", domain: "example.org", lifetime: .seconds(60), secure: false,
        httpOnly: false, sameSite: .strict))
    #expect(
      cookie.description == "a=b; Path=/x; Domain=example.org; Max-Age=60; SameSite=Strict")
  }

  @Test func `removing is an empty cookie of no age`() {
    #expect(
      SetCookie.removing("a", path: "/x")?.description
        == "a=; Path=/x; Max-Age=0; Secure; HttpOnly; SameSite=Lax")
  }

  @Test func `nothing can be smuggled into a cookie`() {
    #expect(SetCookie("a b", "c") == nil)
    #expect(SetCookie("a", "b; Domain=evil") == nil)
    #expect(SetCookie("a", "b\r\nX: y") == nil)
    #expect(SetCookie("a", "b", path: "/;x") == nil)
    #expect(SetCookie("", "b") == nil)
  }
}

@Suite struct ProblemTests {
  @Test func `has the members of the RFC and ours`() {
    let problem = Problem(
      .conflict, code: "loan_limit_reached", detail: "Five loans is the limit.",
      remedy: "Return a book first.", instance: "/loans/1")
    #expect(
      problem.json == """
        {"type":"about:blank","title":"Conflict","status":409,\
        "detail":"Five loans is the limit.","instance":"/loans/1",\
        "code":"loan_limit_reached","try":"Return a book first."}
        """)
  }

  @Test func `text is escaped`() {
    let problem = Problem(.notFound, detail: "\"</script>\\\n\u{1}é")
    #expect(problem.json.contains(#""detail":"\"\u003c/script>\\\n\u0001é""#))
  }
}

@Suite struct ContentDispositionTests {
  @Test(arguments: [
    ("book.epub", "attachment; filename=\"book.epub\""),
    ("a \"b\".epub", "attachment; filename=\"a _b_.epub\"; filename*=UTF-8''a%20%22b%22.epub"),
    ("été.epub", "attachment; filename=\"_t_.epub\"; filename*=UTF-8''%C3%A9t%C3%A9.epub"),
    ("../../etc/passwd", "attachment; filename=\".._.._etc_passwd\""),
    ("a\r\nX: y", "attachment; filename=\"a__X: y\""),
  ])
  func `names are safe and complete`(name: String, field: String) {
    #expect(ContentDisposition(.attachment, fileName: name).description == field)
  }
}

@Suite struct HeadersTests {
  @Test func `names are compared without case`() {
    var headers: Headers = ["Set-Cookie": "a=1", "set-cookie": "b=2", "Vary": "Accept"]
    #expect(headers["SET-COOKIE"] == "a=1")
    #expect(headers.all("Set-Cookie") == ["a=1", "b=2"])
    headers.set("vary", "Cookie")
    #expect(headers.all("Vary") == ["Cookie"])
    headers.set("vary", nil)
    #expect(headers["Vary"] == nil)
  }
}
