import Testing

@testable import Circulation

@Suite struct `A list read over its pages` {
  /// Pages by their cursors, whatever sense they make.
  struct Paged: CirculationProvider {
    static let capabilities: Set<Capability> = [.lists]
    let pages: [String: (books: [String], next: String?)]

    func describe() -> ProviderDescription {
      ProviderDescription(provider: ProviderID("paged"), availabilityBatch: 1)
    }

    func items(of list: ListID, from cursor: String?, in call: Call)
      async throws(CirculationError) -> ListPage
    {
      guard let page = pages[cursor ?? "1"] else {
        throw CirculationError(.titleGone, from: ProviderID("paged"), during: .list)
      }
      return ListPage(
        entries: page.books.map { ListEntry(item: ItemID($0), title: $0) }, next: page.next)
    }
  }

  private func whole(_ pages: [String: (books: [String], next: String?)]) async throws -> WholeList
  {
    let call = Call(patron: nil, deadline: .now, requestID: "t")
    return try await Paged(pages: pages).wholeList(ListID("l"), in: call)
  }

  @Test func `A list read over its pages has each book once, in the order of its first coming`()
    async throws
  {
    let list = try await whole(["1": (["a", "b"], "2"), "2": (["c"], nil)])
    #expect(list.entries.map(\.title) == ["a", "b", "c"] && list.pages == 2 && !list.hasShifted)
  }

  @Test func `A list read over its pages tells that its pages shifted`() async throws {
    let list = try await whole(["1": (["a", "b"], "2"), "2": (["b", "c"], nil)])
    #expect(list.entries.map(\.title) == ["a", "b", "c"] && list.hasShifted)
  }

  @Test(arguments: ["1", "2"])
  func `A list read over its pages ends where a cursor leads back`(_ next: String) async throws {
    let list = try await whole(["1": (["a"], "2"), "2": (["b"], next)])
    #expect(Set(list.entries.map(\.title)) == ["a", "b"])
  }

  @Test func `A list read over its pages is no list where one page is missing`() async {
    await #expect(throws: CirculationError.self) {
      try await whole(["1": (["a"], "2")])
    }
  }
}
