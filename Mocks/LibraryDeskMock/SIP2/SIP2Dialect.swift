import HTTP
import HTTPServer
import JSON
package import MockKit

/// A library's server for self-service machines, in the manner of ten makers. It sums up what it
/// receives, and answers only who has signed in where that is wanted.
package enum SIP2Dialect {
  package static let name = "sip2"
  package static let makers = Habit.all.map(\.name)
  package static let login = (user: "carrel", password: "mock-machine-secret")

  package static let dialect = Dialect(
    name: name,
    libraries: { scenario, seed, now in libraries(scenario, seed, now) },
    operation: { request in
      guard request.path.first == "lines", request.path.count == 3 else { return nil }
      return (try? LineQuestion(request.body))?.name ?? "unreadable"
    },
    answer: { request, state in LineCall(request, state)?.answer(&state) ?? closing },
    failure: { _, _ in closing },
    veil: { request in
      guard request.path.first == "lines" else { return request }
      var request = request
      let veiled = (try? LineQuestion(request.body))?.veiled
      request.body = Array((veiled ?? "unreadable, \(request.body.count) bytes").utf8)
      return request
    },
    spoilLine: { fault, request, response, state in
      LineCall(request, state)?.spoiled(response, by: fault) ?? response
    })

  /// All libraries of a world that listen for machines.
  package static func desks(in world: MockWorld) -> [(provider: String, library: String)] {
    world.withState { state in
      state.libraries.filter { $0.settings["sip2_password"] != nil }.map { ($0.provider, $0.id) }
    }
  }

  static let closing: Response = {
    var response = Response()
    response.headers.set("Connection", "close")
    return response
  }()

  private static func libraries(
    _ scenario: Scenario, _ seed: UInt64, _ now: Moment
  ) -> [MockLibrary] {
    makers.map { maker in
      var rules = LendingRules()
      (rules.wholeDays, rules.fetchesByHand) = (true, true)
      (rules.missedOffer, rules.offerPeriod) = (.dropsHold, 3 * LendingRules.day)
      var lending = LendingLibrary(rules: rules)
      for card in scenario.cards { lending.add(card) }
      let titles = SeededTitles(seed: seed)
      for index in 0..<min(scenario.titles, 400) {
        let pattern = titles.title(6 + index, addedBefore: now)
        var title = Title(
          id: "\(8000 + index)", name: pattern.name, authors: pattern.authors,
          copies: .counted(1 + index % 3), added: pattern.added)
        title.medium = "book"
        lending.add(title)
      }
      scenario.arrange(&lending, now)
      return MockLibrary(
        id: maker, provider: name, name: "The \(maker) library", lending: lending,
        settings: [
          "maker": .string(maker), "institution": "MAIN", "sip2_login": .string(login.user),
          "sip2_password": .string(login.password),
        ],
        endpoints: { _ in
          [
            "sip2_maker": .string(maker), "sip2_login": .string(login.user),
            "sip2_password": .string(login.password), "sip2_institution": "MAIN",
          ]
        })
    }
  }
}
