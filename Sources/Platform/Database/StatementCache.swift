/// Prepared statements by their text, the least recently used leaving first. A statement in use is out
/// of the cache, so that the same text can run inside its own loop.
struct StatementCache<Prepared> {
  private struct Entry {
    let prepared: Prepared
    let lastUse: UInt64
  }

  let capacity: Int
  private var entries: [String: Entry] = [:]
  private var uses: UInt64 = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
  }

  var count: Int { entries.count }

  mutating func take(_ text: String) -> Prepared? {
    entries.removeValue(forKey: text)?.prepared
  }

  /// Returns the statements that had to go.
  mutating func put(_ prepared: Prepared, for text: String) -> [Prepared] {
    uses += 1
    var gone: [Prepared] = []
    if let previous = entries.updateValue(Entry(prepared: prepared, lastUse: uses), forKey: text) {
      gone.append(previous.prepared)
    }
    if entries.count > capacity,
      let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      entries.removeValue(forKey: oldest.key)
      gone.append(oldest.value.prepared)
    }
    return gone
  }

  mutating func removeAll() -> [Prepared] {
    defer { entries = [:] }
    return entries.values.map(\.prepared)
  }
}
