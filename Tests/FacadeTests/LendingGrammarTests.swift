import Circulation
import Foundation
import FrontDesk
import HTTP
import JSON
import OPDS
import ReadingLists
import Registry
import TestSupport
import Testing

@testable import Facade

@Suite struct `Every document of lending` {
  /// Ada's list becomes a librarian's, with a book that no library has; Bob shares one.
  private func share(_ address: String, _ room: LendingRoom) async throws {
    let id = ListID(try #require(address.split(separator: "/").last.map { String($0) }))
    let ada = room.ada.patron
    _ = try await room.lists.share(id, of: ada, with: .everyone, by: "Ms. <Oak>")
    _ = try await room.lists.add(ListedBook(work: nil, title: "Nowhere & back"), to: id, of: ada)
    _ = try await room.lists.create(named: "Bob's", for: room.bob.patron, sharing: .friends)
    room.watch.forget()
  }

  /// A reader's way through all of it, and what was answered on it.
  private func walk(_ room: LendingRoom, _ accept: Headers) async throws -> [LendingRoom.Answer] {
    var answers: [LendingRoom.Answer] = []
    func ask(
      _ address: String, _ headers: Headers = accept, _ method: HTTP.Method = .get,
      body: [UInt8] = []
    ) async throws -> LendingRoom.Answer {
      let answer = try await room.ask(
        address, method, as: LendingRoom.adaCard, headers, body: body)
      #expect((200..<300).contains(answer.status), "\(address): \(answer.text)")
      answers.append(answer)
      return answer
    }
    var small = accept
    small.set("User-Agent", "KOReader/1")
    let start = try #require(try await ask("/opds").feed)
    let shelf = try #require(start.links.first(.shelf)).href
    for title in ["Here", "Out"] {
      let found = try #require(try await ask("/opds/search?q=\(title)").feed)
      let book = try #require(found.everyPublication.first)
      _ = try await ask(try #require(book.document).href)
      let borrow = try #require(book.acquisitions.first).link.href
      let lent = try #require(try await ask(borrow).entry)
      _ = try await ask(shelf)
      guard accept["Accept"]?.contains("atom") == true else {
        _ = try await ask(try #require(lent.links.first(.revoke)).href)
        continue
      }
      let lines = try #require(try await ask("/opds/search?q=\(title)", small).feed)
      let line =
        lines.navigation.first?.target ?? lines.publications.first?.links.first(.subsection)
      let page = try #require(line).href
      let mine = try #require(try await ask(page, small).feed)
      _ = try await ask(shelf, small)
      let undo = mine.navigation.first {
        $0.title.hasPrefix("Return") || $0.title.hasPrefix("Cancel")
      }
      _ = try await ask(try #require(undo?.target).href, small)
      _ = try await ask(page, small)
    }
    let lists = try #require(start.navigation.first { $0.title == "Your lists" }?.target).href
    var post = accept
    post.set("Content-Type", "application/json")
    let made = try await ask(lists, post, .post, body: Array(#"{"title":"Mine"}"#.utf8))
    let list = try #require(made.head["Location"])
    _ = try await ask(list)
    let id = try await room.book("Here").id
    let added = try await ask(
      list, post, .post, body: Array(#"{"id":"\#(id)","note":"for May"}"#.utf8))
    _ = try await ask(try #require(added.head["Location"]))
    try await share(list, room)
    _ = try await ask(list)
    for road in ["Your lists", "From librarians", "From friends"] {
      let start = try #require(try await ask("/opds").feed)
      let lane = try #require(start.navigation.first { $0.title == road }?.target)
      let lists = try #require(try await ask(lane.href).feed)
      for line in lists.navigation { _ = try await ask(try #require(line.target).href) }
    }
    _ = try await ask(list)
    _ = try await ask(lists)
    return answers
  }

  @Test func `every Atom document of lending conforms to the RELAX NG grammar`() async throws {
    let grammar = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures/opds-1.2.rng").path()
    try await LendingRoom.open { room in
      let answers = try await walk(room, ["Accept": "application/atom+xml"])
      try await withTemporaryFolder { folder in
        var files: [String] = []
        for (place, answer) in answers.enumerated() {
          #expect(answer.head["Content-Type"]?.hasPrefix("application/atom+xml") == true)
          try folder.write(answer.bytes, to: "\(place).xml")
          files.append(folder.path("\(place).xml"))
        }
        #expect(files.count > 20)
        let checked = try await run(
          "xmllint", ["--noout", "--nonet", "--relaxng", grammar] + files)
        #expect(checked.end == .exited(0), "\(checked.errorText.prefix(3000))")
      }
    }
  }

  @Test func `every JSON document of lending conforms to the OPDS 2 schemas`() async throws {
    try await LendingRoom.open { room in
      var faults: [String] = []
      let answers = try await walk(room, ["Accept": "application/opds+json"])
      #expect(try await SchemaCheck.faults(answers.map(\.bytes)) == [])
      for answer in answers {
        // An excerpt lies where the lender has it.
        faults += Soundness.faults(try JSONValue(parsing: answer.text))
          .filter { !$0.contains("https://lender.example/here-sample.epub") }
          .map { "\($0) in \(answer.text.prefix(200))" }
      }
      #expect(faults == [])
    }
  }
}
