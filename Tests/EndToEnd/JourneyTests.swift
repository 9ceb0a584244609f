import Arguments
import Foundation
import HTTP
import JSON
import JourneySupport
import TestSupport
import Testing

@testable import Commands

/// A reader's way through the whole library, each step a process of its own.
@Suite(.timeLimit(.minutes(5))) struct `A reader` {
  @Test func `A reader links, finds, borrows, waits and leaves`() async throws {
    try await Stage.playOnEach { stage in
      let titles = try await stage.mock.truth().titles
      try await arrives(stage)
      try await finds(titles[0], stage)
      try await borrows(titles[0], stage)
      try await bringsASecondCard(stage)
      try await changesKeys(stage)
      try await waits(titles[5], titles[6], stage)
      try await isServed(titles[5], stage)
      try await renews(titles[5], stage)
      try await decodes(stage)
      try await matches(stage)
      try await decides(titles[0], titles[1], stage)
      try await keepsLists(titles[0], titles[1], stage)
      try await keepsListsElsewhere(stage)
      try await movesShelves(stage)
      try await wishes(for: titles[0], and: titles[1], stage)
      try await keepsBooks(titles[3], onLoan: titles[5], stage)
      try await readsACatalogue(stage)
      try await looks(stage)
      try await opensABook(stage)
      try await leaves(stage)

      let unplayed =
        [
          "serve", "demo", "config", "version", "schema", "completion", "help", "man", "reference",
          "export", "import",
        ]
        + ["admin"]
      let asking = allCommands.map { $0.spec }.filter {
        !unplayed.contains($0.path[0]) && $0.path[0] != "complete"
      }
      #expect(asking.count > 15)
      for spec in asking { #expect(stage.tried.contains(spec.name), "\(spec.name)") }
    }
  }

  private func arrives(_ stage: Stage) async throws {
    let providers = try await stage.json("provider", "list")
    #expect(providers.items.contains { $0["id"]?.string == "overdrive" })
    let linked = try await stage.json(
      "link", "overdrive", "--library", "city", "--name", "city", "--credentials-stdin",
      input: "\(Mock.ada)\n1111\n")
    #expect(linked.item["card"] == "…0001")
    let again = try await stage.json(
      "link", "overdrive", "--library", "city", "--name", "twice", "--credentials-stdin",
      input: "\(Mock.ada)\n1111\n", exit: 6)
    #expect(again.failure["code"] == "already_linked")
    #expect(try await stage.json("account", "list").items.count == 1)
    #expect(try await stage.json("account", "check").item["error"] == .null)
    let checkup = try await stage.json("doctor")
    #expect(checkup.items.contains { $0["check"] == "sign-in" && $0["state"] == "ok" })
    #expect(try await stage.json("metrics").items.count > 20)
    let login = try await stage.json(
      "account", "login", "city", "--credentials-stdin",
      input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
    #expect(login.item["state"] == "linked")
    let harvest = try await stage.json("harvest")
    #expect(harvest.item["complete"] == true)
    #expect(try await stage.json("loans").items == [])
    #expect(try await stage.json("hold", "list").items == [])
  }

  private func finds(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    let found = try await stage.json("search", title.name)
    #expect(found.items.contains { $0["title"]?.string == title.name })
    #expect(try await stage.json("search", "no such words at all").items == [])
    let many = try await stage.json("search", "the", "--counts")
    let formats = try #require(many.document["facets"]?.array?.first { $0["name"] == "format" })
    let choice = try #require(formats["choices"]?.array?.last)
    let facet = "format=\(choice["value"]?.string ?? "")"
    let few = try await stage.json(
      "search", "the", "--facet", facet, "--sort", "title", "--limit", "1000")
    #expect(few.items.count == choice["works"]?.integer)
    #expect(few.items.count < 1000 && few.items.count > 0)
    let text = try await stage.carrel("search", "the", "--facet", facet).output
    #expect(text.contains("\nformat") && text.contains("*\(choice["value"]?.string ?? "")"))
    #expect(try await stage.carrel("search", "the", "--facet", "colour=red").code == 2)
    let lanes = try await stage.json("lane", "list", "--all").items
    #expect(lanes.first { $0["name"] == "popular" }?["works"]?.integer ?? 0 > 0)
    let lane = try await stage.json(
      "lane", "show", "available", "--sort", "title", "--facet", "availability=now", "--limit",
      "500")
    #expect(lane.items.contains { $0["title"]?.string == title.name })
    // Whoever has no books yet is recommended none, and is told why.
    #expect(try await stage.json("lane", "show", "recommended").items == [])
    let untaught = try await stage.carrel("lane", "show", "recommended")
    #expect(untaught.code == 0 && untaught.output.contains("you have none yet"))
    #expect(
      try await stage.json("lane", "show", "nowhere", exit: 5).failure["code"] == "unknown_lane")
    let shown = try await stage.json("show", title.name)
    #expect(shown.item["offers"]?[0]?["availability"]?["status"] == "available")
    let file = stage.key("cover.png")
    let cover = try await stage.json("cover", title.name, "--size", "thumbnail", "--to", file)
    #expect(cover.item["origin"] == "drawn" && cover.item["media_type"] == "image/png")
    #expect(try Data(contentsOf: URL(filePath: file)).count == cover.item["bytes"]?.integer)
    #expect(try await stage.carrel("cover", title.name).code == 2)
  }

  private func borrows(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    let look = try await stage.json("borrow", title.name, "--dry-run")
    #expect(look.item["result"] == "would_borrow")
    #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
    let lent = try await stage.json("borrow", title.name)
    #expect(lent.item["result"] == "borrowed")
    #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
    #expect(try await stage.json("loans").item["item"]?.string == title.id)
    #expect(try await stage.json("borrow", title.name).item["result"] == "already_borrowed")
    let early = try await stage.json("renew", title.name, exit: 6)
    #expect(early.failure["code"] == "not_renewable")
    #expect(early.failure["card"] == "city")
    #expect(try await stage.json("return", title.name).item["result"] == "returned")
    #expect(try await stage.json("return", title.name).item["result"] == "already_returned")
    #expect(try await stage.mock.truth().loans(of: Mock.ada) == [])
    #expect(try await stage.json("loans").items == [])
  }

  private func bringsASecondCard(_ stage: Stage) async throws {
    try await stage.link(Mock.bruno, "2222", as: "bruno")
    #expect(try await stage.json("account", "list").items.count == 2)
    let synced = try await stage.json("sync")
    #expect(synced.items.map { $0["loans"] } == [0, 2])
    #expect(try await stage.json("loans").items.count == 2)
    #expect(try await stage.json("hold", "list").item["position"] == 1)
    try await doesWhatIsDue(stage)
    let taught = try await stage.carrel("lane", "show", "recommended")
    #expect(taught.code == 0 && !taught.output.contains("you have none yet"))
  }

  /// All secrets are sealed anew, twice over, and open as before.
  private func changesKeys(_ stage: Stage) async throws {
    let rotated = try await stage.json("vault", "rotate").item
    #expect(rotated["resealed"] == 4 && rotated["active_key"] == 2)
    try await stage.json("vault", "rekey")
    #expect(try await stage.json("sync").items.map { $0["state"] } == ["fresh", "fresh"])
  }

  private func waits(
    _ title: Mock.Truth.Title, _ other: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    let offer = "city:\(title.id)"
    let out = try await stage.json("borrow", offer, exit: 6)
    #expect(out.item["result"] == "all_out")
    #expect(out.item["can_wait"] == true)
    #expect(out.failure["code"] == "no_copies_available")
    #expect(out.failure["card"] == "city")
    #expect(Ending.canBePasted(out.failure["try"]?.string ?? ""))
    #expect(try await stage.json("hold", "add", offer).item["hold"]?["position"] == 2)
    #expect(try await stage.json("hold", "add", offer).item["result"] == "already_waiting")
    #expect(try await stage.json("hold", "list").items.count == 2)
    #expect(try await stage.json("hold", "suspend", offer).item["result"] == "suspended")
    let held = try await stage.json("hold", "list").items.map { $0["status"]?.string }
    #expect(held.sorted { ($0 ?? "") < ($1 ?? "") } == ["suspended", "waiting"])
    #expect(try await stage.json("hold", "resume", offer).item["result"] == "resumed")
    #expect(try await stage.json("hold", "add", "city:\(other.id)").item["result"] == "waiting")
    #expect(
      try await stage.json("hold", "cancel", "city:\(other.id)").item["result"] == "cancelled")
    #expect(
      try await stage.json("hold", "cancel", "city:\(other.id)").item["result"]
        == "already_cancelled")
    #expect(try await stage.mock.truth().holds(of: Mock.ada) == [title.id])
    try await paces(title, other, stage)
  }

  /// The crowd's loans end, and both readers who wait get a copy.
  private func isServed(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    try await stage.mock.advance("22d")
    #expect(try await stage.json("sync").items.map { $0["ready"] } == [1, 1])
    try await keepsACalendar(stage)
    try await isTold(stage)
    #expect(try await stage.json("hold", "list").items.map { $0["status"] } == ["ready", "ready"])
    #expect(
      try await stage.json("hold", "accept", "city:\(title.id)").item["result"] == "borrowed")
    #expect(
      try await stage.json("hold", "decline", "bruno:\(title.id)").item["result"] == "declined")
    #expect(try await stage.json("loans").items.map { $0["account"] } == ["city"])
    #expect(try await stage.json("hold", "list").items == [])
    let truth = try await stage.mock.truth()
    #expect(truth.loans(of: Mock.ada) == [title.id])
    #expect(truth.holds(of: Mock.bruno) == [])
  }

  private func renews(_ title: Mock.Truth.Title, _ stage: Stage) async throws {
    try await stage.mock.advance("19d")
    #expect(try await stage.json("renew", "city:\(title.id)").item["result"] == "renewed")
    try await stage.mock.advance("3d")
    #expect(try await stage.json("sync").items.map { $0["loans"] } == [1, 0])
    #expect(try await stage.mock.truth().loans(of: Mock.ada) == [title.id])
  }

  private func decodes(_ stage: Stage) async throws {
    let journal = try await stage.mock.admin(.get, "/requests?operation=checkouts&limit=1")
    let body = journal["requests"]?[0]?["reply"]?["body"] ?? .null
    let decoded = try await stage.json("decode", "overdrive", "loans", "-", input: body.text())
    #expect(!decoded.output.isEmpty)
  }

  private func matches(_ stage: Stage) async throws {
    let list =
      "id,title_a,authors_a,title_b,authors_b\n" + """
        1,"Hobbit, The","Tolkien, J. R. R.",The Hobbit,J.R.R. Tolkien
        2,Dune,Frank Herbert,Dune Messiah,Frank Herbert

        """
    let found = try await stage.json("match", "-", input: list)
    #expect(found.items.map { $0["verdict"] } == ["same", "different"])
    let partly = try await stage.json("match", "-", input: list + "3,,,It,\n", exit: 3)
    #expect(partly.items.count == 2)
    #expect(partly.failure["code"] == "partly_failed")
  }

  /// A file that came from anywhere, and one that is no book.
  private func opensABook(_ stage: Stage) async throws {
    let book = TestArchive([
      .init("mimetype", "application/epub+zip"),
      .init(
        "META-INF/container.xml",
        "<container><rootfiles><rootfile full-path='b.opf'/></rootfiles></container>"),
      .init(
        "b.opf",
        """
        <package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="u">\
        <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Quillon Tides</dc:title>\
        <dc:language>en</dc:language><dc:identifier id="u">urn:x:1</dc:identifier></metadata>\
        <manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>\
        <spine><itemref idref="c"/></spine></package>
        """),
      .init("c.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><body>It ebbs.</body></html>"),
    ])
    let file = stage.home + "/tides.epub"
    try Data(book.bytes).write(to: URL(fileURLWithPath: file))
    let told = try await stage.json("epub", "inspect", file)
    #expect(told.item["title"] == "The Quillon Tides")
    #expect(told.item["warnings"] == ["toc-missing"])
    #expect(try await stage.json("epub", "toc", file).item["href"] == "c.xhtml")
    #expect(try await stage.json("epub", "check", file).item["code"] == "toc-missing")
    #expect(
      try await stage.json("epub", "text", file).item["text"]?.string?.contains("It ebbs.") == true)
    let found = try await stage.json("epub", "search", file, "EBBS").item
    #expect(found["count"] == 1)
    #expect(found["hits"]?[0]?["match"] == "ebbs")
    try await writes(in: file, stage)
    let refused = try await stage.json("epub", "inspect", stage.settings, exit: 6)
    #expect(refused.failure["code"] == "zip-unreadable")
  }

  private func leaves(_ stage: Stage) async throws {
    let asked = try await stage.json("unlink", "bruno", exit: 2)
    #expect(asked.failure["try"] == "carrel unlink bruno --yes")
    try await stage.json("unlink", "bruno", "--yes")
    try await stage.json("unlink", "city", "--yes")
    #expect(try await stage.json("account", "list").items == [])
    #expect(try await stage.rows("SELECT item FROM desk_loan") == [])
    #expect(try await stage.mock.truth().loans(of: Mock.ada).count == 1)
  }
}
