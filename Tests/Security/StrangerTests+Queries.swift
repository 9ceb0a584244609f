import Foundation
import HTTP
import HTTPClient
import JourneySupport
import TestSupport
import Testing

/// Finding 11: what a stranger or a patron puts behind the question mark is not repeated in every form and link.
/// `SimulationTests` asks every route; these are the main ones on the real programs.
@Suite struct StrangerQueryTests {
  @Test func `a query of eight kilobytes makes no answer more than 32 KiB longer`() async throws {
    try await Stage.playOnEach { stage in
      let title = try await stage.furnish()
      try await RunningGateway.serve(stage) { gateway in
        let word = String(title.prefix { $0 != " " })
        let junk = String(repeating: "%22%3C", count: 1300)
        var patron = Visitor(gateway)
        let status = try await patron.signIn(Mock.ada, "1111")
        #expect(status == 303)
        var asked = 0
        for visitor in [Visitor(gateway), patron] {
          var visitor = visitor
          for target in try await Self.targets(&visitor) + ["/search?q=\(word)"] {
            let mark = target.contains("?") ? "&" : "?"
            let plain = try await visitor.send(target).body.count
            for query in ["junk=\(junk)", "q=\(junk)", "format=\(junk)", "then=\(junk)"] {
              let reply = try await visitor.send("\(target)\(mark)\(query)")
              let more = reply.body.count - plain
              #expect(
                more <= 32 << 10, "\(target) with \(query.prefix(8)): \(plain) and \(more) bytes")
              asked += 1
            }
          }
        }
        #expect(asked > 100)
      }
    }
  }

  /// Where pages and feeds lead to from the first ones.
  private static func targets(_ visitor: inout Visitor) async throws -> [String] {
    let starts = [
      "/", "/my-books", "/downloads", "/you", "/sign-in", "/nowhere", "/opds", "/opds/1",
      "/opds/2", "/opds/shelf", "/opds/search",
    ]
    var found: Set<String> = []
    for start in starts {
      let text = String(decoding: try await visitor.send(start).body, as: UTF8.self)
      for match in text.matches(of: #/"(?:https://[^"\/]+)?\/lib(\/[^"#{]*)"/#) {
        let target = String(match.1).replacingOccurrences(of: "&amp;", with: "&")
        if !target.hasPrefix("/assets"), !target.hasPrefix("/sign-in?"), target.utf8.count < 200 {
          found.insert(target)
        }
      }
    }
    return starts + found.sorted().prefix(40)
  }
}
