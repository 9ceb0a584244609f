import Foundation
import JSON
import Testing

extension `A reader` {
  /// Lists of the reader's own, from the first book on one to its end.
  func keepsLists(
    _ one: Mock.Truth.Title, _ two: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    #expect(try await stage.json("list", "ls").items == [])
    let made = try await stage.json("list", "create", "To read").item
    #expect(made["sharing"] == "private" && made["curator"] == .null && made["books"] == 0)
    let twice = try await stage.json("list", "create", "to  READ", exit: 6)
    #expect(twice.failure["code"] == "list_exists")
    let added = try await stage.json("list", "add", "to read", "city:\(one.id)", "--note", "Fine.")
    #expect(added.item["match"] == "matched" && added.item["note"] == "Fine.")
    #expect(added.item["place"] == 1 && added.item["title"]?.string == one.name)
    try await stage.json("list", "add", "To read", "city:\(two.id)")
    // A book stands there once; what is said of it may change.
    let again = try await stage.json("list", "add", "To read", "city:\(one.id)", "--note", "Good.")
    #expect(again.item["id"] == added.item["id"] && again.item["note"] == "Good.")
    let books = try await stage.json("list", "show", "To read").items
    #expect(books.map { $0["title"]?.string } == [one.name, two.name])
    // Their numbers go for other commands.
    #expect(try await stage.json("show", "2").item["id"] == books[1]["work"])
    #expect(try await stage.carrel("list", "show", "To read").output.contains("Good."))

    let shared = try await stage.json(
      "list", "share", "To read", "everyone", "--curator", "Ms. Oak"
    ).item
    #expect(shared["sharing"] == "everyone" && shared["curator"] == "Ms. Oak")
    #expect(try await stage.json("list", "ls", "--as", "ada").items == [])
    #expect(try await stage.json("list", "rename", "To read", "Later").item["id"] == made["id"])
    let told = try await stage.carrel("list", "ls").output
    #expect(told.contains("Later") && told.contains("by Ms. Oak, for everyone"))
    #expect(
      try await stage.json("list", "remove", "Later", one.name).item["title"]?.string == one.name)
    let gone = try await stage.json("list", "remove", "Later", one.name, exit: 5)
    #expect(gone.failure["code"] == "not_on_list")
    #expect(try await stage.json("list", "delete", "later", "--yes").item["books"] == 1)
    let none = try await stage.json("list", "show", "Later", exit: 5)
    #expect(none.failure["code"] == "unknown_list")
  }
}
