import HTTP
import JSON
import MockKit
import Testing

/// What commands do and how they answer.
@Suite(.serialized) struct `At the desk` {
  @Test func `the CloudLibrary mock answers a new loan with 201 and a repeated one with 200`()
    async throws
  {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[0]
      let first = try await mock.checkOut(id)
      #expect(first.status == 201 && first.all("ItemId") == [id])
      let again = try await mock.checkOut(id)
      #expect(again.status == 200 && again.all("DueDateInUTC") == first.all("DueDateInUTC"))
      let due = try #require(first.all("DueDateInUTC").first)
      #expect(!due.hasSuffix("Z") && due.count == 19)
    }
  }

  @Test func `the older CloudLibrary mock refuses a title that is already on loan`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let old = mock.hillcrest
      let id = old.ids[0]
      #expect(try await old.checkOut(id, pin: nil).status == 201)
      let again = try await old.checkOut(id, pin: nil)
      #expect(again.status == 400)
      #expect(
        again.message
          == "the patron document status was LOAN and not one of CAN_LOAN,RESERVATION")
    }
  }

  @Test
  func `the CloudLibrary mock refuses loans and holds with the title's status`() async throws {
    try await PlayedCloudLibrary.run(.allOut) { mock async throws in
      let id = mock.ids[0]
      let refused = try await mock.checkOut(id)
      #expect(refused.status == 400)
      #expect(
        refused.message
          == "the patron document status was CAN_HOLD and not one of CAN_LOAN,RESERVATION")
      #expect(refused.all("Code") == ["Gen-001"])
      #expect(try await mock.placeHold(id).status == 201)
      let again = try await mock.placeHold(id)
      #expect(again.status == 405)
      #expect(again.message == "the patron document status was HOLD and not one of CAN_HOLD")
      let unknown = try await mock.checkOut("nothing")
      #expect(unknown.message?.contains("CAN_WISH") == true)
    }
  }

  @Test func `the CloudLibrary mock refuses a hold on an available title`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let answer = try await mock.placeHold(mock.ids[0])
      #expect(answer.status == 405)
      #expect(answer.message == "the patron document status was CAN_LOAN and not one of CAN_HOLD")
    }
  }

  @Test func `At the desk: limits are told with their number`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      mock.change { library, _ in library.lending.change(ada) { $0.loanLimit = 0 } }
      let answer = try await mock.checkOut(mock.ids[0])
      #expect(answer.message == "Patron cannot loan more than 0 documents")
    }
    try await PlayedCloudLibrary.run(.allOut) { mock async throws in
      mock.change { library, _ in library.lending.change(ada) { $0.holdLimit = 0 } }
      let answer = try await mock.placeHold(mock.ids[0])
      #expect(answer.message == "Patron cannot have more than 0 holds")
    }
  }

  @Test func `the CloudLibrary mock answers a return with an empty body and a repeat with 404`()
    async throws
  {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[0]
      _ = try await mock.checkOut(id)
      let first = try await mock.checkIn(id)
      #expect(first.status == 200 && first.body.isEmpty)
      let again = try await mock.checkIn(id)
      #expect(again.status == 404 && again.message == "The patron has no eBooks checked out")
    }
  }

  @Test
  func `the CloudLibrary mock cancels a waiting hold once and a ready hold never`() async throws {
    try await PlayedCloudLibrary.run(.threeCards) { mock async throws in
      let waiting = mock.ids[5]
      #expect(try await mock.cancelHold(waiting, bruno).status == 200)
      let again = try await mock.cancelHold(waiting, bruno)
      #expect(again.status == 404)
      #expect(again.message == "The patron does not have the book on hold")
      let ready = try await mock.cancelHold(mock.ids[6], chinua)
      #expect(ready.status == 400 && ready.message?.contains("RESERVATION") == true)
    }
  }

  @Test func `the CloudLibrary mock lists loans, holds and ready holds with dates without zone`()
    async throws
  {
    try await PlayedCloudLibrary.run(.threeCards) { mock async throws in
      let brunos = try await mock.get("/circulation/patron/\(bruno)?password=2222")
      #expect(Set(brunos.all("ItemId")) == [mock.ids[0], mock.ids[1], mock.ids[5]])
      #expect(brunos.all("EventEndDateInUTC").allSatisfy { !$0.hasSuffix("Z") })
      let chinuas = try await mock.get("/circulation/patron/\(chinua)?password=3333")
      #expect(chinuas.all("Reserves").count == 1 && chinuas.all("Position") == ["1"])
    }
  }

  @Test func `At the desk: statuses are told for each title, in the words of the refusals`()
    async throws
  {
    try await PlayedCloudLibrary.run(.threeCards) { mock async throws in
      let ids = [mock.ids[0], mock.ids[5], mock.ids[2], "nothing"]
      let answer = try await mock.get("/item/status/\(bruno)/\(ids.joined(separator: ","))")
      #expect(answer.all("status") == ["LOAN", "HOLD", "CAN_LOAN", "CAN_WISH"])
      let ready = try await mock.get("/item/status/\(chinua)/\(mock.ids[6]),\(mock.ids[4])")
      #expect(ready.all("status") == ["RESERVATION", "CAN_HOLD"])
      #expect(try await mock.get("/item/status/nobody/\(ids[0])").status == 403)
    }
  }

  @Test func `At the desk: with nameless set, what left the collection has no id on the shelf`()
    async throws
  {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[0]
      _ = try await mock.checkOut(id)
      mock.change { library, _ in
        library.settings["nameless"] = true
        library.lending.withdraw(id)
      }
      let answer = try await mock.get("/circulation/patron/\(ada)?password=1111")
      #expect(answer.all("ItemId").isEmpty && answer.all("Item").count == 1)
    }
  }

  @Test
  func `the CloudLibrary mock gives the same license when it is requested again`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[0]
      let early = try await mock.order("/GetItemACSM", "ACSMRequest", id, ada, pin: nil)
      #expect(early.status == 404)
      _ = try await mock.checkOut(id)
      let first = try await mock.order("/GetItemACSM", "ACSMRequest", id, ada, pin: nil)
      #expect(first.headers["Content-Type"] == "application/vnd.adobe.adept+xml")
      mock.advance(3_600_000)
      let second = try await mock.order("/GetItemACSM", "ACSMRequest", id, ada, pin: nil)
      #expect(first.body == second.body)
    }
  }

  @Test func `the CloudLibrary mock gives an audiobook license as a list of parts`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      let id = mock.ids[3]
      _ = try await mock.checkOut(id)
      let answer = try await mock.order(
        "/GetItemAudioFulfillment", "AudioFulfillmentRequest", id, ada, pin: nil, .post)
      let json = try JSONValue(parsing: answer.body)
      #expect(json["items"]?.array?.count == 12 && json["accountId"]?.string == "3M")
    }
  }

  @Test func `the CloudLibrary mock refuses a body that is not a valid request`() async throws {
    try await PlayedCloudLibrary.run { mock async throws in
      for body in ["", "<CheckoutRequest/>", "<Other><ItemId>a</ItemId></Other>", "{}"] {
        #expect(try await mock.ask(.put, "/checkout", body: body).status == 400, "\(body)")
      }
      #expect(try await mock.ask(.delete, "/checkout").status == 404)
    }
  }
}
