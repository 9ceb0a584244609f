package import HTTP

/// One line for the access log, made when an answer has been handed to the kernel or given up.
package struct AccessRecord: Sendable {
  package enum Outcome: Sendable, Hashable {
    case answered
    /// The request never became one.
    case refused(Refusal)
    /// The client went, or took too long, before the answer was complete.
    case abandoned
  }

  /// Nil when the head was refused.
  package let head: RequestHead?
  package let id: RequestID
  package let client: IPAddress?
  package let status: Status
  /// The pattern of the route, never the path.
  package let route: String?
  /// The reader who asked, hashed; nil for strangers.
  package let patronHash: String?
  /// The word for what went wrong.
  package let errorCode: String?
  package let bytesSent: Int
  package let duration: Duration
  package let outcome: Outcome
}
