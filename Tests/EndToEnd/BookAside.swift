import JSON
import JourneySupport
import Testing

extension `A reader` {
  /// What a reader keeps, leaves out and says of books, without any library.
  func keepsBooks(
    _ title: Mock.Truth.Title, onLoan: Mock.Truth.Title, _ stage: Stage
  ) async throws {
    let lent = try await stage.json("books").items
    #expect(lent.first?["item"]?.string == onLoan.id && lent.first?["state"] == "not_downloaded")
    #expect(lent.first?["actions"]?.array?.contains("return") == true)
    let got = try await stage.json("get", "city:\(onLoan.id)").item
    #expect(got["state"] == "done" && got["path"]?.string != nil)
    #expect(try await stage.json("queue").items == [])
    for verb in ["pause", "resume", "cancel"] {
      #expect(try await stage.json("queue", verb).items == [])
    }
    #expect(
      try await stage.json("get", "city:\(title.id)", exit: 5).failure["code"] == "not_on_loan")
    let offer = "city:\(title.id)"
    #expect(try await stage.json("save", offer).item["state"] == "saved")
    #expect(try await stage.json("save", offer).item["state"] == "saved")
    #expect(try await stage.json("show", offer).item["state"] == "saved")
    #expect(
      try await stage.json("books", "--saved").items.map { $0["title"]?.string } == [title.name])
    #expect(try await stage.json("books").items.count == lent.count + 1)
    #expect(try await stage.json("unsave", title.name).item["state"] == "none")
    #expect(try await stage.json("books", "--saved").items == [])

    #expect(try await stage.json("ignore", offer).item["ignored"] == true)
    #expect(try await stage.json("ignored").items.map { $0["title"]?.string } == [title.name])
    func isFound() async throws -> [Bool] {
      let plain = try await stage.json("search", title.name).items
      let narrowed = try await stage.json("search", title.name, "--sort", "title").items
      let lane = try await stage.json("lane", "show", "available", "--limit", "500").items
      return [plain, narrowed, lane].map { $0.contains { $0["title"]?.string == title.name } }
    }
    #expect(try await isFound() == [false, false, false])
    #expect(try await stage.json("unignore", title.name).item["ignored"] == false)
    #expect(try await isFound() == [true, true, true])

    let refused = try await stage.json("dismiss", "city:\(onLoan.id)", exit: 6)
    #expect(refused.failure["code"] == "wrong_state")
    #expect(try await stage.json("rate", "city:\(onLoan.id)", "4").item["rating"] == 4)
    let finished = try await stage.json("finish", "city:\(onLoan.id)", "--on", "2026-11-22")
    #expect(finished.item["finished"] == "2026-11-22" && finished.item["rating"] == 4)
    #expect(
      try await stage.json("finish", offer, "--on", "2026-02-30", exit: 2).failure["code"]
        == "bad_value")
    #expect(try await stage.carrel("books").output.contains("rated 4"))
  }
}
