package import Circulation

extension Sequence<ItemID> {
  /// The items in their order, each once, in groups of what one request of the service may name.
  package func batches(of size: Int) -> [[ItemID]] {
    let items = Array(self).distinct
    return stride(from: 0, to: items.count, by: Swift.max(size, 1)).map { start in
      Array(items[start..<Swift.min(start + Swift.max(size, 1), items.count)])
    }
  }
}
