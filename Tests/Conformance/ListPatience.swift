import Circulation
import HTTP
import MockKit
import ProviderKit
import Testing

extension Promise {
  /// The same that is asked of shelves: how long, how often, and in which words.
  static let listPatience = [
    Promise("a wrong secret opens no lists", [.lists]) { visit in
      guard visit.house.turnsAway.contains(.wrongPIN) else { return }
      for work in try visit.desk(.mistyped).questionsAboutLists(visit) {
        #expect(try await refusal(work) == .credentialsRejected)
      }
      _ = try await visit.ada.lists(in: visit.call)
    },
    Promise("past the deadline no list is asked for", [.lists]) { visit in
      let late = visit.call(for: .milliseconds(-1))
      let reason = try await refusal { try await visit.ada.lists(in: late) }
      #expect(reason == .deadlineExceeded && visit.requests.isEmpty)
    },
    Promise("a silent service is waited for until the deadline, for lists", [.lists]) { visit in
      visit.arm(.timeout)
      let start = ContinuousClock.now
      let reason = try await refusal {
        try await visit.ada.lists(in: visit.call(for: .milliseconds(300)))
      }
      let took = start.duration(to: .now)
      #expect(reason == .deadlineExceeded && took >= .milliseconds(250) && took < .seconds(2))
    },
    Promise("a passing fault is not noticed by who reads a list", [.lists]) { visit in
      let item = try visit.title()
      try visit.list()
      for kind in [Fault.Kind.status(503), .reset, .rateLimit(retryAfter: 2)] {
        visit.arm(kind, .first(1))
        #expect(try await visit.entries().map(\.item) == [item], "\(kind)")
        visit.mend()
      }
    },
    Promise("the service's pace is kept", [.lists]) { visit in
      let spacing = visit.house.listing.pace.spacing
      guard spacing > .zero else { return }
      let start = visit.time.now
      for _ in 0..<4 { _ = try await visit.ada.lists(in: visit.patientCall) }
      let count = visit.requests.count
      #expect(start.duration(to: visit.time.now) >= spacing * (count - 1))
    },
    Promise("a change is sent once, though its answer is lost", [.lists, .listWriting]) { visit in
      let item = try visit.title()
      _ = try await visit.ada.lists(in: visit.call)
      let before = visit.requests.count
      visit.arm(.resetAfter)
      let entry = ListEntry(item: item, title: "x")
      _ = try await refusal {
        try await visit.ada.add(entry, to: visit.house.lists.here, in: visit.call)
      }
      #expect(visit.requests.dropFirst(before).count { $0.request.method != .get } <= 1)
      visit.mend()
      try await visit.ada.add(entry, to: visit.house.lists.here, in: visit.call)
      #expect(try await visit.entries().map(\.item) == [item])
    },
    Promise("a status that nobody knows is no answer about lists", [.lists]) { visit in
      let item = try visit.title()
      try visit.list()
      for status in [400, 402, 418, 422, 451, 499, 505, 599] {
        for deed in visit.deedsOnLists {
          visit.arm(.status(status))
          let error = await #expect(throws: CirculationError.self, "\(deed.name), \(status)") {
            _ = try await deed.perform(
              visit.afterRestart(.ada), item, visit.call(for: .seconds(9)))
          }
          #expect(error?.operation == deed.operation && error?.reason != .cancelled)
          #expect(error?.provider == visit.house.listing.id)
          visit.mend()
        }
      }
    },
    Promise("no secret of a list's reader stands in a journal or an error", [.lists]) { visit in
      let item = try visit.title()
      try visit.list()
      var said: [String] = []
      for kind in [nil, Fault.Kind.status(401), .status(403), .gatewayPage, .reset] {
        for deed in visit.deedsOnLists {
          for reader in [Reader.ada, .mistyped] {
            if let kind { visit.arm(kind, .every(2)) }
            do {
              _ = try await deed.perform(
                visit.afterRestart(reader), item, visit.call(for: .seconds(9)))
            } catch { said.append("\(error) \(String(reflecting: error))") }
            visit.mend()
          }
        }
      }
      said += visit.ledger.entries.map { "\($0)" }
      let text = said.joined(separator: "\n")
      let secrets = Set([Reader.ada, .mistyped].flatMap { [$0.card, $0.pin] })
      #expect(!said.isEmpty)
      for secret in secrets.union(visit.house.secrets) {
        #expect(!text.contains(secret), "a secret of \(secret.count)")
      }
    },
  ]
}

extension Premises {
  fileprivate var deedsOnLists: [Deed] {
    Deed.lists(house.lists).filter { declares($0.capability) }
  }
}

extension CirculationProvider {
  fileprivate func questionsAboutLists(_ visit: Premises) -> [@Sendable () async throws -> Void] {
    [
      { _ = try await checkAccount(in: visit.call) }, { _ = try await lists(in: visit.call) },
      { _ = try await items(of: visit.house.lists.here, from: nil, in: visit.call) },
    ]
  }
}
