import Crypto
import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// A patron, or an app with a limited password, stores so much that the disk or the memory of the gateway
/// is full.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A patron who stores too much` {
  @Test(arguments: Engine.allCases)
  func `thousands of long notes in one book make no page of the reader large`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      _ = try await stage.furnish()
      let item = try #require(try await stage.rows("SELECT item FROM book_holder").first?.first)
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let book = "/read/city/\(item)"
        let page = String(decoding: try await ada.send("\(book)/0").body, as: UTF8.self)
        let seal = String(try #require(page.firstMatch(of: /name="seal" value="([^"]*)"/)).1)
        func write(_ length: Int, _ ada: inout Visitor) async throws -> Int {
          try await ada.send(
            book,
            form: [
              "do": "highlight", "section": "0", "start": "0", "end": "3", "color": "yellow",
              "note": String(repeating: "&", count: length), "seal": seal,
            ]
          ).status.code
        }
        #expect(try await write(10_001, &ada) == 422)
        #expect(try await write(21_000, &ada) == 422)
        // The book is full of text long before it has as many notes as it may have.
        var answers: [Int] = []
        for _ in 0..<120 { answers.append(try await write(10_000, &ada)) }
        #expect(answers.count { $0 == 303 } < 100 && answers.last == 409)
        #expect(answers.count { $0 == 303 } > 90)

        let notes = try await ada.send("\(book)/notes")
        #expect(notes.status.code == 200 && notes.body.count < 1_300_000)
        let text = String(decoding: notes.body, as: UTF8.self)
        #expect(text.contains("notes?page=2"))
        let last = try await ada.send("\(book)/notes?page=99999")
        #expect(last.status.code == 200 && last.body.count < 1_300_000)
        let marks = try await ada.send("\(book)/0/marks")
        #expect(marks.status.code == 200 && marks.body.count < 300_000)

        // What is stored comes out whole.
        let file = try await ada.post(
          "/settings/export", to: "/settings/export/notes", ["format": "json"])
        #expect(file.body.count > answers.count { $0 == 303 } * 10_000)
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `an app password stores six hundred places in ten minutes, and no long ones`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let device = try await stage.json("admin", "device", "add", "reader", "--scope", "sync")
      let password = try #require(device.item["password"]?.string)
      try await RunningGateway.serve(stage) { gateway in
        let headers: Headers = [
          "Content-Type": "application/json", "x-auth-user": Mock.ada,
          "x-auth-key": Hex.encode(Digest.md5.hash(Array(password.utf8))),
        ]
        func put(_ number: Int, _ place: String, _ app: inout Visitor) async throws
          -> HTTPClient.Reply
        {
          let body = """
            {"document":"\(number)","progress":"\(place)","percentage":0.5,"device":"K",\
            "device_id":"d"}
            """
          return try await app.send(
            "/opds/kosync/syncs/progress", .put, headers, body: Array(body.utf8))
        }
        var app = Visitor(gateway)
        let long = try await put(0, String(repeating: "x", count: 2_049), &app)
        #expect(long.status.code == 400)
        var answers: [Int] = []
        for number in 1...605 { answers.append(try await put(number, "/p", &app).status.code) }
        #expect(answers.prefix(599).allSatisfy { $0 == 200 })
        #expect(answers.suffix(5).allSatisfy { $0 == 429 })
        let refused = try await put(1, "/p", &app)
        #expect(refused.headers["Retry-After"] != nil)
        // To read is no change.
        let read = try await app.send("/opds/kosync/syncs/progress/1", .get, headers)
        #expect(read.status.code == 200)
        let stored = try await stage.rows("SELECT count(*) FROM reading_place")
        #expect(stored == [["599"]])
      }
    }
  }

  @Test(arguments: Engine.allCases)
  func `a patron makes two hundred lists and fifty app passwords, and is told when it is enough`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("list", "create", "first")
      try await stage.json("admin", "device", "add", "first")
      // As if they had been made one by one.
      let patron = try #require(
        try await stage.rows("SELECT patron FROM reading_list").first?.first)
      let rows = (1..<200).map { "('l\($0)', '\(patron)', 'L\($0)', 'l\($0)', 1, 1, 1)" }
      _ = try await stage.rows(
        """
        INSERT INTO reading_list (id, patron, name, folded_name, made_at, edited_at, version)
        VALUES \(rows.joined(separator: ", "))
        """)
      let list = try await stage.carrel("list", "create", "one more", "--json")
      #expect(list.code == 6 && list.failure["code"] == "limit_reached")
      try await RunningGateway.serve(stage) { gateway in
        var ada = Visitor(gateway)
        #expect(try await ada.signIn(Mock.ada, "1111") == 303)
        let page = "/settings/devices"
        var answers: [Int] = []
        for number in 1...51 {
          answers.append(
            try await ada.post(page, ["do": "add", "name": "d\(number)", "scope": "read"])
              .status.code)
        }
        #expect(answers.prefix(49).allSatisfy { $0 == 200 })
        #expect(answers.suffix(2).allSatisfy { $0 == 422 })
        let refused = try await ada.post(
          page, ["do": "add", "name": "more", "scope": "read"])
        let text = String(decoding: refused.body, as: UTF8.self)
        #expect(text.contains("You have 50 app passwords: this gateway stores no more."))
      }
      #expect(try await stage.rows("SELECT count(*) FROM registry_device") == [["50"]])
    }
  }
}
