import Circulation
import FoundationEssentials
import StoreSupport
import TestSupport
import Testing

@testable import ReadingLists

private func full(_ state: ReadingState? = .read) -> KeptEntry {
  var entry = ListEntry(item: ItemID("13"), title: "Emma \"&\" <b>\n\u{0}")
  entry.record = "r1"
  entry.authors = ["Jane Austen", "Anna, O."]
  entry.isbns = ["9780141439587", "9780141439600"].compactMap { ISBN($0) }
  entry.identifiers = [
    ForeignIdentifier(scheme: "goodreads", value: "13"),
    ForeignIdentifier(scheme: "isbn", value: "AlexisGlyn"),
  ]
  entry.published = PartialDate(year: -700)
  entry.rating = 4.75
  entry.review = String(repeating: "<br/>é", count: 2_000)
  entry.isReviewCut = true
  entry.readings = [
    .init(started: PartialDate(year: 1999), finished: PartialDate(year: 1999, month: 12)),
    .init(finished: PartialDate(year: 2020, month: 2, day: 29)), .init(),
  ]
  entry.readCount = 7
  entry.addedAt = Date(milliseconds: 1_600_000_000_123)
  entry.changedAt = Date(milliseconds: -1)
  entry.lists = [ListID("read"), ListID("a b")]
  entry.state = state
  entry.position = 74
  entry.link = "https://books.example/13"
  return KeptEntry(entry, shelves: ["sci-fi", "Ünread"], extras: ["Pace": "slow", "": "x"])
}

@Suite struct `A kept entry` {
  @Test(
    arguments: [nil, .wanted, .reading, .read, .stopped, .other("read"), .other("dropped")]
      as [ReadingState?])
  func `A kept entry is read as it was written`(state: ReadingState?) throws {
    let kept = full(state)
    let text = kept.written()
    #expect(try KeptEntry(read: text) == kept)
    #expect(try KeptEntry(read: text).written() == text)
  }

  @Test func `A kept entry leaves out what nobody told`() throws {
    let bare = KeptEntry(ListEntry(item: ItemID(""), title: "Emma"))
    #expect(bare.written() == #"{"item":"","title":"Emma"}"#)
    #expect(try KeptEntry(read: bare.written()) == bare)
  }

  @Test func `A kept entry may have members that nobody knows yet`() throws {
    let kept = try KeptEntry(read: #"{"item":"1","title":"Emma","mood":{"x":[1]},"times":2}"#)
    #expect(kept.entry.readCount == 2 && kept.entry.title == "Emma")
  }

  @Test(arguments: ["1e300", "5.01", "-1", "9223372036854775807", "\"4\""])
  func `A kept entry has no stars that nobody gives`(stars: String) throws {
    let kept = try KeptEntry(read: #"{"item":"1","title":"Emma","rating":\#(stars)}"#)
    #expect(kept.entry.rating == nil)
  }

  @Test func `A kept entry has no dates that no calendar has`() throws {
    func published(_ parts: String) throws -> PartialDate? {
      try KeptEntry(read: #"{"item":"1","title":"Emma","published":\#(parts)}"#).entry.published
    }
    #expect(try published("[-9223372036854775808]") == nil)
    #expect(try published("[9223372036854775807,1,1]") == nil)
    #expect(try published("[0]") == nil)
    #expect(try published("[10000]") == nil)
    #expect(try published("[9999,12,31]") == PartialDate(year: 9999, month: 12, day: 31))
    #expect(try published("[1816,99,3]") == PartialDate(year: 1816))
    #expect(try published("[1816,2,32]") == PartialDate(year: 1816, month: 2))
    #expect(try published("[-700]") == PartialDate(year: -700))
  }

  @Test func `A kept entry is joined with any dates that a service may say`() {
    var (old, new) = (full(), full())
    old.entry.readings = [.init(finished: PartialDate(year: Int.max, month: Int.max, day: Int.max))]
    new.entry.readings = [.init(finished: PartialDate(year: Int.min))]
    let joined = old.joined(with: new).entry.readings
    #expect(joined.map { $0.finished?.year } == [Int.min, Int.max])
  }

  @Test(arguments: ["", "null", "[]", #"{"item":"1"}"#, #"{"title":"Emma"}"#, "{"])
  func `A kept entry is not read out of something else`(text: String) {
    #expect(throws: UnreadableEntry.self) { try KeptEntry(read: text) }
  }

  @Test(arguments: Engine.allCases)
  func `A kept entry stays with its book on a list`(engine: Engine) async throws {
    try await withStore(engine) { store, clock in
      let lists = ReadingLists(store: store, now: { clock.now })
      let ada = PatronID("ada")
      let list = try await lists.create(named: "Read", for: ada).id
      let kept = full()
      let book = ListedBook(work: nil, title: "Emma", entry: kept)
      let member = try await lists.add(book, to: list, of: ada).member
      _ = try await lists.add(ListedBook(work: nil, title: "By hand"), to: list, of: ada)
      #expect(try await lists.members(of: list, of: ada).map(\.book.entry) == [kept, nil])
      let noted = try await lists.change(member.id, of: list, of: ada, note: "fine")
      #expect(noted.book.entry == kept)
    }
  }
}
