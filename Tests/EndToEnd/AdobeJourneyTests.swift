import Circulation
import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A book that is locked by Adobe` {
  /// The library of the stage with a vendor of its own, which is this gateway.
  private func vend(_ stage: Stage) throws {
    let secret = stage.key("adobe")
    try Data("a secret of the library and the vendor\n".utf8).write(to: URL(filePath: secret))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
      .replacing(
        "  city:\n",
        with: "  city:\n    adobe_name: CITY\n    adobe_secret_file: \(secret)\n")
    try Data(("adobe:\n  vendor: CARREL\n  node: 0a1b2c3d4e5f\n" + text).utf8)
      .write(to: URL(filePath: stage.settings))
  }

  private func signIn(_ fields: String, _ method: String) -> [UInt8] {
    Array(
      """
      <signInRequest method="\(method)" xmlns="http://ns.adobe.com/adept">\(fields)</signInRequest>
      """.utf8)
  }

  /// One that comes as a token for Adobe's program, and in no open form.
  private func lockedTitle(_ stage: Stage) async throws -> String {
    let state = try await stage.mock.admin(.get, "/state")
    let library = state["libraries"]?.array?.first { $0["id"]?.string == Mock.library }
    let locked = library?["titles"]?.array?.first { title in
      let formats = title["formats"]?.array ?? []
      return (title["available"]?.integer ?? 0) > 0 && formats.contains("ebook-epub-adobe")
        && !formats.contains("ebook-epub-open")
    }
    return try #require(locked?["id"]?.string)
  }

  @Test func `A book that is locked by Adobe is got anew once the token that opens it is over`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let id = try await lockedTitle(stage)
      try await stage.json("borrow", "city:\(id)")
      func got() async throws -> (path: String, token: String) {
        let path = try #require(
          try await stage.json("get", "city:\(id)", "--format", "epub").item["path"]?.string)
        return (path, try String(contentsOfFile: path, encoding: .utf8))
      }
      let (path, token) = try await got()
      #expect(try await got().token == token)
      let end = try #require(token.firstMatch(of: /<expiration>([^<]*)</)?.1)
      let old = token.replacing(end, with: "2026-01-01T00:00:00Z")
      // Files are closed to all but their owner, also to be written.
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try Data(old.utf8).write(to: URL(filePath: path))
      let fresh = try await got().token
      #expect(!fresh.contains("2026-01-01T00:00:00Z") && fresh.contains("<expiration>"))
    }
  }

  @Test(arguments: Engine.allCases)
  func `Adobe's sign-in gives one user for a client token and for the library card`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try vend(stage)
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let id = try await lockedTitle(stage)
      try await stage.json("borrow", "city:\(id)")
      let token = try await RunningGateway.serve(stage) { gateway -> String in
        let app = gateway.app(accept: "application/atom+xml")
        let start = try #require(try await app.ask(gateway.start).feed)
        let shelf = try #require(try await app.follow(start.links.first(.shelf)).feed)
        let keys = shelf.everyPublication.flatMap(\.acquisitions).compactMap { $0.keys?.licensor }
        let licensor = try #require(keys.first)
        #expect(licensor.vendor == "CARREL" && licensor.clientToken.hasPrefix("CITY|"))

        let profile = try await app.ask("\(gateway.start)/profile")
        #expect(profile.headers["Cache-Control"]?.contains("no-store") == true)
        let drm = try JSONValue(parsing: profile.text)["drm"]?.array ?? []
        #expect(drm.map { $0["drm:clientToken"]?.string } == [licensor.clientToken])
        #expect(drm.first?["drm:vendor"] == "CARREL")

        let adobe = gateway.app(credentials: false)
        func ask(_ name: String, _ body: [UInt8]) async throws -> String {
          let answer = try await adobe.ask(
            "\(gateway.site)/AdobeAuth/\(name)", .post, ["Content-Type": "application/xml"],
            body: body)
          #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store")
          return answer.text
        }
        let users = [
          try await ask(
            "SignIn", signIn("<authData>\(licensor.clientToken)</authData>", "authData")),
          try await ask(
            "SignIn",
            signIn(
              "<username>\(Mock.ada)</username><password>1111</password>", "standard")),
        ].map { $0.firstMatch(of: /<user>(urn:uuid:0[0-9a-f-]*-0a1b2c3d4e5f)<\/user>/)?.1 }
        #expect(users[0] != nil && users[0] == users[1])
        let wrong = try await ask(
          "SignIn",
          signIn("<username>\(Mock.ada)</username><password>2222</password>", "standard"))
        #expect(wrong.contains("data=\"E_CARREL_AUTH "))
        let user = users[0].map(String.init) ?? ""
        let about = try await ask(
          "AccountInfo",
          Array(
            """
            <accountInfoRequest xmlns="http://ns.adobe.com/adept"><user>\(user)</user></accountInfoRequest>
            """.utf8))
        #expect(about.contains("Delegated account ID"))
        #expect(try await adobe.ask("\(gateway.site)/AdobeAuth/Status").text.contains("UP"))

        // The reader sees that there is one, and can begin anew.
        var browser = PageBrowser(gateway: gateway)
        try await browser.signIn(Mock.ada, "1111")
        let cards = try await browser.ask("/lib/accounts")
        let path = String(
          try #require(cards.text.firstMatch(of: /href="(\/lib\/accounts\/of\/[^"\/]*)"/)?.1))
        #expect(try await browser.ask(path).text.contains("programs were activated with it"))
        let numbers = try await stage.rows("SELECT anonymous FROM adobe_reader")
        #expect(try await browser.post(path, ["do": "adobe"]).status == 303)
        // Another one is made with the next look at the loan.
        _ = try await browser.ask(path)
        let others = try await stage.rows("SELECT anonymous FROM adobe_reader")
        #expect(!numbers.isEmpty && !others.contains { numbers.contains($0) })
        return licensor.clientToken
      }
      let rows = try await stage.tables().asyncMap { try await stage.rows("SELECT * FROM \($0)") }
      #expect(!"\(rows)".contains(token))
    }
  }
}

extension Array {
  fileprivate func asyncMap<T>(_ change: (Element) async throws -> T) async throws -> [T] {
    var changed: [T] = []
    for one in self { changed.append(try await change(one)) }
    return changed
  }
}
