import Foundation
import JSON
import JourneySupport
import TestSupport
import Testing

/// `carrel doctor` at a house with a card, with and without a gateway that runs.
@Suite(.timeLimit(.minutes(5))) struct `The doctor` {
  private func states(_ ending: Ending) throws -> [(check: String, state: String)] {
    try ending.items.map { item in
      (try #require(item["check"]?.string), try #require(item["state"]?.string))
    }
  }

  @Test(arguments: Engine.allCases)
  func `The doctor finds a good house good`(engine: Engine) async throws {
    try await Stage.play(engine) { stage in
      // A demo may run at the port that settings have by default.
      try stage.addSettings("server:\n  port: \(try sparePort())\n")
      try await stage.link(Mock.ada, "1111", as: "city")
      try await stage.json("harvest")
      try await stage.json("sync")
      let ending = try await stage.json("doctor")
      let found = try states(ending)
      let wanted: Set = [
        "config", "environment", "permissions", "disk", "limits", "certificates", "database",
        "backup", "vault", "network", "patrons", "linking",
        "sign-in", "last-success", "clock", "feeds", "sync", "gateway", "pictures", "public-url",
      ]
      #expect(Set(found.map(\.check)) == wanted)
      #expect(!found.contains { $0.state == "fail" }, "\(ending.output)")
      let lines = try await stage.carrel("doctor")
      #expect(lines.code == 0)
      #expect(lines.output.contains("ok    vault: It opens.\n"))
      #expect(lines.output.contains("warn  gateway: None runs at 127.0.0.1:"))
      #expect(lines.output.contains("      try: carrel serve\n"))
      for word in [Mock.ada, "1111"] { #expect(!lines.output.contains(word)) }
    }
  }

  @Test func `The doctor names what is wrong, and what to do`() async throws {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      try stage.addSettings(
        "server:\n  public_url: https://127.0.0.1:9\n  listen: [0.0.0.0]\n  port: 9\n")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: stage.vaultKey)
      try await stage.mock.end()
      let ending = try await stage.json("doctor", exit: 3)
      func item(_ check: String) -> JSONValue? {
        ending.items.first { $0["check"]?.string == check && $0["state"]?.string != "ok" }
      }
      #expect(item("permissions")?["try"]?.string == "chmod 600 \(stage.vaultKey)")
      #expect(item("vault")?["state"] == "fail")
      #expect(item("network")?["message"]?.string?.contains("takes no connection") == true)
      #expect(item("public-url")?["state"] == "warn")
      #expect(item("gateway")?["state"] == "warn")
      try stage.addSettings("nonsense: true\n")
      let broken = try await stage.carrel("doctor")
      #expect(broken.code == 10)
      #expect(broken.output.hasPrefix("fail  config: "))
    }
  }

  @Test func `The doctor says that no server can be reached without trusted certificates`()
    async throws
  {
    try await Stage.play { stage in
      let missing = stage.key("none.pem")
      let ending = try await stage.carrel(
        ["doctor", "--json"], variables: ["SSL_CERT_FILE": missing])
      #expect(ending.code == 3)
      let item = ending.items.first { $0["check"] == "certificates" }
      #expect(item?["state"] == "fail", "\(ending.output)")
      #expect(item?["message"]?.string?.contains(missing) == true)
    }
  }

  @Test func `The doctor sees the gateway that runs, and the way to it from outside`() async throws
  {
    try await Stage.play { stage in
      try await RunningGateway.serve(stage) { gateway in
        try stage.addSettings(
          "server:\n  port: \(gateway.port)\n  public_url: \(gateway.site)\n"
            + "http:\n  ca_file: \(gateway.certificate)\n")
        let ending = try await stage.json("doctor")
        let found = ending.items.filter {
          ["gateway", "public-url"].contains($0["check"]?.string ?? "")
        }
        #expect(found.map { $0["state"]?.string } == ["ok", "ok"], "\(found)")
        #expect(found.last?["message"]?.string?.contains("its links lead back") == true)
      }
    }
  }

  @Test func `The doctor puts no secret into the archive for helpers`() async throws {
    try await Stage.play { stage in
      let markers = [
        "MARKER-client-secret", "MARKER-mail-password", "MARKER-metrics-token", "MARKER-env-token",
        "MARKER-db-password", "MARKER-reader-name",
      ]
      try await stage.link(Mock.ada, "1111", as: "city")
      try stage.writeSettings(secret: markers[0])
      try stage.writeKey(markers[1], to: "mail")
      try stage.writeKey(markers[2], to: "metrics")
      try stage.addSettings(
        """
        mail:
          server: mail.example.org
          from: carrel@example.org
          username: carrel
          password_file: \(stage.key("mail"))
        metrics:
          token_file: \(stage.key("metrics"))

        """)
      let whole = try await archive(of: stage, ["CARREL_MARKER_TOKEN": markers[3]], markers)
      #expect(whole.files == 9)
      #expect(whole.text.contains("\"key\":\"mail.password_file\""))
      #expect(whole.text.contains("CARREL_MARKER_TOKEN"))
      let address = "postgres://carrel:\(markers[4])@127.0.0.1:9/none"
      let partial = try await archive(of: stage, ["CARREL_DATABASE_URL": address], markers)
      #expect(partial.files == 7, "the house cannot be opened")
    }
  }

  /// Written, looked at, and searched for what must not be in it.
  private func archive(
    of stage: Stage, _ variables: [String: String], _ markers: [String]
  ) async throws -> (files: Int, text: String) {
    let archive = stage.key("support.tar")
    let ending = try await stage.carrel(
      ["--as", markers[5], "doctor", "--bundle", archive], variables: variables)
    let attributes = try FileManager.default.attributesOfItem(atPath: archive)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let files = try await run("tar", ["-tf", archive]).outputText.split(separator: "\n")
    #expect(files.allSatisfy { $0.hasPrefix("carrel-support/") })
    for file in files {
      #expect(ending.error.contains(file.dropFirst("carrel-support/".count)), "\(file)")
    }
    let text = String(decoding: try Data(contentsOf: URL(filePath: archive)), as: UTF8.self)
    let key = try Data(contentsOf: URL(filePath: stage.vaultKey)).base64EncodedString()
    for marker in markers + [Mock.ada, key] {
      #expect(!text.contains(marker), "\(marker)")
      #expect(!ending.output.contains(marker) && !ending.error.contains(marker), "\(marker)")
    }
    return (files.count, text)
  }
}
