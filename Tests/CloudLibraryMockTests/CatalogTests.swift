import HTTP
import MockKit
import Testing

/// What can be asked about titles.
@Suite(.serialized) struct `The catalogue` {
  @Test func `The catalogue tells of twenty-five titles at once and leaves out what it lacks`()
    async throws
  {
    try await PlayedCloudLibrary.run(.bigCatalogue) { mock async throws in
      let ids = Array(mock.ids.prefix(24)) + ["nothing"]
      let answer = try await mock.get("/items/\(ids.joined(separator: ","))")
      #expect(Set(answer.all("ItemId")) == Set(ids.prefix(24)))
      let tooMany = mock.ids.prefix(26).joined(separator: ",")
      #expect(try await mock.get("/items/\(tooMany)").status == 400)
      #expect(try await mock.get("/items/nothing").text == "<ArrayOfItem/>")
    }
  }

  @Test func `The catalogue escapes links and genres once more than needed, and inverts names`()
    async throws
  {
    try await PlayedCloudLibrary.run { mock async throws in
      let answer = try await mock.get("/items/\(mock.ids[0])")
      #expect(answer.text.contains("DOCUMENTIMAGE&amp;amp;documentID"))
      #expect(answer.all("Authors").allSatisfy { $0.contains(", ") })
      #expect(answer.all("Genre").allSatisfy { $0.hasSuffix(",") })
    }
  }

  @Test func `The catalogue says what anybody can do`() async throws {
    try await PlayedCloudLibrary.run(.allOut) { mock async throws in
      let answer = try await mock.get("/items/\(mock.ids[0])")
      #expect(answer.all("CanCheckout") == ["FALSE"] && answer.all("CanHold") == ["TRUE"])
      #expect(answer.all("OnHold") == ["TRUE"] && answer.all("OnHoldCount") == ["2"])
    }
  }

  @Test func `The catalogue lists what is not out yet, to be waited for`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[4]
      let item = try await mock.get("/items/\(id)")
      #expect(item.all("CanCheckout") == ["FALSE"] && item.all("CanHold") == ["TRUE"])
      #expect(try await mock.get("/circulation/item/\(id)").all("AvailabilityType") == ["PREPUB"])
      #expect(try await mock.placeHold(id).status == 201)
    }
  }

  @Test func `The catalogue numbers its records from one, fifty at most, and ends with nothing`()
    async throws
  {
    try await PlayedCloudLibrary.run(.bigCatalogue) { mock async throws in
      func page(_ offset: Int, _ limit: Int) async throws -> PlayedCloudLibrary.Answer {
        try await mock.get("/data/marc?startdate=2000-01-01&offset=\(offset)&limit=\(limit)")
      }
      let first = try await page(1, 50)
      #expect(first.all("leader").count == 50)
      #expect(first.text.contains("\"001\">\(mock.ids[0])<"))
      #expect(first.text.contains("</marc:record>&gt;<marc:record>"))
      #expect(try await page(2, 1).text.contains("\"001\">\(mock.ids[1])<"))
      #expect(try await page(1, 500).all("leader").count == 50)
      let end = try await page(5001, 50)
      #expect(end.status == 200 && end.body.isEmpty)
      #expect(try await page(0, 50).status == 400)
      #expect(try await mock.get("/data/marc?offset=1&limit=50").status == 400)
      #expect(try await mock.get("/data/marc/\(mock.ids[0])").all("leader").count == 1)
      #expect(try await mock.get("/data/marc/nothing").status == 404)
    }
  }

  @Test func `The catalogue feeds what was bought in a window`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let future = try await mock.get("/data/marc?startdate=2030-01-01T00:00:00&offset=1&limit=50")
      #expect(future.status == 200 && future.body.isEmpty)
    }
  }

  @Test func `The catalogue tells what happened in the last day, or when it is asked`() async throws
  {
    try await PlayedCloudLibrary.run { mock async throws in
      mock.advance(2 * LendingRules.day)
      #expect(try await mock.get("/data/cloudevents").body.isEmpty)
      _ = try await mock.checkOut(mock.ids[2])
      let answer = try await mock.get("/data/cloudevents")
      #expect(answer.all("ItemId") == [mock.ids[2]] && answer.all("EventType") == ["CHECKOUT"])
      #expect(answer.all("PatronId") == [ada])
      let (start, end) = (
        answer.all("EventStartDateTimeInUTC"), answer.all("EventEndDateTimeInUTC")
      )
      #expect(end[0] < start[0], "it ends before it begins")
      let old = "/data/cloudevents?startdate=2026-03-18T09:00:00&enddate=2026-03-17T09:00:00"
      #expect(try await mock.get(old).status == 400)
    }
  }

  @Test func `The catalogue tells of a hundred events at most, and of what left`() async throws {
    try await PlayedCloudLibrary.run(.allOut) { mock async throws in
      mock.change { library, _ in library.lending.withdraw(library.lending.order[0]) }
      let all = try await mock.get(
        "/data/cloudevents?startdate=2000-01-01T00:00:00&enddate=2030-01-01T00:00:00")
      #expect(all.all("CloudLibraryEvent").count == 100)
      mock.advance(1000)
      let late = try await mock.get(
        "/data/cloudevents?startdate=2026-03-16T08:00:00&enddate=2026-03-16T10:00:00")
      #expect(late.all("CloudLibraryEvent").count == 100)
    }
    try await PlayedCloudLibrary.run { mock async throws in
      _ = try await mock.get("/items/a9")
      let id = mock.ids[9]
      mock.change { library, _ in library.lending.withdraw(id) }
      let answer = try await mock.get("/data/cloudevents")
      #expect(answer.all("EventType").contains("REMOVED"))
    }
  }

  @Test func `The catalogue keeps quiet about titles that nobody has`() async throws {
    try await PlayedCloudLibrary.run(.threeCards) { mock async throws in
      let answer = try await mock.get("/circulation/items/\(mock.ids[0]),\(mock.ids[2])")
      #expect(answer.all("ItemId") == [mock.ids[0]])
      let single = try await mock.get("/circulation/item/\(mock.ids[2])")
      #expect(single.all("ItemId") == [mock.ids[2]])
    }
  }

  @Test func `The catalogue sums up, but fails for some`() async throws {
    try await PlayedCloudLibrary.run(.bigCatalogue) { mock async throws in
      var statuses: Set<Int> = []
      for id in mock.ids.prefix(40) {
        statuses.insert(try await mock.get("/item/summary/\(id)").status)
      }
      #expect(statuses == [200, 500])
      #expect(try await mock.get("/item/data/\(mock.ids[0])").all("id") == [mock.ids[0]])
    }
  }

  @Test func `The catalogue begins alike for every seed that is alike`() async throws {
    let one = try await PlayedCloudLibrary.run { $0.ids }
    let other = try await PlayedCloudLibrary.run { $0.ids }
    #expect(one == other && one.count == 24)
    #expect(one.allSatisfy { $0.count == 7 && $0.hasSuffix("9") })
  }
}
