import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

/// From a wish noted at one service, over a copy that a library takes back, to the read that is recorded
/// where the wish was noted.
@Suite(.timeLimit(.minutes(5))) struct `A wish noted elsewhere` {
  @Test
  func `a wish from a linked list is announced, borrowed, finished and recorded there`()
    async throws
  {
    try await Stage.playOnEach { stage in
      // The list and the library call the same book by numbers of their own.
      let wished = "Ferry and Garden"
      let title = try #require(
        try await stage.mock.truth().titles.first { $0.name == wished })
      try await stage.mock.change(["titles": [["id": .string(title.id), "copies": 0]]])
      try await links(stage)
      try await stage.json("harvest")

      // The wish list as it stands there.
      let came = try await stage.json("list", "sync", "shelves").item
      #expect(came["state"] == "fresh" && came["writes"] == [])
      let books = try await stage.json("list", "show", "shelves/to-read").items
      #expect(books.contains { $0["title"]?.string == wished })
      #expect(books.allSatisfy { $0["match"] == "matched" })
      // What friends read there is no list of the reader's own.
      let friends = try await stage.rows("SELECT friend FROM reading_list WHERE friend IS NOT NULL")
      #expect(friends.count == 2)
      #expect(
        try await stage.json("list", "ls").items.allSatisfy { list in
          !friends.joined().contains { list["name"]?.string?.contains($0) == true }
        })
      try await stage.json("wish", "add", "--list", "shelves/to-read")
      try await looks(stage)
      #expect(try await wish(wished, stage)["match"] == "matched")
      #expect(try await wish(wished, stage)["state"] != "available")
      #expect(try await notices(of: wished, stage) == 0)

      // Copies for all who wait and one more; that is told once, however often it is looked at.
      try await stage.mock.change(["titles": [["id": .string(title.id), "copies": 100]]])
      try await stage.mock.advance("1h")
      for _ in 1...3 { try await looks(stage) }
      #expect(try await wish(wished, stage)["state"] == "available")
      #expect(try await notices(of: wished, stage) == 1)

      // Borrowed, finished, and nothing is recorded until the reader wants that.
      #expect(
        try await stage.json("borrow", "city:\(title.id)").item["result"] == "borrowed")
      try await stage.json("finish", "city:\(title.id)")
      try await stage.json("rate", "city:\(title.id)", "4")
      #expect(try await stage.json("list", "sync").item["writes"] == [])
      try await stage.json("list", "carry", "shelves", "--finished", "--ratings")
      let plan = try await stage.json("list", "sync", "--dry-run").item
      #expect(plan["writes"]?.array?.count ?? 0 >= 2)
      let done = try await stage.json("list", "sync").item
      #expect(done["writes"]?.array?.allSatisfy { $0["state"] == "done" } == true)
      let kept = try await entry(stage, title: wished)
      #expect(kept["lists"] == ["read"] && kept["rating"] == 4)
      #expect(kept["finished"]?.string?.count == 10, "\(kept)")

      // It is no wish any more, and nothing is written twice.
      #expect(try await stage.json("list", "sync").item["writes"] == [])
      try await looks(stage)
      #expect(
        try await stage.json("wish", "ls").items.allSatisfy { $0["title"]?.string != wished })
      #expect(try await notices(of: wished, stage) == 1)
    }
  }

  private func links(_ stage: Stage) async throws {
    try await stage.link(Mock.ada, "1111", as: "city")
    try stage.know("goodreads", as: "shelves")
    let linking = try stage.startTalking(["link", "goodreads", "--name", "shelves"])
    var page: String?
    while page == nil, let line = try await linking.nextLine() {
      page = line.hasPrefix("http://") ? line : nil
    }
    try await grant(try #require(page))
    #expect(try await linking.waitForEnd() == .exited(0))
  }

  /// What the browser of a reader would do: fill in the form, follow the way back.
  private func grant(_ page: String) async throws {
    let address = try Address(page)
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let form = page.split(separator: "?")[0]
    var answer = HTTPClient.Request(.post, try Address(String(form)))
    answer.headers.set("Content-Type", "application/x-www-form-urlencoded")
    let fields = "\(address.query ?? "")&username=\(Mock.ada)&password=1111&allow=1"
    answer.body = .bytes(Array(fields.utf8))
    answer.redirects = .returned
    let way = try #require(try await client.send(answer).headers["Location"])
    #expect(try await client.send(HTTPClient.Request(.get, Address(way))).status == .ok)
    await client.shutdown()
  }

  /// What a gateway does by itself, as soon as its time has come.
  private func looks(_ stage: Stage) async throws {
    try await stage.json("sync", "--due")
    try await stage.rows("UPDATE wish_library SET not_before = 0, news_not_before = 0")
    try await stage.rows("UPDATE catalog_availability SET as_of = 0")
    try await stage.rows("UPDATE schedule_job SET due_at = 0 WHERE kind = 'wishes'")
    try await stage.json("sync", "--due")
  }

  private func wish(_ title: String, _ stage: Stage) async throws -> JSONValue {
    try #require(
      try await stage.json("wish", "ls").items.first { $0["title"]?.string == title })
  }

  private func notices(of title: String, _ stage: Stage) async throws -> Int {
    try await stage.json("notify", "inbox").items.count { notice in
      notice["kind"] == "wish_available" && notice["body"]?.string?.contains(title) == true
    }
  }

  /// What the service itself has of a book of this reader.
  private func entry(_ stage: Stage, title: String) async throws -> JSONValue {
    let state = try await stage.mock.admin(.get, "/state")
    let service = try #require(
      state["libraries"]?.array?.first { $0["provider"] == "goodreads" })
    let book = service["titles"]?.array?.first { $0["name"]?.string == title }?["id"]
    let reader = service["readers"]?.array?.first { $0["card"]?.string == Mock.ada }
    return try #require(reader?["entries"]?.array?.first { $0["book"] == book })
  }
}
