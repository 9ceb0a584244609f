package import HTTPClient

/// Everything that can go wrong with a conversation in lines. No case carries what was said in it.
package enum LineError: Error, Sendable, Hashable {
  case refusedAddress(Refusal)
  /// Without encryption, and not to this machine itself: to be switched on by who runs it.
  case unencrypted(host: String)
  case cannotResolve
  case cannotConnect(errno: Int32)
  case tls(TLSFault)
  case timedOut(Stage)
  /// The other side closed.
  case closed(Stage)
  case lost(Stage, errno: Int32)
  case tooLong(most: Int)
  /// Something came that nobody had asked for, before the question was sent.
  case unasked
  case cancelled(Stage)
  /// The client was shut down.
  case stopped(Stage)

  /// How far a question had come.
  package enum Stage: String, Sendable, Hashable, CaseIterable {
    case resolving, connecting, securing
    /// Nothing of it has left.
    case unsent
    /// Some of it or all has left, and nothing has come back.
    case asked
    /// A part of the answer is here.
    case answering
  }
}

extension LineError {
  /// Whether the other side may have acted on the question: what decides between "not done" and "in
  /// doubt" for a command that must not happen twice.
  package var mayHaveArrived: Bool {
    switch self {
    case .refusedAddress, .unencrypted, .cannotResolve, .cannotConnect, .tls, .unasked: false
    case .tooLong: true
    case .timedOut(let stage), .closed(let stage), .lost(let stage, _), .cancelled(let stage),
      .stopped(let stage):
      stage == .asked || stage == .answering
    }
  }
}
