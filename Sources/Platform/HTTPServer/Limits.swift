/// How much a stranger may make the server hold. Every number has a default, none can be left out.
package struct Limits: Sendable, Hashable {
  /// Longer request lines get 414.
  package var requestLine = 8 << 10
  /// Request line and fields together; larger heads get 431. At most 60 KiB.
  package var head = 32 << 10 { didSet { head = min(head, 60 << 10) } }
  /// More fields get 431.
  package var fields = 100
  /// Larger bodies get 413, and so do those that are larger than their route wants.
  package var body = 16 << 20
  /// All small bodies being received at one time; beyond it 503.
  package var bodiesInFlight = 64 << 20
  /// All large bodies of strangers being received at one time, by their announced lengths; beyond it
  /// 503.
  package var uploadsInFlight = 48 << 20
  /// Those of patrons who are signed in, which strangers cannot fill.
  package var uploadsOfPatrons = 32 << 20
  /// Those of one client, whose address trusted proxies may tell. A first one is always taken.
  package var uploadsPerClient = 16 << 20
  /// Bytes a second below which a large body gets 408, once `Timeouts.upload` has passed.
  package var uploadRate = 16 << 10
  /// Bytes a second below which one gives way to another where no room is left, once `uploadGrace` has
  /// passed.
  package var uploadSecureRate = 256 << 10
  package var uploadGrace = Duration.seconds(2)
  /// All large answers that stand in memory until they are taken; beyond it 503.
  package var answersInFlight = 256 << 20
  /// Those of one patron, or of one client that is none. A first one is always given.
  package var answersPerReader = 32 << 20
  /// Bytes a second below which a large answer in memory is broken off, once `Timeouts.write` has
  /// passed. A client that takes less gives way sooner where there is no room.
  package var answerRate = 64 << 10
  /// Everything of a chunked body that is not body: extensions and trailers.
  package var chunkOverhead = 8 << 10
  /// Open connections, over all addresses.
  package var connections = 4096
  /// Open connections from one IPv4 address, or one IPv6 network of 64 bits.
  package var connectionsPerAddress = 1024
  /// One IPv6 customer has thousands of /64. An eighth of all, or what one address may have.
  var connectionsPerNetwork: Int { max(connectionsPerAddress, connections / 8) }
  /// Connections over these limits that get an answer at one time; further ones are closed without one.
  var connectionsTurnedAway: Int { max(16, connections / 16) }
  /// Unsent bytes at which a stream's writer has to wait, and the next request of a pipeline too.
  package var unsent = 256 << 10

  package init() {}
}

/// How long a stranger may keep the server waiting.
package struct Timeouts: Sendable, Hashable {
  /// From the first byte of a request, or the opening of a connection, to the end of its head.
  package var head: Duration = .seconds(10)
  /// Between two arrivals of body bytes.
  package var body: Duration = .seconds(20)
  /// How far a large body may fall behind `Limits.uploadRate`.
  package var upload: Duration = .seconds(5)
  /// From the first byte of a request until its answer begins.
  package var request: Duration = .seconds(120)
  /// Between an answer and the next request.
  package var idle: Duration = .seconds(60)
  /// Without the client taking a single byte of an answer.
  package var write: Duration = .seconds(20)
  /// After the last answer, for the client to read it before the connection goes.
  package var linger: Duration = .seconds(5)
  /// Until a handler is cancelled whose client has closed its side. A client that only says that
  /// it will send no more looks just like one that has left, so it gets this long for its answer.
  package var halfClosed: Duration = .seconds(1)

  package init() {}
}
