import HTTP
import JSON
import MockKit
import Testing

@testable import Axis360Mock

@Suite(.serialized) struct `Admission at the mock of Axis 360` {
  @Test func `Admission at the mock of Axis 360 takes user, password and library in sixteen bits`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let answer = try await played.signIn()
      #expect(answer.status == 200 && answer.json["expires_in"]?.integer == 600)
      #expect(answer.json["token_type"]?.string == "Bearer")
    }
  }

  @Test(arguments: [
    // In eight bits; another password; another library; two parts.
    ("Y2FycmVsbW9jazptb2NrLXZlbmRvci1zZWNyZXQ6ZGVtbw==", "2004"),
    ("YwBhAHIAcgBlAGwAbQBvAGMAawA6AHgAOgBkAGUAbQBvAA==", "2005"),
    ("YQA6AGIAOgBjAA==", "2007"), ("YQA6AGIA", "2004"), ("", "1000"),
  ])
  func `Admission at the mock of Axis 360 turns away all else`(_ basic: String, code: String)
    async throws
  {
    try await PlayedAxis360.run { played in
      let answer = try await played.signIn(basic)
      #expect(answer.code == code)
    }
  }

  @Test func `Admission at the mock of Axis 360 tells an unknown token from one that has run out`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let headers: Headers = ["Authorization": "Bearer nonsense", "Library": "demo"]
      let unknown = try await played.send(.get, "availability/v2?patronId=1", headers)
      #expect(unknown.status == 401 && unknown.code == "1001")
      let token = try await played.token()
      played.advance(600_000)
      let old = try await played.send(
        .get, "availability/v2?patronId=1", ["Authorization": "Bearer \(token)", "Library": "demo"])
      #expect(old.status == 401 && old.code == "1002")
    }
  }

  @Test func `Admission at the mock of Axis 360 gives tokens a shorter life when told to`()
    async throws
  {
    try await PlayedAxis360.run { played in
      played.turn("token_seconds", 2)
      let answer = try await played.signIn()
      #expect(answer.json["expires_in"]?.integer == 2)
    }
  }

  @Test func `the Axis 360 mock requires the library name and accepts a token without Bearer`()
    async throws
  {
    try await PlayedAxis360.run { played in
      let token = try await played.token()
      let path = "availability/v2?patronId=\(ada)"
      let bare = try await played.send(.get, path, ["Authorization": token, "Library": "demo"])
      #expect(bare.code == "0000")
      #expect(try await played.send(.get, path, ["Authorization": token]).code == "2008")
      let other = try await played.send(
        .get, path, ["Authorization": token, "Library": "elsewhere"])
      #expect(other.code == "2007")
      #expect(try await played.send(.get, path).code == "1000")
    }
  }

  @Test func `Admission at the mock of Axis 360 takes paths in any case`() async throws {
    try await PlayedAxis360.run { played in
      let loud = try await played.get("AVAILABILITY/V2?patronid=\(ada)")
      let nowhere = try await played.get("nonsense/v2")
      #expect(loud.code == "0000" && nowhere.status == 404)
    }
  }

  @Test func `Admission at the mock of Axis 360 contradicts itself when told to`() async throws {
    try await PlayedAxis360.run { played in
      played.turn("status_mismatch", true)
      let fine = try await played.get("availability/v2?patronId=\(ada)")
      #expect(fine.status == 409 && fine.code == "0000")
      played.turn("status_mismatch", false)
      played.turn("code_shape", "letters")
      #expect(try await played.get("availability/v2?patronId=\(ada)").code == "OK")
      #expect(
        try await played.get("titleLicense/v3?modifiedSince=2000-01-01T00:00:00Z").code == "OK")
      played.turn("code_shape", "missing")
      let bare = try await played.get("availability/v2?patronId=\(ada)")
      #expect(bare.code == nil && bare.text.contains("statusMessage"))
    }
  }
}
