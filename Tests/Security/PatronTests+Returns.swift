import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A patron who returned a book` {
  @Test(arguments: Engine.allCases)
  func `a book that was returned is neither read nor downloaded a moment later`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      let title = try await stage.furnish()
      let work = try #require(try await stage.json("explain", title).item["id"]?.string)
      let item = try #require(try await stage.rows("SELECT item FROM book_holder").first?.first)
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let page = try await ada.send("/read/city/\(item)/0")
        let text = String(decoding: page.body, as: UTF8.self)
        let part = String(try #require(text.firstMatch(of: /src="\/lib(\/book\/[^"#]*)/)?.1))
        let addresses = [part, "/files/city/\(item)", "/read/city/\(item)/0"]
        for address in addresses {
          #expect(try await ada.send(address).status.code == 200, "\(address)")
        }
        let pair = Data("\(Mock.ada):1111".utf8).base64EncodedString()
        var app = Visitor(gateway)
        let returned = try await app.send(
          "/opds/works/\(work)/city/\(item)/revoke", .post, ["Authorization": "Basic \(pair)"])
        #expect(returned.status.isSuccess, "\(String(decoding: returned.body, as: UTF8.self))")
        for address in addresses {
          #expect([403, 404].contains(try await ada.send(address).status.code), "\(address)")
        }
      }
    }
  }
}
