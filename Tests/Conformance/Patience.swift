import Circulation
import HTTP
import MockKit
import ProviderKit
import Synchronization
import Testing

extension Promise {
  /// How long a reader waits, and what a fault may cost.
  static let patience = [
    Promise("past the deadline nothing is sent", [.shelf]) { visit in
      let late = visit.call(for: .milliseconds(-1))
      #expect(try await refusal { try await visit.ada.shelf(in: late) } == .deadlineExceeded)
      #expect(visit.requests.isEmpty)
      _ = try await visit.ada.shelf(in: visit.call)
      let before = visit.requests.count
      let later = visit.call(for: .milliseconds(-1))
      #expect(try await refusal { try await visit.ada.shelf(in: later) } == .deadlineExceeded)
      #expect(visit.requests.count == before)
    },
    Promise("a service that does not answer is waited for until the deadline", [.shelf]) { visit in
      _ = try await visit.ada.shelf(in: visit.call)
      visit.arm(.timeout)
      let (reason, took) = try await visit.timed { visit in
        try await visit.ada.shelf(in: visit.call(for: .milliseconds(300)))
      }
      #expect(reason == .deadlineExceeded)
      #expect(took >= .milliseconds(250) && took < .seconds(2))
    },
    Promise("a sign-in that does not end is waited for until the deadline", [.shelf]) { visit in
      visit.arm(.timeout)
      let (reason, took) = try await visit.timed { visit in
        try await visit.ada.shelf(in: visit.call(for: .milliseconds(300)))
      }
      #expect(reason == .deadlineExceeded)
      #expect(took < .seconds(2))
    },
    Promise("nobody waits longer because another one may", [.shelf]) { visit in
      visit.arm(.timeout)
      let patient = Task { try await visit.ada.shelf(in: visit.call(for: .seconds(6))) }
      while visit.requests.isEmpty { await Task.yield() }
      let (reason, took) = try await visit.timed { visit in
        try await visit.ada.shelf(in: visit.call(for: .milliseconds(300)))
      }
      patient.cancel()
      #expect(reason == .deadlineExceeded)
      #expect(took < .seconds(2))
    },
    Promise("nobody is turned away because another one was in a hurry", [.shelf]) { visit in
      let item = try visit.title()
      try visit.lend()
      visit.arm(.timeout, .first(1))
      let hurried = Task { try await visit.ada.shelf(in: visit.call(for: .milliseconds(300))) }
      while visit.requests.isEmpty { await Task.yield() }
      #expect(try await visit.ada.shelf(in: visit.call).loans.map(\.item) == [item])
      _ = await hurried.result
    },
    Promise("what is cancelled ends at once, and as cancelled", [.shelf]) { visit in
      _ = try await visit.ada.shelf(in: visit.call)
      #expect(try await visit.cancelled(after: visit.requests.count) == .cancelled)
    },
    Promise("a sign-in that is cancelled ends at once, and as cancelled", [.shelf]) { visit in
      let reason = try await visit.cancelled(after: 0)
      #expect(reason == .cancelled)
    },
    Promise("a passing fault is not noticed by who asks", [.shelf]) { visit in
      let item = try visit.title()
      try visit.lend()
      _ = try await visit.ada.shelf(in: visit.call)
      for kind in [Fault.Kind.status(503), .reset, .rateLimit(retryAfter: 2)] {
        visit.arm(kind, .first(1))
        #expect(try await visit.ada.shelf(in: visit.call).loans.map(\.item) == [item], "\(kind)")
      }
    },
    Promise("a loan whose answer was lost is found on the shelf", [.lending, .shelf]) { visit in
      let item = try visit.title()
      _ = try await visit.ada.shelf(in: visit.call)
      visit.arm(.resetAfter, .first(1))
      let reason = try await refusal { try await visit.ada.checkOut(item, as: nil, in: visit.call) }
      #expect(reason == nil || reason?.leavesOutcomeOpen == true)
      visit.mend()
      #expect(try await visit.ada.shelf(in: visit.call).loans.map(\.item) == [item])
      try await visit.borrow(item)
      #expect(visit.truth.loans.count == 1)
    },
    Promise("a command is sent once, though its answer is lost", [.holds]) { visit in
      let item = try visit.title()
      try visit.queue()
      _ = try await visit.ada.checkAccount(in: visit.call)
      let before = visit.requests.count
      visit.arm(.resetAfter, on: visit.house.leavingAfterLook)
      _ = try await refusal { try await visit.ada.cancelHold(on: item, in: visit.call) }
      let sent = visit.requests.dropFirst(before).filter {
        $0.request.method != .get || visit.house.commandsByGet.contains($0.operation)
      }
      #expect(sent.count == 1)
    },
  ]

  /// What is said of whom.
  static let discretion = [
    Promise("errors name their provider and operation", [.shelf]) { visit in
      let item = try visit.title()
      for deed in Deed.all where visit.declares(deed.capability) {
        for reader in [Reader.ada, .mistyped] {
          if reader == .ada { visit.arm(.status(503)) }
          do {
            _ = try await deed.perform(
              visit.afterRestart(reader), item, visit.call(for: .milliseconds(900)))
          } catch let error as CirculationError {
            #expect(error.operation == deed.operation, "\(deed.name) of \(reader)")
            #expect(error.provider == visit.house.listing.id, "\(deed.name)")
          }
          visit.mend()
        }
      }
    },
    Promise("a status that nobody knows is no success", [.shelf]) { visit in
      let item = try visit.title()
      for status in [400, 402, 418, 422, 451, 499, 505, 599] {
        for deed in Deed.all
        where visit.declares(deed.capability)
          && !visit.house.answersAlone.contains(deed.operation)
        {
          visit.arm(.status(status))
          let error = await #expect(throws: CirculationError.self, "\(deed.name), \(status)") {
            _ = try await deed.perform(
              visit.afterRestart(.ada), item, visit.call(for: .milliseconds(900)))
          }
          #expect(error?.reason != .cancelled)
          visit.mend()
        }
      }
    },
    Promise("no secret stands in a journal or an error", [.shelf]) { visit in
      let item = try visit.title()
      var said: [String] = []
      for kind in [nil, Fault.Kind.status(401), .status(500), .gatewayPage, .reset] {
        for deed in Deed.all where visit.declares(deed.capability) {
          for reader in Reader.allCases {
            if let kind { visit.arm(kind, .every(2)) }
            do {
              _ = try await deed.perform(
                visit.afterRestart(reader), item, visit.call(for: .milliseconds(900)))
            } catch { said.append("\(error) \(String(reflecting: error))") }
            visit.mend()
          }
        }
      }
      said += visit.ledger.entries.map { "\($0)" }
      let text = said.joined(separator: "\n")
      #expect(said.count > 50)
      for secret in visit.secrets { #expect(!text.contains(secret), "a secret of \(secret.count)") }
    },
  ]
}

extension Premises {
  /// Everything that must not be seen: what readers know, and what went over the wire to prove it.
  fileprivate var secrets: Set<String> {
    var found = Set(Reader.allCases.flatMap { [$0.card, $0.pin] })
    for entry in requests {
      if let token = entry.request.bearer { found.insert(token) }
      if let pair = entry.request.basic { found.insert(pair) }
      if let cookie = entry.request.headers["Cookie"] { found.insert(cookie) }
    }
    return found.union(house.secrets)
  }

  fileprivate func timed<Value>(
    _ work: (Premises) async throws -> Value
  ) async throws -> (CirculationError.Reason?, Duration) {
    let start = ContinuousClock.now
    let reason = try await refusal { try await work(self) }
    return (reason, start.duration(to: .now))
  }

  /// What a reader hears who gives up as soon as so many requests and one more have been sent.
  fileprivate func cancelled(after count: Int) async throws -> CirculationError.Reason? {
    arm(.timeout)
    let (reason, took) = try await timed { visit in
      let reader = Task { try await visit.ada.shelf(in: visit.call(for: .seconds(15))) }
      while visit.requests.count <= count { await Task.yield() }
      reader.cancel()
      return try await reader.value
    }
    #expect(took < .seconds(2))
    return reason
  }
}
