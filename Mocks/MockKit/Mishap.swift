import HTTP
package import HTTPServer
import JSON

/// What one request will suffer, decided while the world is locked and carried out afterwards, so
/// that a slow answer holds nobody else up.
package struct Mishap: Sendable {
  package var delay: Int = 0
  package var delivery = Delivery.whole

  package enum Delivery: Sendable, Hashable {
    case whole
    case severed
    /// With every other line of the service.
    case restarted
    case never
    case paced(bytesPerSecond: Int)
    case sliced(bytes: Int)
    case slowlyClosed(milliseconds: Int)
    /// This many bytes of the body, and then the connection breaks.
    case cut(after: Int)
    /// So many bytes more are announced than there are.
    case promisingMore(bytes: Int)
  }

  package init() {}

  /// Puts the answer on its way as the mishap wills.
  package func deliver(_ response: Response, to presence: Presence) async -> Response {
    if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
    let bytes = response.wholeBody
    var response = response
    switch delivery {
    case .whole: return response
    case .severed, .restarted: return .severed
    case .never:
      await withCheckedContinuation { waiting in presence.whenGone { waiting.resume() } }
      return .severed
    case .paced(let rate):
      let piece = max(1, rate / 10)
      response.body = Self.pieces(bytes, of: piece) {
        try await Task.sleep(for: .milliseconds(piece * 1000 / rate))
      }
    case .sliced(let size):
      response.body = Self.pieces(bytes, of: size) { try await Task.sleep(for: .milliseconds(1)) }
    case .slowlyClosed(let time):
      // Without a length only the end of the stream ends the answer.
      response.body = .stream(
        StreamBody { writer in
          try await writer.write(bytes)
          try await Task.sleep(for: .milliseconds(time))
        })
    case .cut(let count): response.body = Self.broken(bytes, after: count)
    case .promisingMore(let extra):
      response.body = .stream(
        StreamBody(length: bytes.count + extra) { writer in
          try await writer.write(bytes)
          throw Broken()
        })
    }
    return response
  }

  private static func pieces(
    _ bytes: [UInt8], of size: Int, between pause: @escaping @Sendable () async throws -> Void
  ) -> Response.Body {
    .stream(
      StreamBody(length: bytes.count) { writer in
        var start = 0
        while start < bytes.count {
          let end = min(start + size, bytes.count)
          // Before the piece: a client that has everything does not wait for the rest of the time.
          try await pause()
          try await writer.write(Array(bytes[start..<end]))
          start = end
        }
      })
  }

  private struct Broken: Error {}

  /// The length is told rightly; what breaks is the promise.
  private static func broken(_ bytes: [UInt8], after count: Int) -> Response.Body {
    if bytes.isEmpty { return .severed }
    if count >= bytes.count { return .bytes(bytes) }
    return .stream(
      StreamBody(length: bytes.count) { writer in
        try await writer.write(Array(bytes.prefix(count)))
        throw Broken()
      })
  }
}
