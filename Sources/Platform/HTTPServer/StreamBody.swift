/// A body made while it is sent. The closure writes pieces and is held back when the client reads
/// slower than it writes; when it throws, the connection breaks off, so that a half answer never
/// looks like a whole one.
package struct StreamBody: Sendable {
  /// Known lengths are announced; otherwise the body goes in chunks.
  package let length: Int?
  package let write: @Sendable (BodyWriter) async throws -> Void

  package init(
    length: Int? = nil, _ write: @escaping @Sendable (BodyWriter) async throws -> Void
  ) {
    (self.length, self.write) = (length, write)
  }

  package init<Pieces: AsyncSequence & Sendable>(length: Int? = nil, _ pieces: Pieces)
  where Pieces.Element == [UInt8] {
    self.init(length: length) { writer in
      for try await piece in pieces { try await writer.write(piece) }
    }
  }
}

/// Where a streamed body goes.
package struct BodyWriter: Sendable {
  /// The client has gone, or the answer took more time or bytes than it may.
  package struct Closed: Error, Sendable {}

  private let send: @Sendable ([UInt8]) async throws(Closed) -> Void

  package init(_ send: @escaping @Sendable ([UInt8]) async throws(Closed) -> Void) {
    self.send = send
  }

  /// Returns when there is room for more.
  package func write(_ bytes: [UInt8]) async throws(Closed) {
    if !bytes.isEmpty { try await send(bytes) }
  }

  package func write(_ text: String) async throws(Closed) { try await write(Array(text.utf8)) }
}
