import Chapters
import EPUB
import TestSupport
import Testing

@Suite struct `A chapter for a browser` {
  private static let addresses = BookAddresses(
    name: "/b/", resource: { "/b/r/\($0)" },
    section: { "/s/\($0)" + ($1.map { "?to=\($0)" } ?? "") },
    outside: { _ in "/leave" },
    sheets: (before: "/before.css", taste: "/taste.css", behind: "/behind.css"))

  private static func open(_ body: String, _ change: (inout PaperBook) -> Void = { _ in })
    throws -> OpenBook
  {
    var book = PaperBook([body, "<p id='two'>Second.</p>"])
    book.add("pic.svg", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    book.add("style.css", "text/css", "p{color:red}")
    change(&book)
    return OpenBook(try Book(book.bytes), digest: "d")
  }

  private static func text(_ body: String, _ change: (inout PaperBook) -> Void = { _ in }) throws
    -> String
  {
    String(decoding: try open(body, change).chapter(at: 0, addresses).bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (
      "<p class='a' id='b' style='color:red'>x<br/>y</p>",
      "<p class=\"a\" id=\"b\" style=\"color:red\">x<br/>y</p>"
    ),
    ("<img src='pic.svg' alt='A'/>", "<img src=\"/b/r/OPS/pic.svg\" alt=\"A\"/>"),
    ("<a href='c1.xhtml#two'>on</a>", "<a href=\"/s/1?to=two\" target=\"_top\">on</a>"),
    ("<a href='#x'>here</a>", "<a href=\"#x\">here</a>"),
    ("<noscript><p>shown</p></noscript>", "<p>shown</p>"),
    (
      "<object data='pic.svg' type='image/svg+xml'>words</object>",
      "<img src=\"/b/r/OPS/pic.svg\" alt=\"words\"/>"
    ),
    ("<form action='/x'><p>Inert</p><input name='a'/></form>", "<p>Inert</p>"),
    ("<ruby>山<rt>やま</rt></ruby>", "<ruby>山<rt>やま</rt></ruby>"),
    ("<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math>", "<mi>x</mi></math>"),
    (
      "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 1 1'><image xlink:href='pic.svg'/><use xlink:href='#a'/></svg>",
      "<image href=\"/b/r/OPS/pic.svg\"/><use href=\"#a\"/></svg>"
    ),
    ("<p><div>kept as it is nested</div></p>", "<p><div>kept as it is nested</div></p>"),
    ("<audio src='a.mp3'>no</audio>", "<audio controls=\"controls\" preload=\"none\">no</audio>"),
  ])
  func `A chapter for a browser keeps what is read`(body: String, kept: String) throws {
    let text = try Self.text(body)
    #expect(text.contains(kept), "\(text)")
  }

  static let hostile = [
    "<script>evil()</script>", "<p onclick='evil()'>x</p>", "<a href='javascript:evil()'>x</a>",
    "<a href=' java&#10;script:evil()'>x</a>", "<iframe src='http://evil.example/'/>",
    "<embed src='http://evil.example/'/>", "<object data='http://evil.example/'/>",
    "<img src='http://evil.example/a.png'/>", "<img srcset='http://evil.example/a.png 2x'/>",
    "<link rel='stylesheet' href='http://evil.example/a.css'/>",
    "<meta http-equiv='refresh' content='0;url=http://evil.example/'/>",
    "<base href='http://evil.example/'/>", "<p style='background:url(http://evil.example/a)'>x</p>",
    "<style>@import 'http://evil.example/a.css'; p{background:url(//evil.example/b)}</style>",
    "<form action='http://evil.example/'><button formaction='http://evil.example/'>go</button></form>",
    "<svg xmlns='http://www.w3.org/2000/svg' onload='evil()'><script>evil()</script><foreignObject><p onclick='evil()'/></foreignObject></svg>",
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'><use xlink:href='http://evil.example/a.svg#b'/><image xlink:href='http://evil.example/a'/><a xlink:href='javascript:evil()'><text>x</text></a><set attributeName='href' to='javascript:evil()'/><animate attributeName='href' values='javascript:evil()'/></svg>",
    "<math xmlns='http://www.w3.org/1998/Math/MathML'><maction actiontype='statusline#http://evil.example/' href='http://evil.example/'><mi>x</mi></maction></math>",
    "<video src='http://evil.example/v' poster='http://evil.example/p' autoplay='autoplay'/>",
    "<audio><source src='http://evil.example/a'/></audio>",
    "<p srcdoc='evil' ping='http://evil.example/'>x</p>",
    "<img src='../META-INF/container.xml'/>", "<img src='/../../evil'/>",
    "<x:y xmlns:x='evil'>x</x:y>",
    "<table background='http://evil.example/'><tr><td background='http://evil.example/'>x</td></tr></table>",
    "<a href='data:text/html,evil'>x</a>", "<img src='data:image/svg+xml,evil'/>",
    "<details ontoggle='evil()' open='open'><summary>x</summary></details>",
    "<portal src='http://evil.example/'/>",
  ]

  @Test(arguments: hostile)
  func `A chapter for a browser loses what acts, or asks anything of anybody`(body: String) throws {
    let text = try Self.text(body + "<p>after</p>") { $0.head = body }
    #expect(!text.contains("evil") && !text.contains("META-INF"), "\(text)")
    #expect(!text.contains("<script") && !text.contains("autoplay"))
    #expect(text.contains("<p>after</p>"))
  }

  @Test func `A chapter for a browser never loads an entity, and reads on where it is malformed`()
    throws
  {
    let broken = try Self.text("<p>one<b>two</p><p>&evil; three &nbsp;four</p>")
    #expect(broken.contains("one") && broken.contains("three"))
    let document =
      "<!DOCTYPE html [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><html xmlns='http://www.w3.org/1999/xhtml'><body><p>&e;x</p></body></html>"
    let open = try Self.open("<p>x</p>") { $0.add("x.xhtml", "application/xhtml+xml", document) }
    if let part = try? open.part(at: "OPS/x.xhtml", Self.addresses) {
      #expect(!String(decoding: part.bytes, as: UTF8.self).contains("root:"))
    }
  }

  @Test func `A chapter for a browser counts its characters as its author's`() throws {
    let body =
      "<h1>A 𝒷ook</h1><script>var hidden = 1;</script><p>One <b>two</b>\r\n<!-- c --> three &amp; four.</p><noscript>No</noscript><form>five <select><option>six</option></select></form><p>seven é🙂 eight</p>"
    let open = try Self.open(body)
    let text = try open.text(at: 0)
    for word in ["three", "four", "five", "seven", "eight", "🙂"] {
      let all = String(decoding: text.text, as: UTF8.self)
      let place = try #require(all.firstRange(of: word)).lowerBound.utf16Offset(in: all)
      let byte = all.utf16.index(all.startIndex, offsetBy: place).samePosition(in: all.utf8)
      let offset = all.utf8.distance(from: all.startIndex, to: try #require(byte))
      let shown = try open.shown(ofPlace: offset, at: 0, Self.addresses)
      #expect(try open.place(ofShown: shown, at: 0, Self.addresses) == offset, "\(word)")
      let page = String(decoding: try open.chapter(at: 0, Self.addresses).bytes, as: UTF8.self)
      let plain = Self.shown(page)
      let start = plain.utf16.index(plain.startIndex, offsetBy: shown)
      #expect(plain[start...].hasPrefix(word), "\(word): \(plain[start...].prefix(20))")
    }
  }

  /// The text of a page as a browser has it.
  private static func shown(_ page: String) -> String {
    let body = page[(page.firstRange(of: "<body")?.lowerBound ?? page.startIndex)...]
    return String(body).replacing(/<[^>]*>/, with: "").replacing("&amp;", with: "&")
      .replacing("&lt;", with: "<")
  }

  @Test func `A chapter for a browser serves parts of the book only, as what they are`() throws {
    let open = try Self.open("<p>x</p>") {
      $0.add(
        "bad.svg", "image/svg+xml",
        "<svg xmlns='http://www.w3.org/2000/svg' onload='evil()'><script>evil()</script><style>a{fill:url(http://evil.example/)} b{fill:red}</style><rect width='1'/></svg>"
      )
      $0.add("page.html", "image/png", "<html><script>evil()</script></html>")
      $0.add(
        "two.css", "text/css",
        "@import 'style.css'; a{background:url(pic.svg)} b{background:url(http://evil.example/)}")
    }
    let drawing = try open.part(at: "OPS/bad.svg", Self.addresses)
    let text = String(decoding: drawing.bytes, as: UTF8.self)
    #expect(!text.contains("evil") && text.contains("<rect") && text.contains("b{fill:red}"))
    let sheet = String(
      decoding: try open.part(at: "OPS/two.css", Self.addresses).bytes, as: UTF8.self)
    #expect(sheet.contains("url(\"/b/r/OPS/style.css\")") && sheet.contains("/b/r/OPS/pic.svg"))
    #expect(!sheet.contains("evil"))
    for path in ["OPS/page.html", "META-INF/container.xml", "OPS/book.opf", "mimetype", "../x"] {
      #expect(throws: (any Error).self) { try open.part(at: path, Self.addresses) }
    }
  }

  @Test func `A chapter for a browser knows the box of a page that was laid out`() throws {
    let open = try Self.open("<p>x</p>") {
      $0.metadata = "<meta property='rendition:layout'>pre-paginated</meta>"
      $0.head = "<meta name='viewport' content='width=600px, height=800'/>"
    }
    #expect(try open.chapter(at: 0, Self.addresses).box == FixedBox(600, 800))
  }
}
