package import HTTP

/// One request with everything that bounds it. What is not said here, the client's configuration
/// says.
package struct Request: Sendable {
  package var method: Method
  package var address: Address
  package var headers: Headers
  package var body: Body
  package var deadline: Deadline
  package var limits: Limits
  package var redirects: RedirectPolicy
  /// Headers which, besides the usual ones, must not reach another origin. Case does not matter.
  package var secretHeaders: [String]
  package var delivery: Delivery
  /// Whether a pooled connection that closes without an answer may be replaced in silence and the
  /// request sent once more; nil leaves it to the method.
  package var isRepeatable: Bool?

  package init(
    _ method: Method, _ address: Address, headers: Headers = [:], body: Body = .none,
    deadline: Deadline = .standard, limits: Limits = Limits(),
    redirects: RedirectPolicy = .followed(), secretHeaders: [String] = [],
    delivery: Delivery = .bytes
  ) {
    self.method = method
    self.address = address
    self.headers = headers
    self.body = body
    self.deadline = deadline
    self.limits = limits
    self.redirects = redirects
    self.secretHeaders = secretHeaders
    self.delivery = delivery
  }

  package enum Body: Sendable, Hashable {
    case none
    case bytes([UInt8])
    /// Streamed from this regular file.
    case file(String)
  }

  package enum Deadline: Sendable, Hashable {
    /// The configuration's time-out, counted from the moment of sending.
    case standard
    /// For the whole request, redirects included.
    case at(ContinuousClock.Instant)
    /// Only connecting and stalling are bounded: for large files.
    case never
  }

  /// Caps on what is accepted. None can be switched off.
  package struct Limits: Sendable, Hashable {
    /// Counted after decompression.
    package var body: Int
    /// All header lines of all answers to this request, interim ones and trailers included.
    package var headerBytes: Int
    package var headerCount: Int

    package init(body: Int = 16 << 20, headerBytes: Int = 64 << 10, headerCount: Int = 200) {
      self.body = body
      self.headerBytes = headerBytes
      self.headerCount = headerCount
    }
  }

  package enum Delivery: Sendable {
    /// The body comes in the reply.
    case bytes
    /// The body goes elsewhere as it arrives.
    case sink(BodySink)
  }
}

/// Takes a body as it arrives, on the client's I/O thread: it must not wait for anything.
package struct BodySink: Sendable {
  package enum Choice: Sendable {
    /// Into the reply, as without a sink.
    case collect
    case take
    /// Give the whole request up.
    case stop
  }

  /// Asked once, when the final headers are complete.
  package let begin: @Sendable (ReplyHead) -> Choice
  /// Given every piece in order; false gives the request up.
  package let write: @Sendable (RawSpan) -> Bool

  package init(
    begin: @escaping @Sendable (ReplyHead) -> Choice,
    write: @escaping @Sendable (RawSpan) -> Bool
  ) {
    self.begin = begin
    self.write = write
  }
}
