import Foundation
import HTTP
import HTTPServer
import Testing

@testable import Bootstrap

/// Finding 11: an address with 8 KB behind its question mark was answered with 393 KB.
@Suite(.timeLimit(.minutes(10))) struct `A query of eight kilobytes` {
  private static let names = [
    "q", "query", "title", "author", "genre", "available", "format", "language", "library", "sort",
    "count", "page", "show", "from", "at", "then", "did", "of", "kind", "find", "for", "after",
  ]

  private static let queries: [(name: String, query: String)] = {
    // Nothing of it stays as short as it is in an address.
    let long = String(repeating: "%22%3C", count: 1300)
    let words = String(repeating: "a+", count: 3900)
    let each = names.map { "\($0)=" + String(repeating: "%22", count: 110) }
    return [
      ("unknown", "junk=\(long)"), ("q", "q=\(long)"), ("words", "q=\(words)"),
      ("at", "from=1&at=\(long)"), ("then", "then=/\(words)"), ("all", each.joined(separator: "&")),
      (
        "many",
        (0..<1000).map { "q=\($0)" }.joined(separator: "&")
      ),
    ]
  }()

  @Test func `A query of eight kilobytes makes no page or feed much longer`() async throws {
    try await OpenGateway.run { open in
      var asked = 0
      for visitor in [open.stranger, open.ada] {
        var targets = Set(try await visitor.walk().pages.keys)
        for row in open.gateway.routes.table where row.methods.contains(.get) {
          targets.insert(row.pattern.replacing(/\{[a-z]+\}/, with: "x"))
        }
        for target in targets.sorted() {
          guard let plain = try? await visitor.ask(.get, target).text.utf8.count else { continue }
          for (name, query) in Self.queries {
            let mark = target.contains("?") ? "&" : "?"
            guard
              let answer = try? await visitor.ask(
                .get, String("\(target)\(mark)\(query)".prefix(8150)))
            else { continue }
            let more = answer.text.utf8.count - plain
            #expect(more <= 32 << 10, "\(name) at \(target): \(plain) and \(more) bytes")
            asked += 1
          }
        }
      }
      #expect(asked > 1000)
    }
  }
}
