import Circulation
import Foundation
import HTTP
import JSON
import JourneySupport
import OPDS
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A loan that a reading program opens by itself` {
  private func allow(_ stage: Stage) throws {
    let text = try String(contentsOfFile: stage.settings, encoding: .utf8)
    try Data(("http:\n  patron_hosts: [127.0.0.1]\n" + text).utf8)
      .write(to: URL(filePath: stage.settings))
  }

  /// Something to borrow that is guarded in this way.
  private func offer(_ guarding: String, _ stage: Stage) async throws -> JSONValue {
    let found = try await stage.json("search", "the", "--available", "--limit", "200").items
    let offers = found.flatMap { $0["offers"]?.array ?? [] }
    return try #require(
      offers.first {
        $0["drm"]?.string == guarding && $0["terms"]?["kind"]?.string == "loan"
      }, "\(offers.prefix(3))")
  }

  @Test(
    arguments: [("lantern", Engine.sqlite), ("beacon", Engine.postgres)],
    ["application/atom+xml", "application/opds+json"])
  func `a loan's feed entry carries the lender's Adobe token or LCP passphrase, not stored`(
    _ place: (library: String, engine: Engine), _ accept: String
  ) async throws {
    try await Stage.play(place.engine) { stage in
      try allow(stage)
      let told = stage.mock.ready["libraries"]?.array?.first {
        $0["id"]?.string == place.library
      }
      let address = try #require(told?["endpoints"]?["catalog"]?.string)
      try await stage.json(
        "link", "opdslibrary", "--library", address, "--name", "village", "--credentials-stdin",
        input: #"{"card": "\#(Mock.ada)", "pin": "1111"}"#)
      try await stage.json("harvest", "village")
      for guarding in ["adobe", "lcp"] {
        let id = try await offer(guarding, stage)["id"]?.string ?? ""
        let format = try await offer(guarding, stage)["format"]?.string
        #expect(format != nil)
        #expect(try await stage.json("borrow", id).item["result"] == "borrowed")
      }
      let password = try #require(
        try await stage.json("admin", "device", "add", "tablet").item["password"]?.string)
      let secrets = try await RunningGateway.serve(stage) { gateway -> [String] in
        let app = gateway.app(name: "reader", word: password, accept: accept)
        let start = try #require(try await app.ask(gateway.start).feed)
        let shelf = try #require(try await app.follow(start.links.first(.shelf)).feed)
        let keys = shelf.everyPublication.flatMap(\.acquisitions).filter { $0.has(.acquisition) }
        let passphrases = keys.compactMap { $0.keys?.passphrase }
        let passphrase = try #require(passphrases.first)
        let licensors = keys.compactMap { $0.keys?.licensor }
        let licensor = try #require(licensors.first)
        #expect(passphrase.count == 64 && licensor.vendor == "MOCKVENDOR")
        #expect(licensor.clientToken.hasPrefix("MOCK|"))
        // Each stands only where a program looks for it.
        for way in keys {
          let type = way.link.type?.essence ?? ""
          #expect((way.keys?.licensor != nil) == type.hasSuffix("adept+xml"), "\(type)")
          #expect((way.keys?.passphrase != nil) == type.contains("lcp.license"), "\(type)")
        }
        return [passphrase, licensor.clientToken]
      }
      for table in try await stage.tables() {
        let rows = try await stage.rows("SELECT * FROM \(table)").joined().joined(separator: "\n")
        for secret in secrets { #expect(!rows.contains(secret), "\(table)") }
      }
      try await stage.json("loans")
      try await stage.json("sync")
      let all = stage.endings.map { $0.output + $0.error }.joined()
      for secret in secrets { #expect(!all.contains(secret)) }
    }
  }
}
