import Foundation
import JSON
import JourneySupport
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

  /// A file of another service: looked at, taken, put right, taken along.
  func movesShelves(_ stage: Stage) async throws {
    let file = stage.home + "/Old books.csv"
    let rows = """
      Title,Author,ISBN13,My Rating,Date Read,Bookshelves,Exclusive Shelf,My Review,Mood
      Tidewrack,Ada Quill,9780141439600,4,2021/02/03,sea,read,Fine<br/>,low
      ,Nobody,123,0,,,to-read,,
      Saltmarsh,Bo Reed,,0,,to-read,to-read,,
      """
    try Data(rows.utf8).write(to: URL(fileURLWithPath: file))
    let dry = try await stage.json("list", "import", file, "--dry-run", exit: 3).item
    #expect(dry["new"] == 2 && dry["rows"] == 3 && dry["format"] == "goodreads")
    #expect(try await stage.json("list", "ls").items == [])
    let again = stage.home + "/again.csv"
    let taken = try await stage.json("list", "import", file, "--rejects", again, exit: 3).item
    #expect(taken["list"] == "Old books" && taken["new"] == 2)
    #expect(taken["rejected"]?[0]?["line"] == 3)
    let same = try await stage.json("list", "import", file, exit: 3).item
    #expect(same["unchanged"] == 2 && same["new"] == 0 && same["changed"] == 0)
    let book = try #require(try await stage.json("list", "show", "Old books").items.first)
    #expect(book["rating"] == 4 && book["review"] == "Fine<br/>" && book["match"] == "none")
    #expect(book["read_at"] == ["2021-02-03"] && book["shelves"] == ["read", "sea"])
    #expect(book["added_at"]?.string?.hasSuffix("Z") == true)

    let bad = try String(contentsOfFile: again, encoding: .utf8)
    #expect(bad.contains(",Nobody,123,") && !bad.contains("Tidewrack"))
    try Data(bad.replacing(",Nobody,123", with: "Fen,Cy Moss,").utf8)
      .write(to: URL(fileURLWithPath: again))
    let put = try await stage.json("list", "import", again, "--into", "old books").item
    #expect(put["new"] == 1 && put["rows"] == 1)
    let shelf = try await stage.json(
      "list", "import", "-", "--into", "Wishes", "--shelf", "to-read", "--from", "goodreads",
      input: rows, exit: 3
    ).item
    #expect(shelf["new"] == 1 && shelf["passed"]?.array?.count == 1)

    for format in ["goodreads", "storygraph", "bookwyrm", "librarything", "json", "isbn"] {
      let told = try await stage.json("list", "export", "Old books", "--format", format).item
      let text = try #require(told["text"]?.string)
      let plain = try await stage.carrel("list", "export", "Old books", "--format", format).output
      #expect(plain == text)
      guard format != "isbn" else {
        #expect(text == "9780141439600\n" && told["books"] == 1)
        continue
      }
      #expect(told["books"] == 3 && text.contains("Tidewrack"))
      let back = try await stage.json("list", "import", "-", "--into", format, input: text).item
      #expect(back["format"]?.string == format && back["new"] == 3)
      try await stage.json("list", "delete", format, "--yes")
    }
    let none = try await stage.json("list", "import", "-", input: "<html><body>", exit: 6)
    #expect(none.failure["code"] == "unknown_shelf_file")
    for list in ["Old books", "Wishes"] {
      try await stage.json("list", "delete", list, "--yes")
    }
  }
}
