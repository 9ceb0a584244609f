import JSON
import JourneySupport
import TestSupport
import Testing

/// Links that a command prints for people, where no setting names the site.
@Suite struct `Links that commands print` {
  @Test func `a command prints links with the port of the gateway that runs, not of the settings`()
    async throws
  {
    try await Stage.play { stage in
      try await stage.link(Mock.ada, "1111", as: "city")
      let gateways = try await Upstreams(stage, count: 1)
      let front = "http://127.0.0.1:\(gateways.ports[0])/"
      let link = try await stage.json("admin", "sign-in-link", "reader")
      #expect(link.item["address"]?.string?.hasPrefix(front) == true, "\(link.output)")
      let calendar = try await stage.json("calendar", "new")
      #expect(calendar.output.contains(front), "\(calendar.output)")
      try await gateways.end()
      let later = try await stage.json("admin", "sign-in-link", "reader")
      #expect(later.item["address"]?.string?.hasPrefix("http://127.0.0.1:8080/") == true)
    }
  }
}
