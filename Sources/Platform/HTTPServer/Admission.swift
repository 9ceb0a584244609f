import Synchronization

/// How much the server has let in: connections in all and by address, and bytes of bodies. Small
/// bodies are counted as they come. Large ones are few, so each gets its room before it is read.
final class Admission: Sendable {
  enum Verdict: Sendable { case admitted, tooManyFromThere, tooMany }

  private struct Count {
    var total = 0
    /// Connections over the limits that get an answer saying so.
    var turnedAway = 0
    var byAddress: [IPAddress: Int] = [:]
    var byNetwork: [IPAddress: Int] = [:]
  }

  private let count = Mutex(Count())
  let uploads: UploadRoom
  let answers: AnswerRoom
  private let bodyBytes = Atomic<Int>(0)
  private let limits: Limits
  private let policy: ProxyPolicy

  init(_ limits: Limits, _ policy: ProxyPolicy) {
    (self.limits, self.policy) = (limits, policy)
    uploads = UploadRoom(limits)
    answers = AnswerRoom(limits)
  }

  func admit(_ peer: Peer) -> Verdict {
    let address = client(peer)
    return count.withLock { count in
      guard count.total < limits.connections else { return .tooMany }
      if let address {
        guard count.byAddress[address.household, default: 0] < limits.connectionsPerAddress,
          count.byNetwork[address.network, default: 0] < limits.connectionsPerNetwork
        else { return .tooManyFromThere }
        count.byAddress[address.household, default: 0] += 1
        count.byNetwork[address.network, default: 0] += 1
      }
      count.total += 1
      return .admitted
    }
  }

  func release(_ peer: Peer) {
    let address = client(peer)
    count.withLock { count in
      count.total -= 1
      guard let address else { return }
      Self.release(address.household, in: &count.byAddress)
      Self.release(address.network, in: &count.byNetwork)
    }
  }

  /// Whether a connection over the limits gets an answer that says so. Each holds a descriptor until it
  /// is sent, so few do.
  func turnAway() -> Bool {
    count.withLock { count in
      guard count.turnedAway < limits.connectionsTurnedAway else { return false }
      count.turnedAway += 1
      return true
    }
  }

  func releaseTurnedAway() { count.withLock { $0.turnedAway -= 1 } }

  /// What a connection is counted under besides its address; nil for a proxy's.
  func network(of peer: Peer) -> IPAddress? { client(peer)?.network }

  /// A proxy stands for all its clients.
  private func client(_ peer: Peer) -> IPAddress? { policy.trusts(peer) ? nil : peer.address }

  private static func release(_ key: IPAddress, in counts: inout [IPAddress: Int]) {
    guard let held = counts[key] else { return }
    counts[key] = held > 1 ? held - 1 : nil
  }

  var connections: Int { count.withLock { $0.total } }

  /// Counts body bytes in; false when all bodies together have become too large.
  func reserve(_ bytes: Int) -> Bool {
    bodyBytes.add(bytes, ordering: .relaxed).newValue <= limits.bodiesInFlight
  }

  func unreserve(_ bytes: Int) { bodyBytes.subtract(bytes, ordering: .relaxed) }
}
