import Barcodes
import BrowserSupport
import Images
import JSON
import JourneySupport
import TestSupport
import Testing

/// A reader's own pages with the real gateway and a library that really takes cards, in Chromium.
@Suite(.timeLimit(.minutes(5))) struct `A reader's own pages` {
  private let photos: TemporaryFolder

  init() throws { photos = try TemporaryFolder() }

  @Test(arguments: [Screen.phone, .desk.plain])
  func `a reader signs in with a photo of the card and links another by keyboard alone`(
    screen: Screen
  ) async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let photo = try photos.write(try Self.photo(of: Mock.ada), to: "card.jpg")
      try await RunningGateway.serve(stage) { gateway in
        try await Browser.use { browser in
          try await browser.page(screen) { page in
            let site = gateway.site
            try await page.open(site + "/sign-in")
            try await page.click("main details summary")
            try await page.choose(photo, in: "#photo")
            try await page.following { try await page.click("main details form button") }
            #expect(
              try await page.evaluate("document.querySelector('#card').value") == .string(Mock.ada))
            try await page.click("#pin")
            try await page.type("1111")
            try await page.following { try await page.press("Enter") }
            #expect(try await !page.address().contains("sign-in"))

            try await page.open(site + "/accounts/new?at=city")
            try await page.tab(to: "#with-card")
            try await page.type(Mock.bruno)
            try await page.tab(to: "#with-pin")
            try await page.type("9999")
            try await page.following { try await page.press("Enter") }
            try await page.holds("document.querySelector('#with-pin[aria-invalid=true]')")
            try await page.breaksNoRule()
            try await page.tab(to: "#with-pin")
            try await page.type("2222")
            try await page.following { try await page.press("Enter") }
            try await page.holds("document.querySelector('[role=status]')")
            #expect(
              try await page.evaluate("document.querySelectorAll('.tiles > li').length") == 2)

            try await page.open(site + "/profile")
            try await page.tab(to: ".wallet a")
            try await page.following { try await page.press("Enter") }
            try await page.tab(to: "main form button")
            try await page.following { try await page.press("Enter") }
            try await page.holds("document.querySelector('img.bars')?.naturalWidth > 0")
            try await page.breaksNoRule()
            #expect(try await page.overflow() <= 0)

            try await page.open(site + "/profile")
            try await page.tab(to: ".leave")
            try await page.following { try await page.press("Enter") }
            try await page.tab(to: "main form button")
            try await page.following { try await page.press("Enter") }
            try await page.open(site + "/profile")
            #expect(try await page.address().contains("/sign-in"))
          }
        }
      }
    }
  }

  private static func photo(of number: String) throws -> [UInt8] {
    let bars = try #require(Barcode(number, .usual(for: number)))
    let unit = 3
    let sheet = try Picture(width: (bars.bars.count + 60) * unit, height: 300, Color(0xF4F2EC))
    for (place, isDark) in bars.bars.enumerated() where isDark {
      sheet.fill(x: (place + 30) * unit, y: 60, width: unit, height: 180, Color(0x202020))
    }
    return try sheet.jpeg(quality: 70)
  }
}
