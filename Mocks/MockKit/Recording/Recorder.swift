import HTTP
import HTTPClient
import HTTPServer
import JSON
import Synchronization

/// Passes requests on to a real service and keeps what was said, redacted before anything is kept.
/// Written as a whole at the end: what is recognized as a secret late has often been said early.
package final class Recorder: Sendable {
  /// Only these headers are kept, unless a person asks for more.
  static let usualHeaders = [
    "accept", "accept-language", "cache-control", "content-language", "content-type", "etag",
    "last-modified", "link", "location", "retry-after", "vary", "www-authenticate",
  ]
  static let most = 10_000
  static let longestBody = 8 << 20

  private struct Kept {
    var exchanges: [RecordedExchange] = []
    var redaction = Redaction(.recording)
  }

  let file: String
  private let upstream: Upstream
  private let client: Client
  private let allowed: Set<String>
  private let kept: Mutex<Kept>

  init(to upstream: Upstream, file: String, known: [String], headers: [String])
    throws(AdminRefusal)
  {
    do throws(TransportError) {
      client = try Client(upstream.client)
    } catch { throw AdminRefusal("cannot record: \(error)") }
    (self.upstream, self.file) = (upstream, file)
    allowed = Set(Self.usualHeaders + headers.map { $0.lowercased() })
    var first = Kept()
    for secret in known { first.redaction.learn(secret) }
    kept = Mutex(first)
  }

  /// The service's answer, its links leading back here.
  func answer(_ request: MockRequest) async -> Response {
    guard let address = upstream.address(of: request) else {
      return .problem(Problem(.badGateway, code: "no_upstream", detail: "No front of a path fits."))
    }
    var question = HTTPClient.Request(request.method, address)
    question.redirects = .returned
    question.limits.body = 64 << 20
    question.isRepeatable = false
    for field in request.headers.fields
    where !Self.ours.contains(field.name.lowercased())
      && !field.name.lowercased().hasPrefix("proxy-")
    {
      question.headers.add(field.name, field.value)
    }
    if !request.body.isEmpty { question.body = .bytes(request.body) }
    do throws(TransportError) {
      let reply = try await client.send(question)
      keep(request, reply)
      var response = Response(reply.status, body: .bytes(moved(reply.body, to: request.base)))
      for field in reply.headers.fields where !Self.ours.contains(field.name.lowercased()) {
        response.headers.add(field.name, moved(field.value, to: request.base))
      }
      return response
    } catch {
      return .problem(Problem(.badGateway, code: "no_answer", detail: "\(error)"))
    }
  }

  /// What belongs to one connection, or to the harness, and is not passed on.
  private static let ours: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "upgrade",
    "keep-alive", "expect", "content-encoding", "trailer", "date", "x-mock-tenant",
  ]

  private func keep(_ request: MockRequest, _ reply: HTTPClient.Reply) {
    let (seconds, attoseconds) = reply.timing.whole.components
    var exchange = RecordedExchange(
      method: request.method.rawValue, target: request.target, status: reply.status.code,
      milliseconds: Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
    exchange.requestHeaders = kept(of: request.headers)
    exchange.headers = kept(of: reply.headers)
    exchange.requestBody = Array(request.body.prefix(Self.longestBody))
    exchange.body = moved(
      Array(reply.body.prefix(Self.longestBody)), to: RecordedExchange.base)
    let whole = exchange
    kept.withLock { kept in
      guard kept.exchanges.count < Self.most else { return }
      // Credentials in headers are not kept; they are learned, for where else they may be said.
      for field in request.headers.fields { _ = kept.redaction.header(field.name, field.value) }
      kept.exchanges.append(kept.redaction.exchange(whole))
    }
  }

  private func kept(of headers: Headers) -> Headers {
    Headers(
      headers.fields.filter { allowed.contains($0.name.lowercased()) }.map {
        Headers.Field($0.name, moved($0.value, to: RecordedExchange.base))
      })
  }

  private func moved(_ text: String, to base: String) -> String {
    String(decoding: moved(Array(text.utf8), to: base), as: UTF8.self)
  }

  /// Links written plainly and as JSON may write them, with slashes escaped.
  private func moved(_ bytes: [UInt8], to base: String) -> [UInt8] {
    guard String(validating: bytes, as: UTF8.self) != nil else { return bytes }
    return upstream.bases.reduce(bytes) { bytes, text in
      let escaped = { (text: String) in Array(text.replacing("/", with: "\\/").utf8) }
      return bytes.replacing(Array(text.utf8), with: Array(base.utf8))
        .replacing(escaped(text), with: escaped(base))
    }
  }

  /// Everything recognized as secret so far, for the journal.
  var secrets: [String] { kept.withLock { $0.redaction.known } }

  /// The whole recording, gone through once more with all that is known by now.
  func lines() -> [JSONValue] {
    kept.withLock { kept in
      kept.exchanges = kept.exchanges.map { kept.redaction.exchange($0) }
      return kept.exchanges.map(\.json)
    }
  }

  func close() async { await client.shutdown() }
}

extension Redaction {
  mutating func exchange(_ exchange: RecordedExchange) -> RecordedExchange {
    var exchange = exchange
    let parts = exchange.target.split(separator: "?", maxSplits: 1)
    exchange.requestHeaders = headers(exchange.requestHeaders)
    exchange.requestBody = body(
      exchange.requestBody, type: exchange.requestHeaders["Content-Type"] ?? "")
    exchange.headers = headers(exchange.headers)
    exchange.body = body(exchange.body, type: exchange.headers["Content-Type"] ?? "")
    exchange.target = text(String(parts.first ?? ""))
    if parts.count == 2 {
      exchange.target += "?" + fields(FormFields(parsing: parts[1].utf8)).encoded
    }
    return exchange
  }

  private mutating func headers(_ headers: Headers) -> Headers {
    Headers(headers.fields.map { Headers.Field($0.name, header($0.name, $0.value)) })
  }
}
