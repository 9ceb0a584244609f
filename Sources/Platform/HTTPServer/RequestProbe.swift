import HTTP

/// Runs any bytes through guard and parser, and every reading a handler could ask of what comes
/// out, without a socket: the door for fuzzers. What must always hold is checked here.
package enum RequestProbe {
  /// How many requests were read, and what ended the reading.
  package struct Outcome: Sendable, Hashable {
    package var requests = 0
    package var bodyBytes = 0
    package var refusal: Refusal?
  }

  /// `step` is how many bytes arrive at a time; the outcome may not depend on it.
  package static func run(_ bytes: [UInt8], step: Int = .max) -> Outcome {
    var limits = Limits()
    (limits.body, limits.head, limits.requestLine) = (64 << 10, 8 << 10, 2 << 10)
    let reader = RequestReader(limits)
    var outcome = Outcome()
    var (start, end) = (0, 0)
    var head: RequestHead?
    do throws(Refusal) {
      while true {
        if let current = head {
          start += try reader.readBody(bytes.span.extracting(start..<end))
          if reader.isComplete {
            finish(current, reader.finish(), &outcome)
            head = nil
            continue
          }
        } else if start < end,
          let (next, count) = try reader.readHead(bytes.span.extracting(start..<end))
        {
          start += count
          head = next
          if reader.isComplete {
            finish(next, reader.finish(), &outcome)
            head = nil
          }
          continue
        }
        guard end < bytes.count else { return outcome }
        end += min(step, bytes.count - end)
      }
    } catch {
      outcome.refusal = error
      return outcome
    }
  }

  private static func finish(_ head: RequestHead, _ body: [UInt8], _ outcome: inout Outcome) {
    outcome.requests += 1
    outcome.bodyBytes += body.count
    if case .length(let length) = head.framing { precondition(body.count == length) }
    precondition(head.minorVersion == 0 || head.hostText != nil)
    precondition(!head.path.contains { $0 == "." || $0 == ".." || $0.utf8.contains(0) })
    let policy = ProxyPolicy(trustsUnixPeers: true)
    let request = Request(
      head, body: body, id: RequestID(loop: 0, count: 0),
      on: Request.Line(peer: .unix, policy: policy))
    for field in request.headers.fields {
      precondition(!field.name.isEmpty && field.name.utf8.allSatisfy(isTokenByte))
      precondition(field.value.utf8.allSatisfy { $0 == 0x09 || $0 > 0x1F })
    }
    precondition(!request.absoluteLink("/").utf8.contains { $0 <= 0x20 || $0 == 0x22 })
    _ = (request.query, request.cookies, request.form, request.clientAddress)
    _ = Accept(request["Accept"]).best(of: [.html, .json])
    let reply = Response.cached(page).reply(to: request)
    precondition(reply.status != .partialContent || reply.bytes?.isEmpty == false)
  }

  private static let page = CachedBody(
    Array(String(repeating: "page ", count: 100).utf8), .html,
    lastModified: HTTPDate(seconds: 784_111_777))
}
