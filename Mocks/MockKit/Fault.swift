package import JSON

/// Something that goes wrong on purpose: what, where, how often, and when.
package struct Fault: Sendable, Hashable {
  package var name: String
  package var kind: Kind
  /// Empty means any.
  package var provider = ""
  package var operation = ""
  package var pathPrefix = ""
  package var probability = 1.0
  package var count = Count.always
  package var window: Range<Moment>?

  package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }

  package enum Kind: Sendable, Hashable {
    // At the level of HTTP.
    /// The status with the vendor's own body for it.
    case status(Int)
    /// The status after the request was carried out, as when the way back fails.
    case statusAfter(Int)
    case latency(milliseconds: Int, jitter: Int)
    case rateLimit(retryAfter: Int)
    /// Sent on to another address, as a gateway or a stolen name does.
    case redirect(to: String)
    case malformed
    case wrongType
    case empty
    /// A page of a gateway in front with status 200, and the request never came through.
    case gatewayPage
    /// Bytes that are nothing at all.
    case garbage
    /// Lists where one thing is due, and one thing where a list is.
    case wrongShape
    /// Numbers where texts are due, and texts where numbers are.
    case wrongScalar
    /// The document with so many bytes more in it that mean nothing.
    case padded(bytes: Int)
    /// One long text in place of the document.
    case oneText(bytes: Int)
    /// The document in another encoding than its header tells.
    case wrongCharset
    /// The body ends early, and its length is told as it is: whole for HTTP, broken for JSON.
    case truncate
    /// The answer to the same question from before the last change.
    case stale
    case tokenExpired
    /// The request is carried out twice.
    case duplicate
    /// List answers come in another order.
    case reorder
    // At the level of the connection.
    case reset
    /// Carried out, and then the connection breaks before the answer.
    case resetAfter
    case timeout
    /// Carried out, and then no answer ever comes.
    case timeoutAfter
    case bandwidth(bytesPerSecond: Int)
    case slicer(bytes: Int)
    case slowClose(milliseconds: Int)
    case limitBytes(Int)
    /// So many hundredths of the body, and then the connection breaks.
    case cut(percent: Int)
    /// More is announced than comes.
    case wrongLength
    case refuse
    // At the level of lines.
    case line(LineFault)
  }

  package enum Count: Sendable, Hashable {
    case always
    case first(Int)
    case every(Int)
  }
}

/// The faults in force, with what each has already seen. Chance comes from the seed, so a run that
/// failed can be had again.
package struct FaultPlan: Sendable {
  package private(set) var faults: [Fault] = []
  private var seen: [String: Int] = [:]
  private var random: SeededRandom

  package init(seed: UInt64) { random = SeededRandom(seed: seed, for: "faults") }

  /// A fault of the same name takes the old one's place and starts counting anew.
  package mutating func add(_ fault: Fault) {
    remove(named: fault.name)
    faults.append(fault)
  }

  package mutating func remove(named name: String) {
    faults.removeAll { $0.name == name }
    seen[name] = nil
  }

  package mutating func removeAll() {
    faults = []
    seen = [:]
  }

  /// The faults that strike this request, in the order they were added.
  package mutating func strike(provider: String, operation: String, path: String, at now: Moment)
    -> (faults: [Fault], draws: [JSONValue])
  {
    var draws: [JSONValue] = []
    let struck = faults.filter { fault in
      guard fault.provider.isEmpty || fault.provider == provider,
        fault.operation.isEmpty || fault.operation == operation, path.hasPrefix(fault.pathPrefix),
        fault.window?.contains(now) ?? true
      else { return false }
      let time = (seen[fault.name] ?? 0) + 1
      seen[fault.name] = time
      let counts =
        switch fault.count {
        case .always: true
        case .first(let limit): time <= limit
        case .every(let step): step > 0 && time % step == 0
        }
      guard counts, fault.probability < 1 else { return counts }
      let drawn = random.unit()
      draws.append([
        "fault": .string(fault.name), "drawn": JSONValue(drawn),
        "below": JSONValue(fault.probability), "strikes": .bool(drawn < fault.probability),
      ])
      return drawn < fault.probability
    }
    return (struck, draws)
  }
}
