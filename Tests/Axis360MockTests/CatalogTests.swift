import HTTP
import JSON
import MockKit
import Testing

@testable import Axis360Mock

@Suite(.serialized) struct `The catalog at the mock of Axis 360` {
  @Test func `The catalog at the mock of Axis 360 comes as an inventory without copies`()
    async throws
  {
    try await PlayedAxis360.run { played in
      for since in ["2000-01-01T00:00:00Z", "01-01-2000%2000:00:00"] {
        let answer = try await played.get("titleLicense/v3?modifiedSince=\(since)&page=1")
        #expect(answer.code == "0000" && answer.json["pagination"]?["totalPage"]?.integer == 1)
        let titles = answer.json["titles"]?.array ?? []
        #expect(titles.count == played.ids.count + 1)
        #expect(titles.filter { $0["active"]?.bool == false }.count == 1)
        #expect(titles.first?["TitleID"]?.string == played.ids.first)
      }
    }
  }

  @Test func `The catalog at the mock of Axis 360 has pages of five hundred`() async throws {
    try await PlayedAxis360.run(.bigCatalogue) { played in
      let last = try await played.get("titleLicense/v3?modifiedSince=01-01-2000%2000:00:00&page=11")
      #expect(last.json["titles"]?.array?.count == 1)
      let beyond = try await played.get(
        "titleLicense/v3?modifiedSince=01-01-2000%2000:00:00&page=12")
      #expect(beyond.code == "3131" && beyond.json["titles"] == .null)
      #expect(beyond.json["pagination"]?["totalCount"]?.integer == 5001)
    }
  }

  @Test(arguments: [
    ("titleLicense/v3?modifiedSince=soon", "3132"),
    ("titleLicense/v3?modifiedSince=2099-01-01T00:00:00Z", "3134"),
    ("titleLicense/v3", "3132"), ("availability/v2?updatedDate=2000-01-01T00:00:00Z", "3132"),
    ("availability/v2?updatedDate=01-01-2099%2000:00:00", "3134"), ("availability/v2", "3100"),
  ])
  func `The catalog at the mock of Axis 360 checks its dates`(_ target: String, code: String)
    async throws
  {
    try await PlayedAxis360.run { played in
      let answer = try await played.get(target)
      #expect(answer.code == code)
    }
  }

  @Test
  func `the Axis 360 mock lists changed titles and answers null when none changed`() async throws {
    try await PlayedAxis360.run { played in
      played.turn("inactive", [])
      played.advance(LendingRules.day)
      let none = try await played.get("titleLicense/v3?modifiedSince=03-17-2026%2000:00:00")
      #expect(none.code == "0000" && none.json["titles"] == .null)
      let id = played.ids[0]
      #expect(try await played.post("checkout/v2?titleId=\(id)&patronId=\(ada)").code == "0000")
      let some = try await played.get("availability/v2?updatedDate=03-17-2026%2000:00:00")
      #expect(some.all("titleId") == [id])
    }
  }

  @Test func `the Axis 360 mock lists copies, formats and other patrons' loans`() async throws {
    try await PlayedAxis360.run { played in
      let answer = try await played.get("availability/v2?titleIds=\(played.ids[0]),999")
      #expect(answer.all("titleId") == [played.ids[0]])
      #expect(answer.all("totalCopies") == ["3"] && answer.all("availableCopies") == ["2"])
      #expect(answer.all("formatName") == ["ePub", "AxisNow"])
      // Bruno has one of them.
      #expect(answer.all("Patron") == [bruno])
      #expect(!answer.text.contains("<isHoldSuspended>"))
      #expect(answer.text.contains("xmlns=\"http://axis360api.baker-taylor.com/vendorAPI\""))
      let unlimited = try await played.get("availability/v2?titleIds=\(played.ids[2])")
      #expect(unlimited.all("totalCopies") == ["9999"])
    }
  }

  @Test func `The catalog at the mock of Axis 360 refuses addresses that name too many titles`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let ids = (0..<126).map { "00000\($0)" }.joined(separator: ",")
      let answer = try await played.get("availability/v2?titleIds=\(ids)")
      #expect(answer.status == 414)
    }
  }
}
