import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import MockKit
import Secrets
import TestSupport
import Testing

/// What is in a copy of the database, or in a backup that is not encrypted.
private struct Copy {
  let key: [UInt8]
  let patron: String
  let account: String
  let item: String
  let digest: String

  init(_ stage: Stage) async throws {
    let key = try await stage.rows(
      stage.engine == .sqlite
        ? "SELECT hex(key) FROM facade_key" : "SELECT encode(key, 'hex') FROM facade_key")
    self.key = try Hex.decode(try #require(key.first?.first).lowercased())
    let held = try await stage.rows("SELECT patron, account, item, digest FROM book_holder")
    let row = try #require(held.first { $0.count == 4 })
    (patron, account, item, digest) = (row[0], row[1], row[2], row[3])
  }

  static let farAway = "253402300000000"

  /// As tickets were signed when the key stood in the database.
  func sign(_ words: [String]) -> String {
    let text = words.map { "\($0.utf8.count):\($0)" }.joined()
    let mark = Digest.sha256.authenticate(Array(text.utf8), key: Secret(key))
    return Hex.encode(Array(mark.prefix(16)))
  }

  private func encoded(_ words: [String]) -> String {
    Base64.urlSafe.encode(Array(words.joined(separator: "\n").utf8))
  }

  /// With the two parts that tickets had.
  var old: String {
    let body = encoded([patron, account, item, digest, Self.farAway])
    return "\(body).\(sign(["book part", body]))"
  }

  /// With the three parts of today, for a session whose mark is in the database too.
  func new(session: String) -> String {
    let book = encoded([patron, account, item, digest])
    let until = Int64(Date.now.timeIntervalSince1970 * 1000) + 3_600_000
    let bounds = encoded([session, "\(until)"])
    return "\(book).\(bounds).\(sign(["book part", book, bounds]))"
  }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct `A thief of the database` {
  /// The address of a part as an open page of the book has it.
  private func part(_ visitor: inout Visitor, _ library: String, _ item: String) async throws
    -> String
  {
    let page = try await visitor.send("/read/\(library)/\(item)/0")
    let text = String(decoding: page.body, as: UTF8.self)
    let source = try #require(text.firstMatch(of: /src="\/lib(\/book\/[^"#]*)/)?.1, "\(text)")
    return String(source)
  }

  private func attack(_ stage: Stage, library: String) async throws {
    try await RunningGateway.serve(stage) { gateway in
      let copy = try await Copy(stage)
      var thief = Visitor(gateway, at: "203.0.113.66")
      #expect(try await thief.send("/book/\(copy.old)/s/0").status.code == 403)

      var ada = Visitor(gateway)
      #expect(try await ada.signIn(Mock.ada, "1111") == 303)
      let source = try await part(&ada, library, copy.item)
      #expect(try await ada.send(source).status.code == 200)
      #expect(try await thief.send(source).status.code == 403)
      let marks = try await stage.rows(
        stage.engine == .sqlite
          ? "SELECT hex(mark) FROM registry_pass" : "SELECT encode(mark, 'hex') FROM registry_pass")
      let session = String(try #require(marks.last?.first).lowercased().prefix(32))
      let forged = copy.new(session: session)
      #expect(try await ada.send("/book/\(forged)/s/0").status.code == 403)

      // A ticket whose time somebody wrote anew.
      let words = source.split(separator: "/")
      let ticket = words[1].split(separator: ".").map(String.init)
      var changed = ticket
      changed[ticket.count - 2] = Base64.urlSafe.encode(
        Array("\(session)\n\(Copy.farAway)".utf8))
      let longer = source.replacing(
        ticket.joined(separator: "."), with: changed.joined(separator: "."))
      #expect(try await ada.send(longer).status.code == 403)

      // Another session of the same patron, at the same loan.
      var phone = Visitor(gateway, at: "203.0.113.2")
      #expect(try await phone.signIn(Mock.ada, "1111") == 303)
      let other = try await part(&phone, library, copy.item)
      #expect(other != source)
      #expect(try await phone.send(source).status.code == 403)
      var copied = ada
      #expect(try await ada.post("/sign-out", [:]).status.code == 303)
      #expect(try await copied.send(source).status.code == 403)
      #expect(try await phone.send(other).status.code == 200)
    }
  }

  @Test(arguments: Engine.allCases)
  func `a copy of the database opens no book, and a book's address ends with its session`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      try await attack(stage, library: "city")
    }
  }

  @Test(arguments: Engine.allCases)
  func `a book that was opened with an app password closes when the password is revoked`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      let told = try await stage.json("admin", "device", "add", "phone")
      let word = try #require(told.item["password"]?.string)
      try await RunningGateway.serve(stage) { gateway in
        let copy = try await Copy(stage)
        var ada = Visitor(gateway)
        #expect(try await ada.signIn("reader", word) == 303)
        let source = try await part(&ada, "city", copy.item)
        #expect(try await ada.send(source).status.code == 200)
        try await stage.json("admin", "device", "revoke", "phone", "--yes")
        #expect(try await ada.send(source).status.code == 403)
        #expect(try await ada.send("/my-books").status.code == 303)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a copy of the database and the log do not show which patron a line is about`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      try await RunningGateway.serve(stage) { gateway in
        let copy = try await Copy(stage)
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        #expect(try await ada.send("/my-books").status.code == 200)
        let log = gateway.log
        let name = try #require(log.firstMatch(of: /patron_hash"?[=:]"?([0-9a-f]{12})/)?.1)
        for text in ["carrel/log/\(copy.patron)", copy.patron] {
          let mark = Digest.sha256.authenticate(Array(text.utf8), key: Secret(copy.key))
          #expect(Hex.encode(Array(mark.prefix(6))) != String(name))
          #expect(!log.contains(Hex.encode(Array(mark.prefix(6)))))
        }
      }
    }
  }
}
