import Foundation
import HTTP
import HTTPClient
import TestSupport
import Testing

/// A reader at the pages, over the wire: behind a proxy with TLS, below a base path.
@Suite(.timeLimit(.minutes(5))) struct `A reader at the pages` {
  /// Keeps what cookies it is given, and follows nothing by itself.
  private struct Browser {
    let gateway: RunningGateway
    var cookies: [String: String] = [:]

    mutating func ask(_ path: String, form: FormFields? = nil) async throws -> FeedApp.Answer {
      let app = gateway.app(accept: "text/html", credentials: false)
      let root = gateway.site.dropLast("/lib".count)
      var headers: Headers = [
        "Cookie": cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
          .joined(separator: "; ")
      ]
      if form != nil { headers.set("Content-Type", MediaType.form.description) }
      let answer = try await app.ask(
        root + path, form == nil ? .get : .post, headers, body: form.map { Array($0.encoded.utf8) },
        redirects: .returned)
      for field in answer.headers.all("Set-Cookie") {
        #expect(field.contains("; Secure") && field.contains("; Path=/lib;"))
        #expect(field.contains("; HttpOnly") && field.contains("; SameSite=Lax"))
        let pair = field.prefix { $0 != ";" }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1])
      }
      return answer
    }
  }

  private func field(_ name: String, _ answer: FeedApp.Answer) throws -> String {
    let text = String(decoding: answer.bytes, as: UTF8.self)
    let found = text.firstMatch(of: try Regex("name=\"\(name)\" value=\"([^\"]*)\""))
    return String(try #require(found?.output[1].substring))
  }

  @Test(arguments: Engine.allCases)
  func `signs in, searches, borrows, sees it and gives it back`(engine: Engine) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await RunningGateway.serve(stage) { gateway in
        var browser = Browser(gateway: gateway)
        let locked = try await browser.ask("/lib/")
        #expect(locked.status == 303 && locked.headers["Location"] == "/lib/sign-in")
        let door = try await browser.ask("/lib/sign-in")
        let inside = try await browser.ask(
          "/lib/sign-in",
          form: ["card": Mock.ada, "pin": "1111", "seal": try field("seal", door)])
        #expect(inside.status == 303 && inside.headers["Location"] == "/lib/")

        let query = FormFields([.init("q", title.name)]).encoded
        let found = try await browser.ask("/lib/search?\(query)")
        let text = String(decoding: found.bytes, as: UTF8.self)
        let book = String(try #require(text.firstMatch(of: /class="line" href="([^"]*)"/)).1)
        let page = try await browser.ask(book)
        #expect(try field("do", page) == "borrow")
        var form: FormFields = [:]
        for name in ["do", "library", "item"] { form.add(name, try field(name, page)) }
        // The seal stands in the head of the page, too: any of its forms has it.
        form.add("seal", try field("seal", page))
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
