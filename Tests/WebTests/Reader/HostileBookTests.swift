import BrowserSupport
import HTTP
import HTTPServer
import JSON
import Synchronization
import TestSupport
import Testing

@testable import Web

/// A book that tries everything, in a real browser, beside a server that hears whatever leaves.
@Suite(.timeLimit(.minutes(5))) struct `A hostile book` {
  private static func hostile(_ evil: String) -> PaperBook {
    let tries = RebuildTries.all(evil).joined()
    var book = PaperBook([
      """
      <script>fetch('\(evil)/script'); parent.document.title = 'pwned'; top.location = '\(evil)/top'</script>\
      \(tries)<p id='end'>The end of it.</p>
      """, "<p>Two.</p>",
    ])
    book.head = """
      <meta http-equiv='refresh' content='0;url=\(evil)/refresh'/><base href='\(evil)/base/'/>\
      <script src='\(evil)/headscript'></script><link rel='stylesheet' href='\(evil)/sheet'/>\
      <link rel='prefetch' href='\(evil)/prefetch'/><link rel='stylesheet' href='/OPS/bad.css'/>\
      <style>@import '\(evil)/import'; a[href^='h'] { background: url(\(evil)/leak) }</style>
      """
    book.add(
      "bad.svg", "image/svg+xml",
      """
      <svg xmlns='http://www.w3.org/2000/svg' onload="fetch('\(evil)/onload')">\
      <script>fetch('\(evil)/svg')</script><style>@import url(\(evil)/svgsheet);</style>\
      <image href='\(evil)/svgimage' width='9' height='9'/><rect width='9' height='9'/></svg>
      """)
    book.add(
      "bad.css", "text/css",
      "@import url(\(evil)/css); body::after { content: url(\(evil)/content) } p { color: green }")
    return book
  }

  @Test(arguments: [Screen.desk, .phone.plain])
  func `A hostile book runs nothing and tells nobody anything`(screen: Screen) async throws {
    let heard = Mutex<[String]>([])
    let ear = Server(
      ServerSettings([.loopback(port: 0)]),
      Handler { request in
        heard.withLock { $0.append(request.path.joined(separator: "/")) }
        return .text("heard")
      })
    try ear.start()
    let evil = "http://127.0.0.1:\(try #require(ear.addresses[0].port))"
    try await `The web reader in Chromium`.open(Self.hostile(evil), [screen]) { page, _ in
      try await page.rests()
      #expect(try await page.evaluate("document.title !== 'pwned'") == .bool(true))
      #expect(try await page.address().contains("/read/town/t1/0"))
      let frame = "document.querySelector('iframe')"
      let source = try #require(try await page.evaluate("\(frame).src").string)
      if screen.runsScript {
        // What leads nowhere outside is pressed, too.
        try await page.evaluate(
          """
          for (const one of \(frame).contentDocument.querySelectorAll('a, button, summary')) {
            if (!String(one.href).includes('/leave')) one.click();
          }
          """)
        // Were there script inside, it would still not run: not from markup, not from handlers.
        try await page.evaluate(
          """
          (() => { const d = \(frame).contentDocument;
            const s = d.createElementNS('http://www.w3.org/1999/xhtml', 'script');
            s.textContent = 'parent.ran = 1'; d.body.append(s);
            d.body.setAttribute('onclick', 'parent.ran = 2'); d.body.click() })()
          """)
        #expect(try await page.evaluate("typeof window.ran") == "undefined")
      }
      // Opened by itself it can do no more than in its frame.
      try await page.open(source)
      try await page.rests()
      #expect(try await page.address().contains("/book/"))
    }
    await ear.stop(within: .seconds(1))
    #expect(heard.withLock { $0 } == [])
  }
}

/// Each of the ways to act or to ask somebody that markup has.
enum RebuildTries {
  static func all(_ evil: String) -> [String] {
    `A chapter for a browser`.hostile.map {
      $0.replacing("http://evil.example", with: evil).replacing(
        "evil()", with: "fetch(&quot;\(evil)/run&quot;)")
    } + ["<img src='bad.svg'/>", "<object data='bad.svg' type='image/svg+xml'/>"]
  }
}
