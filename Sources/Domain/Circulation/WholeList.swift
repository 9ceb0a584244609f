/// A list read over all its pages.
package struct WholeList: Sendable, Hashable {
  /// Each book once, as it came first.
  package var entries: [ListEntry] = []
  package var pages = 0
  /// A book came twice: the list moved under the reader's eyes, and another may have slipped by.
  package var hasShifted = false
}

extension CirculationProvider {
  /// All of a list. Pages may shift, repeat or lead back to one another: a book counts once, and a
  /// cursor that was followed before is not followed again.
  package func wholeList(_ list: ListID, in call: Call)
    async throws(CirculationError) -> WholeList
  {
    var whole = WholeList()
    var (seen, followed): (Set<ItemID>, Set<String>) = ([], [])
    var cursor: String?
    while true {
      let page = try await items(of: list, from: cursor, in: call)
      whole.pages += 1
      for entry in page.entries {
        if seen.insert(entry.item).inserted {
          whole.entries.append(entry)
        } else {
          whole.hasShifted = true
        }
      }
      guard let next = page.next, followed.insert(next).inserted else { return whole }
      cursor = next
    }
  }
}
