import BrowserSupport
import JSON
import JourneySupport
import TestSupport
import Testing

/// What the shelves do under a finger and under keys, with script and without.
@Suite(.timeLimit(.minutes(10))) struct `The shelves in a browser` {
  @Test func `ignoring a book asks first, in place or on a page of its own`()
    async throws
  {
    try await Scenery.open { scenery, browser in
      let search = "/search?q=\(scenery.word)"
      try await browser.page(.phone) { page in
        try await page.signIn(at: scenery.site)
        try await page.open(scenery.site + "/lanes/popular?sort=title")
        let title = try await page.evaluate(Self.firstTitle)
        try await page.click("main li a.ignore")
        try await page.holds("document.querySelector('#ignoring').open")
        try await page.breaksNoRule()
        // The safe answer has the focus, and the question names the book.
        #expect(try await page.evaluate("document.activeElement.value") == "no")
        let named = try await page.evaluate("document.querySelector('#ignoring q').textContent")
        #expect(named == title)
        try await page.press("Escape")
        try await page.holds("!document.querySelector('#ignoring').open")
        #expect(try await page.evaluate(Self.firstTitle) == title)
        try await page.click("main li a.ignore")
        try await page.tab(to: "#ignoring [value=yes]", most: 4)
        try await page.press("Enter")
        try await page.holds("document.querySelector('.toast button')")
        #expect(try await page.evaluate(Self.firstTitle) != title)
        try await page.click(".toast button")
        try await page.holds("\(Self.firstTitle) === \(BrowserPage.quoted(title.string ?? ""))")
        #expect(page.faults == [])
      }
      try await browser.page(.phone.plain) { page in
        try await page.signIn(at: scenery.site)
        try await page.open(scenery.site + search)
        try await page.following { try await page.click("main li a.ignore") }
        try await page.following { try await page.click("main button[value=ignore]") }
        try await page.holds("document.querySelector('[role=status] button[value=unignore]')")
        #expect(
          try await page.evaluate("document.querySelector('main').innerText").string?
            .contains("Ignored") == true)
        try await page.following { try await page.click("[role=status] button") }
        try await page.holds("document.querySelector('[role=status] button[value=ignore]')")
      }
    }
  }

  @Test func `a long press lifts a cover, and a quick swipe scrolls`() async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(.phone) { page in
        try await page.signIn(at: scenery.site)
        func cover() async throws -> (x: Double, y: Double) {
          // Where it is when the page has come to rest: a swipe goes on after the finger, past it even.
          let place = try await page.evaluate(
            """
            (async () => { const e = document.querySelector(".row li:has(.ignore) .cover");
              for (let y, calm = 0; calm < 5; y = scrollY) {
                e.scrollIntoView({block: "center", behavior: "instant"});
                await new Promise(r => setTimeout(r, 50)); calm = y === scrollY ? calm + 1 : 0 }
              const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]
            })()
            """)
          return (place[0]?.double ?? 0, place[1]?.double ?? 0)
        }
        let quick = try await cover()
        try await page.swipe(from: quick, to: (quick.x, quick.y - 120))
        #expect(try await page.evaluate("document.querySelector('#ignoring').open") == false)
        // As on a slow phone, where the page's timer ends before the page hears of the movement.
        let late = try await cover()
        try await page.swipe(from: late, to: (late.x, late.y - 120)) {
          try await page.holds("document.querySelector('.lifted')")
        }
        #expect(try await page.evaluate("document.querySelector('#ignoring').open") == false)
        #expect(try await page.evaluate("document.querySelector('.lifted')") == .null)
        let (x, y) = try await cover()
        try await page.touch("touchStart", x, y)
        try await page.holds("document.querySelector('.lifted')")
        for dy in stride(from: -20.0, through: -100, by: -20) {
          try await page.touch("touchMove", x, y + dy)
        }
        try await page.touch("touchEnd", x, y - 100)
        try await page.holds("document.querySelector('#ignoring').open")
        #expect(try await page.evaluate("document.querySelector('.lifted')") == .null)
        #expect(page.faults == [])
      }
    }
  }

  @Test
  func `the keys j and k walk through the shelves unless the reader types or turned them off`()
    async throws
  {
    try await Scenery.open { scenery, browser in
      try await browser.page(.desk) { page in
        try await page.signIn(at: scenery.site)
        try await page.press("j")
        let first = try await page.evaluate("document.activeElement.href")
        #expect(first.string?.contains("/works/") == true)
        try await page.press("j")
        #expect(try await page.evaluate("document.activeElement.href") != first)
        try await page.press("k")
        #expect(try await page.evaluate("document.activeElement.href") == first)
        try await page.press("/")
        #expect(try await page.evaluate("document.activeElement.id") == "q")
        try await page.press("j")
        #expect(try await page.evaluate("document.activeElement.value") == "j")
        try await page.evaluate("document.activeElement.blur()")
        try await page.press("?")
        try await page.holds("document.querySelector('#keys').open")
        try await page.breaksNoRule()
        try await page.click("#keys input")
        try await page.press("Escape")
        try await page.evaluate("document.activeElement.blur()")
        try await page.press("j")
        #expect(try await page.evaluate("document.activeElement.tagName") == "BODY")
        // Switched on again by its button, which stands there for those who have no such key.
        try await page.click("[data-help]")
        try await page.click("#keys input")
        try await page.press("Escape")
        try await page.open(scenery.site + scenery.book)
        try await page.following { try await page.press("b") }
        try await page.holds("document.querySelector('[role=status]')")
        #expect(page.faults == [])
      }
    }
  }

  @Test func `The shelves in a browser suggest while one types`() async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(.phone) { page in
        try await page.signIn(at: scenery.site)
        try await page.click("#q")
        try await page.type(String(scenery.word.prefix(4)))
        try await page.holds("document.querySelector('#hints option')")
        let offered = try await page.evaluate(
          "[...document.querySelectorAll('#hints option')].map(o => o.value).join('|')")
        #expect(offered.string?.contains(scenery.word) == true)
        #expect(page.faults == [])
      }
    }
  }

  @Test(arguments: [Screen.phone, .desk.plain])
  func `a borrowed book is downloaded without a click, and its progress is shown`(screen: Screen)
    async throws
  {
    try await Scenery.open { scenery, browser in
      try await browser.page(screen) { page in
        try await page.signIn(at: scenery.site)
        try await page.open(scenery.site + scenery.book)
        try await page.following {
          try await page.click("main form:has([value=borrow]) button")
        }
        try await page.open(scenery.site + "/my-books")
        try await page.breaksNoRule()
        if screen.runsScript {
          // Nobody touches anything.
          try await page.holds(Self.twoFiles, within: .seconds(40))
          #expect(try await page.evaluate("document.querySelector('#queue')") == .null)
        } else {
          try await page.eventually("the book was to come", within: .seconds(40)) {
            try await page.open(scenery.site + "/my-books")
            return try await page.evaluate(Self.twoFiles) == true
          }
        }
        #expect(
          try await page.evaluate("!!document.querySelector('#mine a[href*=\"/read/\"]')") == true)
        try await page.breaksNoRule()
        #expect(try await page.overflow() <= 0)
        try await page.open(scenery.site + scenery.book)
        try await page.breaksNoRule()
        for place in ["summary", ".asides details:nth-of-type(2) summary"] {
          try await page.click(place)
        }
        #expect(try await page.overflow() <= 0)
        try await page.breaksNoRule()
        #expect(page.faults == [])
      }
    }
  }

  @Test(arguments: [Screen.phone, .desk.plain])
  func `The shelves in a browser are dark or light as one wishes`(screen: Screen) async throws {
    try await Scenery.open { scenery, browser in
      try await browser.page(screen) { page in
        let paper = "getComputedStyle(document.body).backgroundColor"
        try await page.signIn(at: scenery.site)
        let light = try await page.evaluate(paper)
        try await page.following { try await page.click(".looks [value=dark]") }
        #expect(try await page.evaluate(paper) != light)
        try await page.breaksNoRule()
        try await page.open(scenery.site + "/lanes/popular")
        #expect(try await page.evaluate(paper) != light)
        try await page.following { try await page.click(".looks [value=device]") }
        #expect(try await page.evaluate(paper) == light)
      }
    }
  }

  /// One was there before.
  private static let twoFiles = "document.querySelectorAll('#mine a[download]').length == 2"
  private static let firstTitle = "document.querySelector('main li .title').textContent"
}
