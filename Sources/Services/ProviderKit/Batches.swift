import Circulation

extension Sequence where Element: Hashable {
  /// The elements in their order, each once, in groups of what one request of the service may name.
  package func batches(of size: Int) -> [[Element]] {
    let elements = Array(self).distinct
    return stride(from: 0, to: elements.count, by: Swift.max(size, 1)).map { start in
      Array(elements[start..<Swift.min(start + Swift.max(size, 1), elements.count)])
    }
  }
}
