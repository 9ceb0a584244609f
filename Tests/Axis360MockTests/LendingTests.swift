import HTTP
import JSON
import MockKit
import Testing

@testable import Axis360Mock

@Suite(.serialized) struct `Lending at the mock of Axis 360` {
  private func checkout(_ id: String, _ more: String = "", by card: String = ada) -> String {
    "checkout/v2?titleId=\(id)&patronId=\(card)\(more)"
  }

  @Test func `Lending at the mock of Axis 360 borrows in one format, once`() async throws {
    try await PlayedAxis360.run { played in
      let id = played.ids[2]
      let loan = try await played.post(checkout(id, "&format=ePub"))
      #expect(loan.code == "0000" && loan.all("expirationDate") == ["4/6/2026 9:00:00 AM +00:00"])
      #expect(try await played.post(checkout(id, "&format=ePub")).code == "3110")
      let shelf = try await played.get("availability/v2?patronId=\(ada)")
      #expect(shelf.all("isCheckedout") == ["true"] && shelf.all("checkoutFormat") == ["ePub"])
      #expect(shelf.all("checkoutEndDate") == ["4/6/2026 9:00:00 AM +00:00"])
      #expect(shelf.all("downloadUrl").isEmpty, "only for one title at a time")
    }
  }

  @Test(arguments: [
    ("&format=Stone", "3126"), ("&format=", "3136"), ("", "0000"), ("&format=Blio", "0000"),
  ])
  func `Lending at the mock of Axis 360 checks the format`(_ format: String, code: String)
    async throws
  {
    try await PlayedAxis360.run { played in
      let answer = try await played.post(checkout(played.ids[2], format))
      #expect(answer.code == code)
    }
  }

  @Test func `Lending at the mock of Axis 360 says no in codes`() async throws {
    try await PlayedAxis360.run(.allOut) { played in
      let out = try await played.post(checkout(played.ids[0]))
      #expect(out.code == "3113" && out.text.contains("not available for checkout"))
      #expect(try await played.post(checkout("12")).code == "3103")
      #expect(try await played.post("checkout/v2?patronId=1").code == "3100")
      #expect(try await played.post("checkout/v2?titleId=1").code == "3101")
    }
    try await PlayedAxis360.run { played in
      played.house.main.withState { state in
        _ = state.change("demo", of: "axis360") { library, _ in library.lending.rules.loanLimit = 0
        }
      }
      let answer = try await played.post(checkout(played.ids[2]))
      #expect(answer.code == "3114")
    }
  }

  @Test func `Lending at the mock of Axis 360 takes in whoever borrows, and knows nobody before`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let before = try await played.get("availability/v2?patronId=777")
      #expect(before.status == 401 && before.code == "3122")
      #expect(try await played.post(checkout(played.ids[2], by: "777")).code == "0000")
      #expect(try await played.get("availability/v2?patronId=777").code == "0000")
    }
  }

  @Test func `the Axis 360 mock takes returns by title or transaction and still lists them`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let ids = [played.ids[2], played.ids[7]]
      for id in ids { _ = try await played.post(checkout(id)) }
      let back = "EarlyCheckInTitle/v3?itemID=\(ids[0])&patronID=\(ada)"
      #expect(try await played.get(back).code == "0000")
      #expect(try await played.get(back).code == "4058")
      let shelf = try await played.get("availability/v2?patronId=\(ada)")
      #expect(shelf.all("isCheckedout") == ["true", "false"])
      let transaction = shelf.all("transactionID").first ?? ""
      #expect(try await played.get("EarlyCheckin/v2?transactionID=\(transaction)").code == "0000")
      #expect(try await played.get("EarlyCheckin/v2?transactionID=x").code == "5004")
      #expect(
        try await played.get("EarlyCheckInTitle/v3?itemID=1&patronID=\(ada)").code == "3103")
    }
  }

  @Test func `Lending at the mock of Axis 360 renews near the end, by the same call`() async throws
  {
    try await PlayedAxis360.run { played in
      let id = played.ids[2]
      _ = try await played.post(checkout(id))
      played.advance(19 * LendingRules.day)
      let shelf = try await played.get("availability/v2?patronId=\(ada)")
      #expect(shelf.all("IsButtonRenew") == ["Y"])
      let again = try await played.post(checkout(id))
      #expect(again.all("expirationDate") == ["4/27/2026 9:00:00 AM +00:00"])
    }
  }

  @Test func `Lending at the mock of Axis 360 keeps a queue that wants an address`() async throws {
    try await PlayedAxis360.run(.allOut) { played in
      let id = played.ids[0]
      let place = "addtoHold/v2?titleId=\(id)&patronId=\(ada)"
      #expect(try await played.get(place).code == "3102")
      #expect(try await played.get(place + "&email=ada").code == "3104")
      let placed = try await played.get(place + "&email=ada%40example.org")
      #expect(placed.code == "0000" && placed.all("holdsQueuePosition") == ["3"])
      #expect(try await played.get(place + "&email=ada%40example.org").code == "3109")
      let list = try await played.get("GetHolds/\(ada)")
      #expect(list.all("titleID") == [id] && list.all("isSuspendHold") == ["N"])
      #expect(try await played.get("suspendHold/v2/\(id)/\(ada)").code == "0000")
      #expect(try await played.get("GetHolds/\(ada)").all("isSuspendHold") == ["R"])
      #expect(try await played.get("activateHold/v2/\(id)/\(ada)").code == "0000")
      let remove = "removeHold/v2?titleId=\(id)&patronId=\(ada)"
      #expect(try await played.get(remove).code == "0000")
      let gone = try await played.get(remove)
      #expect(gone.code == "3109" && gone.text.contains("not in Hold list"))
      #expect(
        try await played.get("addToHold/v2/\(id)/ada%40example.org/\(ada)").code == "0000")
    }
  }

  @Test func `Lending at the mock of Axis 360 takes no hold on what is there`() async throws {
    try await PlayedAxis360.run { played in
      for id in [played.ids[0], played.ids[2]] {
        let place = "addtoHold/v2?titleId=\(id)&patronId=\(ada)&email=a%40b.org"
        let answer = try await played.get(place)
        #expect(answer.code == "3111")
      }
    }
  }

  @Test func `the Axis 360 mock reserves a copy for three days outside the queue`() async throws {
    try await PlayedAxis360.run { played in
      let shelf = try await played.get("availability/v2?patronId=\(chinua)")
      #expect(shelf.all("isReserved") == ["true"] && shelf.all("isInHoldQueue") == ["false"])
      #expect(shelf.all("holdsQueuePosition") == ["1"] && shelf.all("holdsQueueSize") == ["0"])
      #expect(shelf.all("reservedEndDate") == ["3/19/2026 9:00:00 AM +00:00"])
    }
  }
}
