import HTTP
import HTTPServer
import Testing

/// Every way of being wrong ends in the same two things: the right status, and a closed connection.
@Suite struct GuardTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: String
    var status = 400

    init(_ name: String, _ bytes: String, _ status: Int = 400) {
      (testDescription, self.bytes, self.status) = (name, bytes, status)
    }
  }

  static let post = "POST / HTTP/1.1\r\nHost: a\r\n"
  static let get = "GET / HTTP/1.1\r\nHost: a\r\n"
  static let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

  static let lengths = [
    Row("doubled length", post + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"),
    Row("two lengths that differ", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx"),
    Row("a list of lengths", post + "Content-Length: 1, 1\r\n\r\nx"),
    Row("plus sign", post + "Content-Length: +1\r\n\r\nx"),
    Row("minus sign", post + "Content-Length: -1\r\n\r\n"),
    Row("empty length", post + "Content-Length:\r\n\r\n"),
    Row("blank length", post + "Content-Length:   \r\n\r\n"),
    Row("hexadecimal length", post + "Content-Length: 0x1\r\n\r\nx"),
    Row("letters", post + "Content-Length: one\r\n\r\n"),
    Row("blank inside", post + "Content-Length: 1 0\r\n\r\n"),
    Row("decimal point", post + "Content-Length: 1.0\r\n\r\n"),
    Row("full-width digit", post + "Content-Length: \u{FF11}\r\n\r\n"),
    Row("length beyond every number", post + "Content-Length: 99999999999999999999\r\n\r\n"),
    Row("length beyond the cap", post + "Content-Length: 1000000000\r\n\r\n", 413),
  ]

  static let codings = [
    Row("length beside coding", post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
    Row("coding beside length", post + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"),
    Row("chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n"),
    Row("chunked in two fields", chunked.dropLast(2) + "Transfer-Encoding: chunked\r\n\r\n"),
    Row("identity", post + "Transfer-Encoding: identity\r\n\r\n"),
    Row("gzip before chunked", post + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
    Row("chunked before gzip", post + "Transfer-Encoding: chunked, gzip\r\n\r\n"),
    Row("made up coding", post + "Transfer-Encoding: xchunked\r\n\r\n"),
    Row("quoted coding", post + "Transfer-Encoding: \"chunked\"\r\n\r\n"),
    Row("coding with a parameter", post + "Transfer-Encoding: chunked;q=1\r\n\r\n"),
    Row("empty coding", post + "Transfer-Encoding:\r\n\r\n"),
    Row("comma after coding", post + "Transfer-Encoding: chunked,\r\n\r\n"),
    Row("vertical tab before coding", post + "Transfer-Encoding: \u{0B}chunked\r\n\r\n"),
    Row("coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  ]

  static let fields = [
    Row("blank before colon", post + "Content-Length : 1\r\n\r\nx"),
    Row("tab before colon", post + "Content-Length\t: 1\r\n\r\nx"),
    Row("no colon", get + "Nonsense\r\n\r\n"),
    Row("no name", get + ": value\r\n\r\n"),
    Row("brackets in a name", get + "X[y]: 1\r\n\r\n"),
    Row("letter beyond ASCII in a name", get + "Héader: 1\r\n\r\n"),
    Row("NUL in a name", get + "X\0: 1\r\n\r\n"),
    Row("NUL in a value", get + "X: a\0b\r\n\r\n"),
    Row("escape byte in a value", get + "X: a\u{1B}b\r\n\r\n"),
    Row("backspace in a value", get + "X: a\u{08}b\r\n\r\n"),
    Row("delete byte in a value", get + "X: a\u{7F}b\r\n\r\n"),
    Row("folded field", get + "X: a\r\n b\r\n\r\n"),
    Row("field folded by a tab", get + "X: a\r\n\tb\r\n\r\n"),
    Row("blank first line of fields", "GET / HTTP/1.1\r\n X: y\r\nHost: a\r\n\r\n"),
    Row("bare line feed after a field", get + "X: y\nZ: a\r\n\r\n"),
    Row("bare line feeds throughout", "GET / HTTP/1.1\nHost: a\n\n"),
    Row("bare line feed after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n"),
    Row("bare line feed ends the head", get + "X: y\r\n\n"),
    Row("bare carriage return in a value", get + "X: a\rb\r\n\r\n"),
    Row("bare carriage returns as line ends", "GET / HTTP/1.1\rHost: a\r\r"),
    Row("doubled carriage return", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"),
    Row("unknown expectation", get + "Expect: miracles\r\n\r\n", 417),
  ]

  static let hosts = [
    Row("no host", "GET / HTTP/1.1\r\n\r\n"),
    Row("doubled host", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
    Row("two hosts in one", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    Row("empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    Row("host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    Row("host with a user", "GET / HTTP/1.1\r\nHost: me@a\r\n\r\n"),
    Row("host with a blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    Row("host with markup", "GET / HTTP/1.1\r\nHost: a\"><b\r\n\r\n"),
    Row("port that is no number", "GET / HTTP/1.1\r\nHost: a:x\r\n\r\n"),
    Row("port too large", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
    Row("open bracket", "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
    Row("target and host differ", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("target with a user", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
  ]

  static let requestLines = [
    Row("leading blank line", "\r\n" + get + "\r\n"),
    Row("leading blank", " GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("method with a parenthesis", "GE(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("method with a colon", "GET: / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("method unheard of", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    Row("method without end", String(repeating: "A", count: 64) + " / HTTP/1.1\r\n\r\n", 501),
    Row("two blanks", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("tab for a blank", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("blank at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    Row("blank in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("no target", "GET HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("HTTP/0.9", "GET /\r\n"),
    Row("HTTP/2 by prior knowledge", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    Row("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", 505),
    Row("HTTP/3", "GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
    Row("small letters", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    Row("version cut short", "GET / HTTP/1\r\nHost: a\r\n\r\n"),
    Row("version with two digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
    Row("another protocol", "GET / ICE/1.1\r\nHost: a\r\n\r\n"),
    Row("TLS on a plain port", "\u{16}\u{3}\u{1}\u{2}\0\u{1}"),
    Row("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
    Row("asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("line too long", "GET /" + String(repeating: "a", count: 9000) + " HTTP/1.1\r\n", 414),
    Row("line without end", "GET /" + String(repeating: "a", count: 9000), 414),
    Row(
      "head too large",
      get
        + (1...40).map { "X\($0): " + String(repeating: "v", count: 1000) }
        .joined(separator: "\r\n"), 431),
    Row("too many fields", get + String(repeating: "X: y\r\n", count: 101) + "\r\n", 431),
  ]

  static let paths = [
    Row("encoded NUL", "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("encoded NUL in the query", "GET /?a=%00 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("broken percent", "GET /a%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("percent at the end", "GET /a%2 HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("dot segment", "GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("single dot segment", "GET /a/./b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("encoded dot segment", "GET /a/%2e%2E/b HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("half encoded dot segment", "GET /a/.%2e HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("no UTF-8", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("overlong UTF-8", "GET /%c0%ae%c0%ae/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("bare letter beyond ASCII", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("markup", "GET /<script> HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("backslash", "GET /..\\..\\etc HTTP/1.1\r\nHost: a\r\n\r\n"),
    Row("fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
  ]

  static let chunks = [
    Row("no size", chunked + "\r\nabc\r\n"),
    Row("size that is no number", chunked + "xyz\r\nabc\r\n"),
    Row("size with a sign", chunked + "+3\r\nabc\r\n0\r\n\r\n"),
    Row("size with 0x", chunked + "0x3\r\nabc\r\n0\r\n\r\n"),
    Row("blank after the size", chunked + "3 \r\nabc\r\n0\r\n\r\n"),
    Row("blank before the size", chunked + " 3\r\nabc\r\n0\r\n\r\n"),
    Row("size that overflows", chunked + "FFFFFFFFFFFFFFFF\r\n"),
    Row("size that overflows to zero", chunked + "10000000000000000\r\n\r\n"),
    Row("zeros without end", chunked + String(repeating: "0", count: 40) + "1\r\na\r\n"),
    Row("chunk beyond the cap", chunked + "7FFFFFFFFFFFFF\r\n", 413),
    Row("too much data", chunked + "3\r\nabcd\r\n0\r\n\r\n"),
    Row("no line end after data", chunked + "3\r\nabc0\r\n\r\n"),
    Row("bare line feed after the size", chunked + "3\nabc\r\n0\r\n\r\n"),
    Row("bare line feed after data", chunked + "3\r\nabc\n0\r\n\r\n"),
    Row("bare carriage return after the size", chunked + "3\rXabc\r\n0\r\n\r\n"),
    Row("two bytes for a line end", chunked + "3\r\nabcXX0\r\n\r\n"),
    Row("bare line feed in an extension", chunked + "3;a\nb\r\nabc\r\n0\r\n\r\n"),
    Row("control byte in an extension", chunked + "3;a\u{1}\r\nabc\r\n0\r\n\r\n"),
    Row("endless extension", chunked + "3;" + String(repeating: "a", count: 9000) + "\r\n"),
    Row("broken trailer", chunked + "0\r\nno colon\r\n\r\n"),
    Row("blank before the trailer's colon", chunked + "0\r\nX : y\r\n\r\n"),
    Row("length as trailer", chunked + "0\r\nContent-Length: 5\r\n\r\n"),
    Row("coding as trailer", chunked + "0\r\nTransfer-Encoding: chunked\r\n\r\n"),
    Row("endless trailers", chunked + "0\r\n" + String(repeating: "X: y\r\n", count: 2000)),
  ]

  /// Each would be two requests to one server and one to another.
  static let smuggling = [
    Row(
      "length hides a request under a coding",
      post + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG"),
    Row(
      "coding behind a blank",
      post + "Content-Length: 4\r\nTransfer-Encoding : chunked\r\n\r\n1\r\nZ\r\nQ"),
    Row(
      "coding behind a fold",
      post + "Content-Length: 4\r\nTransfer-Encoding:\r\n chunked\r\n\r\n1\r\nZ\r\nQ"),
    Row(
      "coding behind a carriage return",
      post + "Content-Length: 4\r\nX: y\rTransfer-Encoding: chunked\r\n\r\n1\r\nZ\r\nQ"),
    Row(
      "coding behind a line feed",
      post + "Content-Length: 4\r\nX: y\nTransfer-Encoding: chunked\r\n\r\n1\r\nZ\r\nQ"),
    Row(
      "coding that is not quite chunked",
      post + "Content-Length: 4\r\nTransfer-Encoding: chunked-false\r\n\r\n1\r\nZ\r\nQ"),
  ]

  static let all =
    lengths + codings + fields + hosts + requestLines + paths + chunks + smuggling

  @Test(arguments: all)
  func `refuses with the right status and closes`(row: Row) async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      // A request that follows must never be answered.
      try await client.send(row.bytes + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
      let answer = try await client.answer()
      #expect(answer.status == row.status)
      #expect(answer.headers["Connection"] == "close")
      #expect(answer.headers["Content-Type"] == "application/problem+json")
      #expect(try await client.isClosed())
    }
  }

  @Test(arguments: all)
  func `refuses the same when every byte comes alone`(row: Row) async throws {
    // Long rows say nothing new this way.
    guard row.bytes.utf8.count < 300 else { return }
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      for byte in row.bytes.utf8 where client.sendNow([byte]) == 0 { break }
      let answer = try await client.answer()
      #expect(answer.status == row.status)
      #expect(try await client.isClosed())
    }
  }

  static let welcome = [
    Row("HTTP/1.0 without host", "GET /ok HTTP/1.0\r\n\r\n", 200),
    Row("absolute target", "GET http://A:80/ok HTTP/1.1\r\nHost: a:80\r\n\r\n", 200),
    Row("absolute target without path", "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    Row("OPTIONS for the server", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    Row("IPv6 host", "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n", 200),
    Row("blanks around a value", "GET / HTTP/1.1\r\nHost: \t a \t\r\n\r\n", 200),
    Row("tab in a value", get + "X: a\tb\r\n\r\n", 200),
    Row("letters beyond ASCII in a value", get + "X: é\r\n\r\n", 200),
    Row("empty value", get + "X:\r\n\r\n", 200),
    Row("leading zeros", post + "Content-Length: 0003\r\n\r\nabc", 200),
    Row("CHUNKED", post + "Transfer-Encoding: CHUNKED\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200),
    Row("chunk extension", chunked + "3;a=\"b\"\r\nabc\r\n0;c\r\n\r\n", 200),
    Row("trailers", chunked + "3\r\nabc\r\n0\r\nX: y\r\n\r\n", 200),
    Row("encoded slash", "GET /a%2Fb HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    Row("three dots", "GET /... HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    Row("offer to upgrade", get + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", 200),
    Row("length zero", post + "Content-Length: 0\r\n\r\n", 200),
  ]

  @Test(arguments: welcome)
  func `lets pass what is right`(row: Row) async throws {
    try await RunningServer.run(.echo) { running in
      let client = try running.connect()
      #expect(try await client.ask(row.bytes).status == 200)
    }
  }
}
