import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Looking after a gateway` {
  @Test(arguments: Engine.allCases)
  func `Looking after a gateway is given to a reader and taken again from the command line`(
    engine: Engine
  ) async throws {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let unknown = try await stage.json("admin", "operator", "add", "nobody", exit: 5)
      #expect(unknown.failure["code"] == "unknown_reader")
      let made = try await stage.json("admin", "operator", "add", "reader")
      #expect(made.item["changed"] == true && made.item["reader"] == "reader")
      #expect(try await stage.json("admin", "operator", "add", "reader").item["changed"] == false)
      #expect(try await stage.json("admin", "operator", "ls").items.count == 1)
      #expect(try await stage.carrel("admin", "operator", "ls").output.hasPrefix("reader  since "))
      #expect(try await stage.json("admin", "operator", "rm", "reader").item["changed"] == true)
      #expect(try await stage.json("admin", "operator", "ls").items.isEmpty)
    }
  }

  @Test(arguments: Engine.allCases)
  func `Looking after a gateway can forget a reader, of whom no row is left`(engine: Engine)
    async throws
  {
    try await Stage.play(engine) { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      let title = try await stage.openTitle()
      try await stage.json("borrow", title.name)
      try await stage.json("sync")
      try await stage.json("list", "create", "later")
      try await stage.json("list", "add", "later", title.name)
      try await stage.json("wish", "add", "--list", "later")
      try await stage.json("admin", "device", "add", "kobo")
      try await stage.json("calendar", "new")
      try await stage.json("rate", title.name, "5")
      try await stage.json("get", title.name)
      try await stage.json("admin", "operator", "add", "reader")
      try await stage.json("sync", "--due")
      // Somebody else, of whom everything stays.
      try await stage.json("list", "create", "hers", "--as", "berta")

      let patron = try #require(
        try await stage.rows("SELECT id FROM patron WHERE name = 'reader'").first?.first)
      let accounts = try await stage.rows("SELECT id FROM account").compactMap(\.first)
      let numbers = [patron] + accounts
      #expect(numbers.count == 2)
      let before = try await tables(of: numbers, stage)
      #expect(before.count > 12, "\(before)")

      let refused = try await stage.json("admin", "purge", "reader", "--yes", exit: 2)
      #expect(refused.failure["code"] == "confirmation_needed")
      let wrong = try await stage.json("admin", "purge", "reader", "--confirm=berta", exit: 2)
      #expect(wrong.failure["code"] == "confirmation_needed")
      let purged = try await stage.json("admin", "purge", "reader", "--confirm=reader")
      #expect(purged.item["loans_left"] == 1 && purged.item["accounts"] == 1)
      let left = try await tables(of: numbers, stage)
      #expect(left == ["registry_audit", "registry_audit_month"])
      #expect(try await stage.rows("SELECT name FROM patron") == [["berta"]])
      #expect(try await stage.rows("SELECT name FROM reading_list") == [["hers"]])
      #expect(try await stage.rows("SELECT digest FROM book_file").isEmpty)
      // The library knows nothing of this.
      #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
      let again = try await stage.json("admin", "purge", "reader", "--confirm=reader", exit: 5)
      #expect(again.failure["code"] == "unknown_reader")
    }
  }

  /// Those in which one of these numbers stands anywhere.
  private func tables(of numbers: [String], _ stage: Stage) async throws -> [String] {
    var found: [String] = []
    for table in try await stage.tables().sorted() {
      let rows = try await stage.rows("SELECT * FROM \(table)")
      let cells = Set(rows.joined())
      if numbers.contains(where: { number in cells.contains { $0.contains(number) } }) {
        found.append(table)
      }
    }
    return found
  }

  @Test func `Looking after a gateway is done at the pages, for whoever has the role`() async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      try await RunningGateway.serve(stage) { gateway in
        var browser = PageBrowser(gateway: gateway)
        #expect(try await browser.ask("/lib/office").status == 404)
        try await browser.signIn(Mock.ada, "1111")
        #expect(try await browser.ask("/lib/office").status == 404)
        // Another process gives the role; the gateway sees it at the next request.
        try await stage.json("admin", "operator", "add", "reader")
        let home = try await browser.ask("/lib/office")
        #expect(home.status == 200 && home.text.contains("href=\"/lib/office/jobs\""))
        #expect(try await browser.ask("/lib/office/libraries").text.contains("OverDrive"))
        let jobs = try await browser.ask("/lib/office/jobs")
        #expect(jobs.text.contains("Reading catalogues") && jobs.text.contains("Sweeping files"))

        let lanes = try await browser.ask("/lib/office/lanes")
        #expect(lanes.text.contains("There is no file of lanes"))
        var form: FormFields = ["do": "save", "mark": try browser.field("mark", lanes)]
        form.add("text", "lanes:\r\n  - name: all\r\n    titel: All\r\n")
        let bad = try await browser.post("/lib/office/lanes", form)
        #expect(bad.status == 422 && bad.text.contains("Line 3: unknown key"))
        let file = "\(stage.home)/lanes.yaml"
        #expect(!FileManager.default.fileExists(atPath: file))
        form = ["do": "save", "mark": try browser.field("mark", lanes)]
        form.add("text", "lanes:\r\n  - name: all\r\n    title: Everything\r\n")
        #expect(try await browser.post("/lib/office/lanes", form).status == 303)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text == "lanes:\n  - name: all\n    title: Everything\n")
        #expect(try await browser.ask("/lib/").text.contains("Everything"))
        let trial = try await browser.ask("/lib/office/lanes?rule=available:+now")
        #expect(trial.text.contains("meet this"))
        // What an editor writes is seen as well.
        try Data("lanes:\n  - name: other\n    title: Otherwise\n".utf8)
          .write(to: URL(filePath: file))
        try await eventually("the file of lanes is read") {
          try await browser.ask("/lib/").text.contains("Otherwise")
        }
      }
    }
  }
}
