import Foundation
import HTTP
import HTTPClient
import JourneySupport
import Testing

/// A client at a network address of its own. It talks to the gateway's port as the trusted proxy does, keeps the
/// cookies that it is given, and follows no redirect.
struct Visitor {
  let gateway: RunningGateway
  let address: String
  var cookies: [String: String] = [:]

  init(_ gateway: RunningGateway, at address: String = "203.0.113.1") {
    (self.gateway, self.address) = (gateway, address)
  }

  @discardableResult
  mutating func send(
    _ path: String, _ method: HTTP.Method = .get, _ headers: Headers = [:], body: [UInt8]? = nil
  ) async throws -> HTTPClient.Reply {
    var request = HTTPClient.Request(
      method, try Address("http://127.0.0.1:\(gateway.port)/lib\(path)"), headers: headers)
    request.headers.set("X-Forwarded-For", address)
    request.headers.set("X-Forwarded-Proto", "https")
    if !cookies.isEmpty {
      request.headers.set(
        "Cookie",
        cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
    }
    if let body { request.body = .bytes(body) }
    request.redirects = .returned
    let reply = try await gateway.client.send(request)
    for field in reply.headers.all("Set-Cookie") {
      let pair = field.prefix { $0 != ";" }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1])
    }
    return reply
  }

  mutating func send(_ path: String, form: FormFields) async throws -> HTTPClient.Reply {
    try await send(
      path, .post, ["Content-Type": MediaType.form.description], body: Array(form.encoded.utf8))
  }

  /// With the form's own seal, as the page at that address shows it.
  mutating func post(
    _ path: String, to target: String? = nil, _ fields: FormFields
  ) async throws -> HTTPClient.Reply {
    let page = String(decoding: try await send(path).body, as: UTF8.self)
    var form = fields
    let seal = page.firstMatch(of: /name="seal" value="([^"]*)"/)
    form.add("seal", String(try #require(seal).output.1))
    return try await send(target ?? path, form: form)
  }

  /// The status of a sign-in at the page: 303 is inside.
  mutating func signIn(_ card: String, _ pin: String, library: String? = nil) async throws -> Int {
    var form: FormFields = ["card": card, "pin": pin]
    if let library { form.add("library", library) }
    return try await post("/sign-in", form).status.code
  }

  /// The status of a feed that is asked for with a name and a password, as reading apps do.
  mutating func feed(
    _ path: String = "/opds/shelf", as name: String, _ word: String
  ) async throws -> Int {
    let pair = Data("\(name):\(word)".utf8).base64EncodedString()
    return try await send(path, .get, ["Authorization": "Basic \(pair)"]).status.code
  }
}
