import Synchronization

/// What an adapter keeps for all accounts of a library, such as lines that stay open. Made when it is
/// first needed, and closed with the house.
package final class Fittings: Sendable {
  private struct Kept: Sendable {
    let value: any Sendable
    let close: @Sendable () async -> Void
  }

  private let kept = Mutex<[String: Kept]>([:])

  package init() {}

  /// The one of that name, made by the first who asks.
  package func fitting<Value: Sendable>(
    _ name: String, make: () -> Value, close: @escaping @Sendable (Value) async -> Void
  ) -> Value {
    kept.withLock { kept in
      if let value = kept[name]?.value as? Value { return value }
      let value = make()
      kept[name] = Kept(value: value) { await close(value) }
      return value
    }
  }

  package func close() async {
    let all = kept.withLock { kept in
      defer { kept = [:] }
      return Array(kept.values)
    }
    for one in all { await one.close() }
  }
}
