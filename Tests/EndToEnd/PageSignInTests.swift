import Foundation
import HTTP
import HTTPClient
import JSON
import JourneySupport
import TestSupport
import Testing

@Suite struct `A reader who signs in at the library's own page` {
  /// What the browser of a reader would do: fill in the form, follow the way back.
  private func visit(_ page: String, _ answer: String) async throws {
    let address = try Address(page)
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    var form = HTTPClient.Request(.post, try Address("http://\(address.authority)/auth"))
    form.headers.set("Content-Type", "application/x-www-form-urlencoded")
    let fields = "\(address.query ?? "")&username=\(Mock.ada)&password=1111&allow=\(answer)"
    form.body = .bytes(Array(fields.utf8))
    form.redirects = .returned
    let back = try await client.send(form)
    let way = try #require(back.headers["Location"])
    #expect(try await client.send(HTTPClient.Request(.get, Address(way))).status == .ok)
    await client.shutdown()
  }

  private func links(_ stage: Stage, _ answer: String) async throws {
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try Data(
      text.replacingOccurrences(of: "    website_id", with: "    sign_in: page\n    website_id")
        .utf8
    )
    .write(to: URL(filePath: stage.settings))
    let linking = try stage.startTalking(["link", "overdrive", "--library", "city"])
    var page: String?
    while page == nil, let line = try await linking.nextLine() {
      page = line.hasPrefix("http://") ? line : nil
    }
    try await visit(try #require(page), answer)
    #expect(try await linking.waitForEnd() == .exited(0))
  }

  /// The service replaces the refresh token at every use, the first one included.
  @Test
  func `a sign-in at the library's own page lasts from one command to the next`() async throws {
    try await Stage.play { stage in
      try await links(stage, "always")
      for _ in 0..<3 { try await stage.json("sync") }
      try await stage.mock.advance("2h")
      #expect(try await stage.json("account", "check").item["error"] == .null)
    }
  }

  @Test
  func `a sign-in allowed once at the library's page ends and asks to sign in again`() async throws
  {
    try await Stage.play { stage in
      try await links(stage, "once")
      #expect(try await stage.json("sync").item["state"] == "fresh")
      try await stage.mock.advance("2h")
      let ended = try await stage.json("account", "check", "city", exit: 4)
      #expect(ended.failure["code"] == "credentials_rejected")
      #expect(ended.failure["try"] == "carrel account login city")
    }
  }
}
