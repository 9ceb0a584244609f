import Circulation
import MockKit
import Testing

extension Promise {
  static let holding = [
    Promise("a reader joins the line for what is out", [.holds, .shelf]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      let hold = try await visit.join(item)
      #expect(hold.item == item)
      #expect(!hold.isReady)
      #expect(visit.hold() != nil)
      let shown = try await visit.ada.shelf(in: visit.call).hold(on: item)
      #expect(shown?.isReady == false)
      if visit.house.tellsPlaces { #expect(shown?.status == hold.status) }
    },
    Promise("nobody waits for what can be borrowed now", [.holds, .lending]) { visit in
      let item = try visit.title()
      #expect(try await refusal { try await visit.join(item) } == .currentlyAvailable)
      #expect(visit.truth.holds.isEmpty)
    },
    Promise("nobody stands in one line twice", [.holds]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      let first = try await visit.join(item)
      do {
        #expect(try await visit.join(item).item == first.item)
      } catch let error as CirculationError {
        #expect(error.reason == .alreadyOnHold)
      }
      #expect(visit.truth.holds.count == 1)
    },
    Promise("nobody waits for what the library does not have", [.holds]) { visit in
      let reason = try await refusal { try await visit.join(visit.unknown) }
      #expect(reason == .noLicenses || reason == .titleGone)
    },
    Promise("a reader waits for as many titles as is allowed, and no more", [.holds]) { visit in
      let items = try visit.titles(1...3)
      for number in 1...3 { try visit.crowd(1, borrows: number) }
      try visit.inside { library, _ in library.change(Reader.ada.card) { $0.holdLimit = 2 } }
      for item in items.prefix(2) { _ = try await visit.join(item) }
      let reason = try await refusal { try await visit.join(items[2]) }
      guard case .holdLimitReached(let limit)? = reason else {
        Issue.record("not refused for the limit but \(reason?.code ?? "taken")")
        return
      }
      #expect(limit == nil || limit == 2)
      #expect(visit.truth.holds.count == 2)
    },
    Promise("who leaves a line has left it", [.holds, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      try await visit.ada.cancelHold(on: item, in: visit.call)
      #expect(visit.hold() == nil)
      #expect(try await visit.ada.shelf(in: visit.call).holds.isEmpty)
    },
    Promise("a line that one has left cannot be left again", [.holds]) { visit in
      let item = try visit.title()
      try visit.queue()
      try await visit.ada.cancelHold(on: item, in: visit.call)
      let reason = try await refusal { try await visit.ada.cancelHold(on: item, in: visit.call) }
      #expect(reason == .notOnHold)
    },
    Promise("nobody leaves a line for another", [.holds]) { visit in
      let item = try visit.title()
      try visit.queue(1, .bruno)
      let reason = try await refusal { try await visit.ada.cancelHold(on: item, in: visit.call) }
      #expect(reason == .notOnHold)
      #expect(visit.hold(.bruno) != nil)
    },
    Promise("the address that an account has for notices stays what it was", [.holds]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      let options = HoldOptions(email: "somebody.else@example.org")
      _ = try await visit.ada.placeHold(on: item, options: options, in: visit.call)
      #expect(visit.truth.patrons[Reader.ada.card]?.email == "ada@example.org")
    },
  ]

  static let queueing = [
    Promise("the line keeps its order, and moves up as others leave it", [.holds, .shelf]) {
      visit in
      let item = try visit.title()
      try visit.crowd(1)
      _ = try await visit.bruno.placeHold(on: item, options: .init(), in: visit.call)
      _ = try await visit.chinua.placeHold(on: item, options: .init(), in: visit.call)
      _ = try await visit.join(item)
      #expect(visit.truth.queue(for: visit.id()).map(\.card).last == Reader.ada.card)
      try await visit.stands(at: 3, inLineFor: item)
      try await visit.bruno.cancelHold(on: item, in: visit.call)
      try await visit.stands(at: 2, inLineFor: item)
      try await visit.chinua.cancelHold(on: item, in: visit.call)
      try await visit.stands(at: 1, inLineFor: item)
    },
    Promise("to be the next is not to be ready", [.holds, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      let hold = try await visit.ada.shelf(in: visit.call).hold(on: item)
      #expect(hold?.isReady == false)
    },
    Promise("a ready hold is ready until a time that is told", [.holds, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      try visit.crowdReturns()
      let hold = try await visit.ada.shelf(in: visit.call).hold(on: item)
      #expect(hold?.status == .ready(until: visit.hold()?.readyUntil?.date))
    },
    Promise("a ready hold lends its own copy though others wait", [.holds, .lending, .shelf]) {
      visit in
      let item = try visit.title()
      try visit.queue()
      try visit.crowd(3, waitsFor: 1)
      try visit.crowdReturns()
      _ = try await visit.borrow(item)
      #expect(visit.loan() != nil)
      #expect(try await visit.ada.shelf(in: visit.call).holds.isEmpty)
    },
    Promise("an offer that is not taken lapses and goes to the next", [.holds, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      try visit.queue(1, .bruno)
      try visit.crowdReturns()
      visit.time.pass(days: 4)
      let missed = try await visit.ada.shelf(in: visit.call).hold(on: item)
      #expect(missed?.isReady != true)
      let next = try await visit.bruno.shelf(in: visit.call).hold(on: item)
      #expect(next?.isReady == true)
    },
    Promise("a copy that comes back makes the first in line ready", [.holds, .shelf]) { visit in
      let item = try visit.title(copies: .counted(2))
      try visit.crowd(2)
      try visit.queue()
      try visit.queue(1, .bruno)
      try visit.crowdReturns()
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.isReady == true)
      #expect(try await visit.bruno.shelf(in: visit.call).hold(on: item)?.isReady == false)
    },
  ]

  static let suspending = [
    Promise("a hold that rests says so", [.suspension, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      let hold = try await visit.ada.suspendHold(on: item, days: nil, in: visit.call)
      #expect(hold.word == "suspended")
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.word == "suspended")
    },
    Promise("a hold that rests is passed over", [.suspension, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      try visit.queue(1, .bruno)
      _ = try await visit.ada.suspendHold(on: item, days: nil, in: visit.call)
      try visit.crowdReturns()
      #expect(try await visit.ada.shelf(in: visit.call).hold(on: item)?.isReady == false)
      #expect(visit.hold(.bruno)?.isReady == true)
    },
    Promise("a hold that rested has kept its place", [.suspension, .shelf]) { visit in
      let item = try visit.title()
      try visit.queue()
      _ = try await visit.ada.suspendHold(on: item, days: nil, in: visit.call)
      try visit.crowd(2, waitsFor: 1)
      let hold = try await visit.ada.resumeHold(on: item, in: visit.call)
      #expect(hold.word == "waiting")
      #expect(try await visit.place(of: item) == 1)
    },
    Promise("a hold that rests can be told to rest once more", [.suspension]) { visit in
      let item = try visit.title()
      try visit.queue()
      for _ in 0..<2 {
        let hold = try await visit.ada.suspendHold(on: item, days: nil, in: visit.call)
        #expect(hold.word == "suspended")
      }
    },
    Promise("no hold rests or goes on where there is none", [.suspension]) { visit in
      let item = try visit.title()
      try visit.crowd(1)
      let call = visit.call
      #expect(
        try await refusal { try await visit.ada.suspendHold(on: item, days: nil, in: call) }
          == .notOnHold)
      #expect(
        try await refusal { try await visit.ada.resumeHold(on: item, in: call) } == .notOnHold)
    },
  ]
}

extension Premises {
  @discardableResult
  func join(_ item: ItemID) async throws -> Circulation.Hold {
    try await ada.placeHold(on: item, options: HoldOptions(), in: call)
  }

  /// Ada's place in line, as her shelf tells it.
  /// As the library has it, and as it is told where lists tell it.
  func stands(at place: Int, inLineFor item: ItemID) async throws {
    #expect(hold().flatMap { truth.position(of: $0) } == place)
    if house.tellsPlaces { #expect(try await self.place(of: item) == place) }
  }

  func place(of item: ItemID) async throws -> Int? {
    let hold = try await ada.shelf(in: call).hold(on: item)
    guard case .waiting(let position, _)? = hold?.status else { return nil }
    return position
  }
}
