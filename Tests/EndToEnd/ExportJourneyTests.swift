import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct `What a reader takes along` {
  /// What readers would miss, by table; without the numbers that a house counts.
  private func belongings(_ stage: Stage) async throws -> [String: [[String]]] {
    let columns = [
      "patron": "id, name", "account": "id, patron, name, library, card_ending",
      "book": "patron, library, item, state, title", "book_verdict": "*", "desk_loan": "*",
      "desk_hold": "*", "reading_list": "*", "reading_list_member": "*",
      "reading_annotation": "*", "reading_place": "*", "wish_list": "*", "wish": "*",
      "profile_genre": "*", "book_file": "digest, size, kind", "book_holder": "*",
      "catalog_edition": "id, library, item, work", "catalog_record": "*",
    ]
    var found: [String: [[String]]] = [:]
    for (table, names) in columns {
      found[table] = try await stage.rows("SELECT \(names) FROM \(table)")
        .sorted { $0.joined() < $1.joined() }
    }
    return found
  }

  @Test(arguments: Engine.allCases)
  func `an export restores everything in an empty home, and a second import changes nothing`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.furnish()
      try await stage.json("wish", "add", "--list", "later")
      try await stage.json("list", "create", "hers", "--as", "berta")
      let before = try await belongings(stage)

      let folder = stage.home + "/along"
      let made = try await stage.json("export", "--all", folder)
      #expect(made.item["books"] == 1)
      let archive = try await run(
        "/bin/sh",
        [
          "-c", #"exec "$0" --home "$1" export --all - > "$1/along.tar""#,
          Mock.program("carrel"), stage.home,
        ], environment: Stage.variables, within: .seconds(60))
      #expect(archive.end == .exited(0), "\(archive.errorText)")
      let text = try String(contentsOfFile: folder + "/cards.jsonl", encoding: .utf8)
      #expect(!text.contains(Mock.ada) && !text.contains("1111"))
      let manifest = try JSONValue(
        parsing: String(contentsOfFile: folder + "/manifest.json", encoding: .utf8))
      #expect(manifest["readers"]?.array?.count == 2)

      // One reader's own: nothing of the other.
      let own = try await stage.json("export", "--all", stage.home + "/own", "--as", "berta")
      #expect(own.item["readers"] == ["berta"])
      let lists = try String(contentsOfFile: stage.home + "/own/lists.jsonl", encoding: .utf8)
      #expect(lists.contains("hers") && !lists.contains("later"))

      let again = try await stage.json("import", folder)
      #expect(again.item["kinds"]?.array?.allSatisfy { $0["count"] == 0 } == true)
      #expect(try await belongings(stage) == before)

      for (number, source) in [folder, stage.home + "/along.tar"].enumerated() {
        try await Stage.play { other in
          let came = try await other.json("import", source)
          #expect(came.item["books"] == 1)
          let after = try await belongings(other)
          for (table, rows) in before where engine == .sqlite || table != "desk_loan" {
            // Truths are spelled differently by the tools of the two engines.
            let plain = { (rows: [[String]]) in
              rows.map { $0.map { ["t": "1", "f": "0"][$0] ?? $0 } }
            }
            #expect(plain(after[table] ?? []) == plain(rows), "\(table) \(number)")
          }
          let second = try await other.json("import", source)
          #expect(second.item["kinds"]?.array?.allSatisfy { $0["count"] == 0 } == true)
          #expect(try await belongings(other) == after)
          let books = try await other.json("books").items
          #expect(books.count == 1)
          #expect(try await other.json("account", "list").items.count == 1)
        }
      }
    }
  }

  @Test func `What a reader takes along: that was changed on the way is refused`() async throws {
    try await Stage.play { stage in
      try await stage.json("list", "create", "later")
      let folder = stage.home + "/along"
      try await stage.json("export", "--all", folder)
      let path = folder + "/lists.jsonl"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("later", with: "never").write(
        toFile: path, atomically: true, encoding: .utf8)
      let refused = try await stage.json("import", folder, exit: 6)
      #expect(refused.failure["code"] == "backup_damaged")
      let nothing = try await stage.json("import", stage.home, exit: 6)
      #expect(nothing.failure["code"] == "not_a_backup")
      let no = try await stage.json("export", folder, exit: 2)
      #expect(no.failure["code"] == "input_needed")
    }
  }
}
