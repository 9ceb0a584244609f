import Circulation
import HTTP
import JSON
import MockKit
import ProviderKit
import Secrets
import Testing

@testable import OpenLibrary

@Suite(.serialized) struct `Signing in to Open Library` {
  private func form(_ password: String) -> Credentials {
    Credentials(["email": Secret("ada@example.org"), "password": Secret(password)])
  }

  @Test(arguments: [true, false])
  func `Signing in to Open Library takes keys or a password, however the cookie is written`(
    _ isEncoded: Bool
  ) async throws {
    try await Played.run { played in
      played.set("encoded_cookie", .bool(isEncoded))
      for credentials in [Played.keys, form("1111")] {
        let adapter = try played.adapter(credentials)
        _ = try await adapter.checkAccount(in: played.call)
        #expect(try await !adapter.wholeList(.wanted, in: played.call).entries.isEmpty)
      }
      #expect(played.requests.count { $0.path.last == "login" } == 2)
    }
  }

  @Test(arguments: [200, 400])
  func `the Open Library sign-in recognizes a wrong password from the returned web page`(
    _ status: Int
  ) async throws {
    try await Played.run { played in
      played.set("form_status", .integer(status))
      let refused = try await reason {
        _ = try await played.adapter(form("2222")).checkAccount(in: played.call)
      }
      #expect(refused == .credentialsRejected)
    }
  }

  @Test(arguments: [nil, Credentials(["access": Secret("x")])])
  func `Signing in to Open Library needs a whole pair`(_ credentials: Credentials?) async throws {
    try await Played.run { played in
      let refused = try await reason {
        _ = try await played.adapter(credentials).lists(in: played.call)
      }
      #expect(refused == .credentialsRejected && played.requests.isEmpty)
    }
  }

  @Test func `Signing in to Open Library happens anew where a cookie is not taken any more`()
    async throws
  {
    try await Played.run { played in
      let (adapter, book) = (try played.adapter(), played.books(on: "want-to-read")[0])
      _ = try await adapter.lists(in: played.call)
      played.forgetVisitors()
      let entry = ListEntry(item: ItemID(book), title: "x")
      try await adapter.add(entry, to: .read, in: played.call)
      #expect(played.books(on: "already-read").contains(book))
    }
  }

  @Test func `Signing in to Open Library opens a log that is private, also after a cookie ran out`()
    async throws
  {
    try await Played.run { played in
      played.inLists { room, _ in room.change(Played.card) { $0.isPrivate = true } }
      let adapter = try played.adapter()
      for _ in 0..<2 {
        #expect(try await !adapter.wholeList(.wanted, in: played.call).entries.isEmpty)
        played.forgetVisitors()
      }
    }
  }

  @Test func `Signing in to Open Library is of no use to a reader who is there no more`()
    async throws
  {
    try await Played.run { played in
      let adapter = try played.adapter()
      _ = try await adapter.checkAccount(in: played.call)
      played.inLists { room, _ in room.change(Played.card) { $0.name = "Zoe" } }
      let refused = [
        try await reason { _ = try await adapter.checkAccount(in: played.call) },
        try await reason { _ = try await adapter.wholeList(.wanted, in: played.call) },
      ]
      #expect(refused == [.credentialsRejected, .credentialsRejected])
    }
  }

  @Test func `the Open Library adapter sends a contact in each request and logs no user name`()
    async throws
  {
    try await Played.run { played in
      let adapter = try played.adapter()
      _ = try await adapter.lists(in: played.call)
      _ = try await adapter.wholeList(.wanted, in: played.call)
      _ = try await adapter.wholeList(.own, in: played.call)
      #expect(
        played.requests.allSatisfy {
          $0.headers["User-Agent"] == "Carrel (librarian@example.org)"
        })
      #expect(played.requests.contains { $0.path.contains("ada") })
      #expect(!played.journal.isEmpty && !played.journal.contains { $0.contains("ada") })
    }
  }

  @Test(arguments: ["", "nobody", "a@b\r\nX: y", "a b@c.example"])
  func `Signing in to Open Library is not begun without somebody to turn to`(_ contact: String)
    throws
  {
    let library = Library(
      id: LibraryID("l"), provider: ProviderID("open-library"), name: "L",
      endpoints: ["api": try Address("https://books.example")], settings: ["contact": contact])
    #expect(throws: SettingsFault.self) { try Settings(library, nil) }
  }

  @Test(arguments: [
    "session=/people/ada%2C2026%2Cx%24y; Path=/", "session=\"/people/ada,2026,x$y\"",
    "session=%2Fpeople%2Fada%2C2026",
  ])
  func `Signing in to Open Library reads who somebody is from the cookie`(_ line: String) {
    #expect(
      Visitor(Headers([.init("Set-Cookie", "pd=1"), .init("set-cookie", line)]))?.user == "ada")
  }

  @Test(arguments: ["session=; Path=/", "session=/people/%2C2026", "sessions=/people/ada", "x"])
  func `Signing in to Open Library believes no cookie that names nobody`(_ line: String) {
    #expect(Visitor(Headers([.init("Set-Cookie", line)])) == nil)
  }
}
