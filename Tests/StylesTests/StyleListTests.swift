import Testing

@testable import Styles

@Suite struct `A style sheet of a book` {
  private let own = StyleList(
    picture: { $0.contains("//") || $0.contains(":") ? nil : "/own/\($0)" },
    font: { $0.hasPrefix("http") ? nil : "/fonts/\($0)" },
    sheet: { $0.hasSuffix(".css") && !$0.contains("//") ? "/sheets/\($0)" : nil })

  @Test(arguments: [
    (".a, *::before { color: red } :root{top:0}", ".a, *::before {color:red}\n:root{top:0}\n"),
    ("p { margin: 0 1em; text-indent: 1.5em }", "p {margin:0 1em;text-indent:1.5em}\n"),
    (
      "p.a > b:first-child, [lang|=\"fr\"] {color:#FFF}",
      "p.a > b:first-child, [lang|=\"fr\"] {color:#FFF}\n"
    ),
    (
      "@media (min-width: 40em) { h1 { color: red } }",
      "@media (min-width: 40em) {\nh1 {color:red}\n}\n"
    ),
    (
      "@font-face{font-family:'A';src:url(a.otf) format('opentype')}",
      "@font-face{font-family:\"A\";src:url(\"/fonts/a.otf\") format(\"opentype\")}\n"
    ),
    ("@import 'two.css' screen;", "@import url(\"/sheets/two.css\")  screen;\n"),
    ("a{background:url( 'pic.png' ) no-repeat}", "a{background:url(\"/own/pic.png\") no-repeat}\n"),
    (
      "p{-epub-writing-mode: vertical-rl; -epub-hyphens:auto}",
      "p{writing-mode:vertical-rl;hyphens:auto}\n"
    ),
    ("p{width:calc(100% - 2em)}", "p{width:calc(100% - 2em)}\n"),
    ("a::before{content:\"\\201C\"}", "a::before{content:\"\u{201C}\"}\n"),
  ])
  func `A style sheet of a book keeps what makes it look`(sheet: String, kept: String) {
    #expect(own.rebuild(sheet: sheet) == kept)
  }

  @Test(arguments: [
    "a{background:url(https://evil.example/a)}", "a{background:URL('//evil.example/a')}",
    "a{background:u\\72l(https://evil.example/a)}",
    "a{background:image-set('https://evil.example/a' 1x)}",
    "@import url(https://evil.example/a.css);", "@import 'https://evil.example/a.css';",
    "@font-face{src:url(https://evil.example/a)}", "a{behavior:url(a.htc)}",
    "a{-moz-binding:url(a.xml)}", "a{width:expression(alert(1))}", "a{position:fixed}",
    "a{position:sti\\63ky}", "a{cursor:url(https://evil.example/a)}",
    "a{--x:url(https://evil.example/a);background:var(--x)}", "@charset \"x\";",
    "a{background:/* */url(java\\script:alert(1))}", "@page{margin:0}",
    "@supports (a:b) { c { color: red } }", "a{background:element(#b)}",
    "a{filter:url(https://evil.example/a)}", "a{src:url(a)}", "<!-- @import 'https://x/'; -->",
  ])
  func `A style sheet of a book loses what would act, or lead away`(sheet: String) {
    let rebuilt = own.rebuild(sheet: sheet)
    #expect(!rebuilt.contains("evil") && !rebuilt.contains("{"), "\(rebuilt)")
  }

  @Test func `A style sheet of a book cannot end the element or the rule that it is written in`() {
    let text =
      "p{color:red;content:'</style><script>'} }}} </style> q{color:blue} a[title='\\\"}']{top:0"
    let rebuilt = own.rebuild(sheet: text)
    #expect(!rebuilt.contains("<") && rebuilt.contains("q{color:blue}"))
    #expect(own.rebuild(sheet: rebuilt) == rebuilt)
    #expect(own.rebuild(declarations: "color:red}a{top:0") == nil)
    #expect(own.rebuild(declarations: "color:red;position:fixed;top:0") == "color:red;top:0")
  }

  @Test func `A style sheet of a book is rebuilt to itself`() {
    let text = """
      @namespace epub 'http://www.idpf.org/2007/ops';
      @media screen and (max-width:30em){a\\:b, .c\\31 x>d:not(.e){font:italic bold 1.2em/1.5 "A B",serif!important}}
      #\\31 23{margin:-1px +2px .5em 1e3px}
      """
    let once = own.rebuild(sheet: text)
    #expect(!once.isEmpty && own.rebuild(sheet: once) == once)
  }

  @Test func `A style sheet of a book of any bytes comes out sound and soon`() {
    var state: UInt64 = 42
    let pieces = [
      "{", "}", "(", ")", "\\", "\"", "'", "url(", "@media", "/*", "*/", ";", ":", "a", "\n",
      "\u{0}", "é", "#",
    ]
    for _ in 0..<400 {
      var text = ""
      for _ in 0..<200 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      let once = own.rebuild(sheet: text)
      #expect(own.rebuild(sheet: once) == once)
    }
    let deep = String(repeating: "a(", count: 100_000)
    _ = own.rebuild(sheet: deep + "{" + deep)
  }

  /// With work for each that grows with the size of the whole these would take minutes or hours.
  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "@a;", "@media all{}", "@media all{", "@font-face{}", "-", ":", "a ", "a(", "url(", "(", ")",
      "a>b,", "/*", "\\", "a:b;", "p{color:red}", "@a{", "@a(;", "\"", "\n",
    ])
  func `A style sheet of a book of one piece repeated is rebuilt in time that grows with its size`(
    piece: String
  ) {
    let text = String(repeating: piece, count: (256 << 10) / piece.utf8.count)
    _ = own.rebuild(sheet: text)
    _ = own.rebuild(declarations: text)
    _ = own.rebuild(sheet: "\(text){color:red}")
  }

  @Test func `A style sheet of a book that is larger than any of a real one is left out`() {
    let rule = "p{color:red}"
    let whole = String(repeating: rule, count: StyleList.maximumText / rule.utf8.count)
    #expect(!own.rebuild(sheet: whole).isEmpty)
    #expect(own.rebuild(sheet: whole + rule) == "")
    #expect(own.rebuild(declarations: String(repeating: "color:red;", count: 200_000)) == nil)
  }

  @Test func `Only the first 2000 addresses of a style sheet are looked up`() {
    let many = String(repeating: "@import 'a.css';a{background:url(b)}", count: 5000)
    let kept = own.rebuild(sheet: many)
    #expect(kept.split(separator: "\n").count == 2000)
  }
}
