import Circulation
import HTTP
import JSON
import MockKit
import MockSupport
import ProviderKit
import Testing

@testable import BookWyrm

@Suite(.serialized) struct `Authors, who have to be asked for` {
  @Test func `Authors, who have to be asked for are asked for once, by this reader and by others`()
    async throws
  {
    try await Played.run { played in
      let all = try await played.whole("to-read").entries
      let names = Set(all.flatMap(\.authors))
      #expect(all.allSatisfy { $0.authors == played.title($0.item)?.authors })
      #expect(played.asked("author") == names.count)
      _ = try await played.whole("to-read")
      #expect(played.asked("author") == names.count)
    }
  }

  @Test func `Authors, who have to be asked for that were merged lead to those who stayed`()
    async throws
  {
    try await Played.run(quirks: ["merged-authors"]) { played in
      let all = try await played.whole("read").entries
      #expect(all.allSatisfy { $0.authors == played.title($0.item)?.authors })
    }
  }

  @Test func `Authors, who have to be asked for are nobody where nobody is named`() async throws {
    try await Played.run(quirks: ["no-authors"]) { played in
      let all = try await played.whole("read").entries
      #expect(!all.isEmpty && all.allSatisfy(\.authors.isEmpty))
    }
  }

  @Test func `the BookWyrm adapter fetches authors on another host from that host`() async throws {
    try await OpenHouse.run(MockHouse(dialects: Played.dialects)) { other in
      try await Played.run { played in
        played.set("elsewhere", .string(other.base + "/bookwyrm"))
        let all = try await played.whole("to-read").entries
        #expect(all.allSatisfy { $0.authors == played.title($0.item)?.authors })
        let there = other.house.main.withState { $0.journal.entries.map(\.operation) }
        #expect(!there.isEmpty && Set(there) == ["author"])
      }
    }
  }

  /// The gate lets nobody lead us into the house network.
  @Test
  func `the BookWyrm adapter keeps books whose authors are at private addresses`() async throws {
    try await Played.run { played in
      played.set("elsewhere", "http://10.20.30.40/bookwyrm")
      let all = try await played.whole("to-read").entries
      #expect(all.count == played.books(on: "to-read").count)
      let (known, unknown) = (all.filter { !$0.authors.isEmpty }, all.filter(\.authors.isEmpty))
      #expect(!known.isEmpty && !unknown.isEmpty)
    }
  }

  @Test
  func `the BookWyrm adapter asks for a failing author again only in the next run`() async throws {
    try await Played.run { played in
      played.arm(.status(410), on: "author")
      let adapter = try played.adapter()
      let all = try await played.whole("to-read", adapter).entries
      #expect(all.count == played.books(on: "to-read").count && all.allSatisfy(\.authors.isEmpty))
      let count = played.asked("author")
      _ = try await played.whole("to-read", adapter)
      #expect(played.asked("author") == count)
      // The next run asks again.
      played.mend()
      let later = try await played.whole("to-read").entries
      #expect(later.allSatisfy { !$0.authors.isEmpty })
    }
  }

  @Test
  func `the BookWyrm adapter asks a failing instance for authors only once per run`() async throws {
    try await Played.run { played in
      played.arm(.status(501), on: "author")
      let all = try await played.whole("to-read").entries
      #expect(all.count == played.books(on: "to-read").count && played.asked("author") == 1)
    }
  }

  @Test func `Authors, who have to be asked for take half of the time at most`() async throws {
    try await Played.run { played in
      played.arm(.timeout, on: "author")
      let start = ContinuousClock.now
      let call = Call(patron: nil, deadline: start + .seconds(2), requestID: "r")
      let page = try await played.adapter().items(of: ListID("to-read"), from: nil, in: call)
      #expect(page.entries.count == played.books(on: "to-read").count)
      #expect(start.duration(to: .now) < .milliseconds(1700))
    }
  }

  @Test func `the BookWyrm adapter lists whole pages with some authors within a short deadline`()
    async throws
  {
    try await Played.run(.avidReaders) { played in
      let adapter = try played.adapter()
      var cursor: String?
      for number in 1...3 {
        // Time for a few of fifteen.
        let start = ContinuousClock.now
        let call = Call(patron: nil, deadline: start + .milliseconds(400), requestID: "r")
        played.arm(.latency(milliseconds: 60, jitter: 0), on: "author")
        let page = try await adapter.items(of: ListID("to-read"), from: cursor, in: call)
        played.mend()
        let known = page.entries.count { !$0.authors.isEmpty }
        #expect(page.entries.count == 15 && known > 0, "page \(number)")
        cursor = page.next
      }
    }
  }

  @Test func `Authors, who have to be asked for are so many in a run, and no more`() {
    let errand = Errand()
    let addresses = (0...Errand.most).compactMap { try? Address("https://a.example/author/\($0)") }
    #expect(addresses.count { errand.sets(outFor: $0) } == Errand.most)
  }
}
