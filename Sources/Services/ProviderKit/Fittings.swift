import Synchronization

/// What an adapter keeps for all accounts of a library, such as lines that stay open. Made when it is
/// first needed, and closed with the house.
package final class Fittings: Sendable {
  private struct Kept: Sendable {
    let value: any Sendable
    let gauge: Gauge?
    let close: @Sendable () async -> Void
  }

  /// How a way besides the session's own does: its circuit, and who stands in line for it.
  package struct Gauge: Sendable {
    let breaker: CircuitBreaker
    let pacer: Pacer

    package init(_ breaker: CircuitBreaker, _ pacer: Pacer) {
      (self.breaker, self.pacer) = (breaker, pacer)
    }
  }

  private let kept = Mutex<[String: Kept]>([:])

  package init() {}

  /// The one of that name, made by the first who asks.
  package func fitting<Value: Sendable>(
    _ name: String, make: () -> Value, gauge: (Value) -> Gauge? = { _ in nil },
    close: @escaping @Sendable (Value) async -> Void
  ) -> Value {
    kept.withLock { kept in
      if let value = kept[name]?.value as? Value { return value }
      let value = make()
      kept[name] = Kept(value: value, gauge: gauge(value)) { await close(value) }
      return value
    }
  }

  var gauges: [Gauge] { kept.withLock { $0.values.compactMap(\.gauge) } }

  /// Drops all of it without closing, for a session that never sent anything.
  package func drop() { kept.withLock { $0 = [:] } }

  package func close() async {
    let all = kept.withLock { kept in
      defer { kept = [:] }
      return Array(kept.values)
    }
    for one in all { await one.close() }
  }
}
