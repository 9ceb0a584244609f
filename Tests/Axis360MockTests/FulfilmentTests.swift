import HTTP
import JSON
import MockKit
import Testing

@testable import Axis360Mock

@Suite(.serialized) struct `Handing out at the mock of Axis 360` {
  private func borrow(_ index: Int, _ played: PlayedAxis360) async throws -> PlayedAxis360.Answer {
    let id = played.ids[index]
    _ = try await played.post("checkout/v2?titleId=\(id)&patronId=\(ada)")
    return try await played.get("availability/v2?patronId=\(ada)&titleIds=\(id)")
  }

  @Test func `a download link of the Axis 360 mock is signed letter by letter and works once`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let title = try await borrow(0, played)
      #expect(title.all("status").first == "OK")
      let written = title.all("downloadUrl").first ?? ""
      #expect(written.contains("&amp;amp;"))
      let link = written.replacing("&amp;amp;", with: "&")
      let answer = try await played.send(.get, link)
      let location = answer.headers["Location"] ?? ""
      #expect(answer.status == 302 && location.contains("%3a"))
      let raised = try await played.send(.get, location.replacing("%3a", with: "%3A"))
      #expect(raised.status == 200 && raised.text.contains("E_URLLINK_AUTH"))
      #expect(try await played.send(.get, location).text.contains("fulfillmentToken"))
      #expect(try await played.send(.get, link).text.contains("E_URLLINK_EXPIRED"))
    }
  }

  @Test func `Handing out at the mock of Axis 360 tells AxisNow's keys, and Findaway's`()
    async throws
  {
    try await PlayedAxis360.run { played in
      for (index, isAudio) in [(4, false), (3, true)] {
        played.house.main.withState { state in
          _ = state.change("demo", of: "axis360") { library, now in
            library.lending.setCopies(.counted(9), of: library.lending.order[index], at: now)
          }
        }
        let title = try await borrow(index, played)
        #expect(title.all("downloadUrl").isEmpty)
        let transaction = title.all("transactionID").first ?? ""
        let info = try await played.post("getfullfillmentInfo/v2?TransactionID=\(transaction)")
        #expect(info.json["Status"]?["Code"]?.string == "0000")
        #expect((info.json["FNDTransactionID"] != nil) == isAudio)
        #expect(info.json["ExpirationDate"]?.string?.hasSuffix(".0001398 +00:00") == true)
      }
      #expect(try await played.post("getfullfillmentInfo/v2").code == "5003")
      #expect(try await played.post("getfullfillmentInfo/v2?TransactionID=1").code == "5004")
      let parts = try await played.post("getaudiobookmetadata/v2?fndcontentid=5")
      #expect(parts.json["readingOrder"]?.array?.count == 3)
    }
  }

  @Test func `Handing out at the mock of Axis 360 licenses any key for an ISBN it knows`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let isbn = played.house.main.withState { state in
        let lending = state.library("demo", of: "axis360")?.lending
        return lending?.titles[lending?.order.first ?? ""]?.isbn ?? ""
      }
      let path = played.base + "/axisnow/license/u/d/127.0.0.1/"
      let good = try await played.send(.get, path + "\(isbn)/nonsense/nonsense")
      #expect(good.status == 200 && good.json["rights"]?["end"] != nil)
      let bad = try await played.send(.get, path + "123/m/e")
      #expect(bad.status == 405 && bad.json["ReturnCode"]?.integer == 9400)
    }
  }
}
