import Circulation
import FoundationEssentials
import Testing

@testable import Wishes

private let minute: Int64 = 60_000

private func heard(_ status: Availability.Status, at moment: Int64) -> Availability {
  Availability(status, asOf: Date(milliseconds: moment))
}

private func sight(
  _ ways: (Availability.Status, Int64)?..., every interval: Int64 = minute,
  settle: Int64 = 15 * minute
) -> Sight? {
  Sight(
    ways.map { way in
      Sight.Way(way.map { heard($0.0, at: $0.1) }, interval: interval)
    }, settle: settle)
}

@Suite struct `What was heard of all ways` {
  @Test func `What was heard of all ways: is silence where nobody said anything`() {
    #expect(sight() == nil)
    #expect(sight(nil) == nil)
    // What a provider does not list may be a hiccup: that is no word that it is gone.
    #expect(sight((.unknownToProvider, 5)) == nil)
  }

  @Test func `What was heard of all ways: is good news where one has it`() {
    let mixed = sight((.queued(.init()), 9), (.available(.init()), 5), nil)
    #expect(mixed == .available(asOf: 5, isSettled: false))
    #expect(sight((.openAccess, 5)) == .available(asOf: 5, isSettled: true))
  }

  @Test func `What was heard of all ways: is believed at once where the next look is far off`() {
    let seldom = sight((.available(.init()), 5), every: 60 * minute)
    #expect(seldom == .available(asOf: 5, isSettled: true))
  }

  @Test func `What was heard of all ways: is what those say that know of it`() {
    #expect(sight((.queued(.init()), 9)) == .away(asOf: 9))
    // One that never answers would keep a copy there for good.
    #expect(sight((.unavailable(.init()), 9), nil) == .away(asOf: 9))
    #expect(sight((.unavailable(.init()), 9), (.unknownToProvider, 9)) == .away(asOf: 9))
    // The last word of one that fell silent still stands.
    #expect(
      sight((.unavailable(.init()), 9), (.available(.init()), 2), nil)
        == .available(asOf: 2, isSettled: false))
  }
}

@Suite struct `A watch` {
  private let settle = 15 * minute

  private func after(_ sights: Sight...) -> Watch {
    sights.reduce(Watch()) { $0.after($1, settle: settle) }
  }

  private func available(_ moment: Int64, isSettled: Bool = false) -> Sight {
    .available(asOf: moment, isSettled: isSettled)
  }

  private func away(_ moment: Int64) -> Sight { .away(asOf: moment) }

  @Test func `A watch takes two looks far enough apart for news`() {
    let once = after(available(0))
    #expect(once.state == .seen && once.turn == 0 && !once.isNews)
    let early = after(available(0), available(14 * minute))
    #expect(early.state == .seen && !early.isNews)
    let settled = after(available(0), available(15 * minute))
    #expect(settled.state == .available && settled.turn == 1 && settled.isNews)
    #expect(settled.since == 15 * minute)
  }

  @Test func `A watch takes no flicker for news`() {
    let flicker = after(
      available(0), away(5 * minute), available(10 * minute), away(15 * minute),
      available(20 * minute), available(30 * minute))
    #expect(flicker.state == .seen && flicker.turn == 0)
  }

  @Test func `A watch takes one look where the next one is far off`() {
    let once = after(available(0, isSettled: true))
    #expect(once.state == .available && once.turn == 1)
  }

  @Test func `A watch is news again only after it was gone`() {
    let lasting = after(available(0, isSettled: true), available(100 * minute, isSettled: true))
    #expect(lasting.turn == 1)
    let again = after(available(0, isSettled: true), away(1), available(2, isSettled: true))
    #expect(again.turn == 2 && again.isNews)
  }

  @Test func `A watch is news again also beside a way that never answers`() throws {
    let first = try #require(sight((.available(.init()), 0), nil, every: 60 * minute))
    let gone = try #require(sight((.queued(.init()), 1), nil, (.unknownToProvider, 1)))
    let back = try #require(sight((.available(.init()), 2), nil, every: 60 * minute))
    #expect(after(first, gone).state == .waiting)
    #expect(after(first, gone, back).turn == 2)
  }

  @Test func `A watch waits as soon as one way said so`() {
    let waiting = after(away(7))
    #expect(waiting.state == .waiting && waiting.since == 7)
    #expect(after(away(7), away(9)).since == 7)
  }
}
