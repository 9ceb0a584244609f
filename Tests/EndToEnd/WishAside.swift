import Foundation
import JSON
import JourneySupport
import Testing

// An aside on the way: books that are wished for.
extension `A reader` {
  /// One that a library has, and one that none has; then all of a list.
  func wishes(
    for one: Mock.Truth.Title, and two: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    #expect(try await stage.json("wish", "ls").items == [])
    let added = try await stage.json("wish", "add", "city:\(one.id)").item
    #expect(added["match"] == "matched" && added["state"] == "available")
    #expect(added["rule"] == "tell" && added["list"] == "Wishes")
    let none = try await stage.json(
      "wish", "add", "The Brindle Tides", "--author", "Ada Moss", "--isbn", "9780306406157"
    ).item
    #expect(none["match"] == "none" && none["state"] == "not_held")
    #expect(none["authors"] == ["Ada Moss"] && none["isbns"] == ["9780306406157"])
    #expect(try await stage.carrel("wish", "add", "Tides", "--isbn", "12").code == 2)
    #expect(try await stage.carrel("wish", "add").code == 2)

    let text = try await stage.carrel("wish", "ls").output
    #expect(text.contains("can be had now from") && text.contains("no library has it"))
    #expect(try await stage.json("wish", "ls").items.map { $0["id"] } == [added["id"], none["id"]])
    try await isToldOfWishes(one, stage)
    try await reviews(none, is: two, stage)
    try await marksAList(one, stage)

    #expect(try await stage.carrel("wish", "rm").code == 2)
    #expect(try await stage.json("wish", "rm", one.name).item["id"] == added["id"])
    let gone = try await stage.json("wish", "rm", one.name, exit: 5)
    #expect(gone.failure["code"] == "unknown_wish")
    #expect(try await stage.json("list", "show", "Wishes").items.count == 1)
    try await stage.json("list", "delete", "Wishes", "--yes")
    #expect(try await stage.json("wish", "ls").items == [])
  }

  /// By what the schedule does by itself, once.
  private func isToldOfWishes(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    for _ in 1...2 {
      try await stage.rows("UPDATE schedule_job SET due_at = 0 WHERE kind = 'wishes'")
      let done = try await stage.json("sync", "--due").items
      #expect(done.first { $0["kind"] == "wishes" }?["outcome"] == "done")
    }
    let notices = try await stage.json("notify", "inbox", "--unread").items
    #expect(notices.map { $0["kind"] } == ["wish_available"])
    #expect(try await stage.json("notify", "inbox", "--read-all").items.count == 1)
    let wish = try await stage.json("wish", "ls").items.first {
      $0["title"]?.string == title.name
    }
    #expect(wish?["told_at"] != .null)
  }

  private func reviews(
    _ wish: JSONValue, is title: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    let name = wish["title"]?.string ?? ""
    #expect(try await stage.json("wish", "review").items == [])
    #expect(try await stage.json("wish", "review", name).item["decided"] == false)
    let decided = try await stage.json("wish", "review", name, "--is", "city:\(title.id)").item
    #expect(decided["match"] == "matched" && decided["decided"] == true)
    #expect(decided["offers"]?[0]?["item"]?.string == title.id)
    let none = try await stage.json("wish", "review", name, "--none").item
    #expect(none["match"] == "none" && none["decided"] == true && none["state"] == "not_held")
    #expect(try await stage.carrel("wish", "review", name, "--none", "--is", "1").code == 2)
    #expect(try await stage.carrel("wish", "review", "--none").code == 2)
  }

  private func marksAList(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    try await stage.json("list", "create", "Hopes")
    try await stage.json("list", "add", "Hopes", "city:\(title.id)")
    let marked = try await stage.json("wish", "add", "--list", "hopes", "--rule", "hold").items
    #expect(marked.map { $0["rule"] } == ["hold"])
    #expect(try await stage.json("wish", "ls", "--list", "Hopes").items.count == 1)
    #expect(try await stage.json("wish", "ls").items.count == 3)
    #expect(try await stage.json("wish", "rm", "--list", "Hopes").items.count == 1)
    #expect(try await stage.json("wish", "ls", "--list", "Hopes", exit: 5).items == [])
    #expect(try await stage.json("list", "show", "Hopes").items.count == 1)
    try await stage.json("list", "delete", "Hopes", "--yes")
  }
}
