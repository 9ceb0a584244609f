package import HTTP

/// Status and headers of an answer, as they were received: repeats kept, in order.
package struct ReplyHead: Sendable, Hashable {
  package let status: Status
  package let headers: Headers

  package init(status: Status, headers: Headers) {
    (self.status, self.headers) = (status, headers)
  }
}

/// A whole answer, whatever its status.
package struct Reply: Sendable, Hashable {
  package let head: ReplyHead
  /// Decompressed, though `Content-Encoding` is still among the headers. Empty when a sink took it.
  package let body: [UInt8]
  /// Where the answer came from, after redirects.
  package let address: Address
  package let version: ProtocolVersion
  /// Who answered: the proxy, where there is one.
  package let remote: Address.IP?
  package let timing: Timing
  /// When the server's certificate ends, in seconds since 1970; nil without TLS, and on a
  /// connection that was open already.
  package let certificateEnd: Int64?
  /// How many redirects were followed.
  package var hops: Int

  package var status: Status { head.status }
  package var headers: Headers { head.headers }

  package init(
    head: ReplyHead, body: [UInt8], address: Address, version: ProtocolVersion = .http1,
    remote: Address.IP? = nil, timing: Timing = Timing(),
    certificateEnd: Int64? = nil, hops: Int = 0
  ) {
    self.head = head
    self.body = body
    self.address = address
    self.version = version
    self.remote = remote
    self.timing = timing
    self.certificateEnd = certificateEnd
    self.hops = hops
  }

  package enum ProtocolVersion: String, Sendable, Hashable {
    case http10 = "1.0"
    case http1 = "1.1"
    case http2 = "2"
  }

  /// Spans from the start of the last hop. A reused connection has no connecting time.
  package struct Timing: Sendable, Hashable {
    package var connected: Duration
    package var firstByte: Duration
    package var whole: Duration

    package init(
      connected: Duration = .zero, firstByte: Duration = .zero, whole: Duration = .zero
    ) {
      self.connected = connected
      self.firstByte = firstByte
      self.whole = whole
    }
  }
}
