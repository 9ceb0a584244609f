/// How busy the connections of a store are.
package struct PoolStanding: Sendable, Hashable {
  /// `readers`, `writer`, or `all` where one pool does both.
  package let name: String
  package let limit: Int
  package let open: Int
  package let busy: Int
  /// Calls that wait for a connection: a number that grows says the database is too slow.
  package let waiting: Int
}

extension Store {
  package var pools: [PoolStanding] {
    guard dialect == .sqlite else { return [writers.standing(as: "all")] }
    return [readers.standing(as: "readers"), writers.standing(as: "writer")]
  }
}
