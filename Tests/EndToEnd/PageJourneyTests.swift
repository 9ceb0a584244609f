import Foundation
import HTTP
import JourneySupport
import TestSupport
import Testing

/// A reader at the pages, over the wire: behind a proxy with TLS, below a base path.
@Suite(.timeLimit(.minutes(5))) struct `A reader at the pages` {
  @Test(arguments: Engine.allCases)
  func `A reader at the pages signs in, searches, borrows, sees it and gives it back`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await RunningGateway.serve(stage) { gateway in
        var browser = PageBrowser(gateway: gateway)
        let locked = try await browser.ask("/lib/")
        #expect(locked.status == 303 && locked.headers["Location"] == "/lib/sign-in")
        let door = try await browser.ask("/lib/sign-in")
        let inside = try await browser.ask(
          "/lib/sign-in",
          form: ["card": Mock.ada, "pin": "1111", "seal": try browser.field("seal", door)])
        #expect(inside.status == 303 && inside.headers["Location"] == "/lib/")

        let query = FormFields([.init("q", title.name)]).encoded
        let found = try await browser.ask("/lib/search?\(query)")
        let text = String(decoding: found.bytes, as: UTF8.self)
        let book = String(try #require(text.firstMatch(of: /class="line" href="([^"]*)"/)).1)
        let page = try await browser.ask(book)
        #expect(try browser.field("do", page) == "borrow")
        var form: FormFields = [:]
        for name in ["do", "library", "item"] { form.add(name, try browser.field(name, page)) }
        // The seal stands in the head of the page, too: any of its forms has it.
        form.add("seal", try browser.field("seal", page))
        let lent = try await browser.ask(book, form: form)
        #expect(lent.status == 303 && lent.headers["Location"] == "\(book)?did=lent&at=city")
        #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])

        let mine = try await browser.ask("/lib/my-books")
        #expect(String(decoding: mine.bytes, as: UTF8.self).contains("days left"))
        let back: FormFields = [
          "do": "return", "library": form["library"] ?? "", "item": form["item"] ?? "",
          "seal": form["seal"] ?? "",
        ]
        #expect(try await browser.ask(book, form: back).status == 303)
        #expect(try await stage.mock.truth().loans(of: Mock.ada).isEmpty)
      }
    }
  }
}
