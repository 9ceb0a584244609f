import Foundation
package import HTTP
package import HTTPClient
package import OPDS
import TestSupport
package import Testing

/// A gateway that runs for the stage's reader, under a base path behind a proxy with TLS.
package final class RunningGateway: Sendable {
  /// Before every path, as readers know it.
  package let site: String
  package let client: Client
  private let process: RunningProcess
  /// Where it listens itself, behind its proxy, and what its proxy proves itself with.
  package let port: Int
  package let certificate: String

  package var start: String { site + "/opds" }
  /// What it wrote to its error stream until now.
  package var log: String { process.errorText() }

  private init(
    _ front: Front, _ port: Int, _ client: Client, _ process: RunningProcess
  ) {
    (site, certificate) = (front.site, front.certificate)
    (self.port, self.client, self.process) = (port, client, process)
  }

  package var processID: Int32 { process.pid }
  package func send(_ signal: Int32) { process.send(signal) }

  /// `program` may be another `carrel` than the one that is tested.
  package static func serve<R>(
    _ stage: Stage, by program: String = Mock.program("carrel"),
    _ body: (RunningGateway) async throws -> R
  ) async throws -> R {
    for _ in 0..<5 {
      // Its own address has to be told to it before it listens; a port may be taken.
      let ports = (own: try sparePort(), front: try sparePort())
      guard let front = try await Front(port: ports.front, before: [ports.own]) else { continue }
      var variables = Stage.variables
      variables["CARREL_SERVER_PUBLIC_URL"] = front.site
      variables["CARREL_SERVER_TRUSTED_PROXIES"] = "127.0.0.1"
      let process = try RunningProcess(
        program, ["--home", stage.home, "serve", "--port", "\(ports.own)"],
        environment: variables)
      guard try await process.nextLine() != nil else {
        try await front.end()
        continue
      }
      var configuration = ClientConfiguration()
      configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
      configuration.trust = .file(front.certificate)
      // It stands for the apps of many patrons.
      configuration.connectionsPerHost = 64
      let client = try Client(configuration)
      let gateway = RunningGateway(front, ports.own, client, process)
      let result: Result<R, any Error>
      do { result = .success(try await body(gateway)) } catch { result = .failure(error) }
      await client.shutdown()
      process.send(SIGTERM)
      _ = try await process.waitForEnd()
      try await front.end()
      return try result.get()
    }
    throw TestSupportError("the gateway does not start")
  }

  package func app(
    name: String = Mock.ada, word: String = "1111", accept: String = "*/*",
    agent: String = "Walker/1", credentials: Bool = true
  ) -> FeedApp {
    FeedApp(
      site: site, client: client, name: name, word: word, accept: accept, agent: agent,
      credentials: credentials)
  }
}

/// A reading app: it knows one address and one password, and follows links.
package struct FeedApp: Sendable {
  package struct Answer: Sendable {
    package let status: Int
    package let headers: Headers
    package let bytes: [UInt8]
    package let document: Document?

    package var feed: Feed? { document?.feed }
    package var entry: Publication? { if case .entry(let entry) = document { entry } else { nil } }
    package var code: String? {
      (try? JSONSerialization.jsonObject(with: Data(bytes))).flatMap { $0 as? [String: Any] }?[
        "code"] as? String
    }
  }

  package let site: String
  package let client: Client
  package let name: String
  package let word: String
  package let accept: String
  package let agent: String
  package var credentials: Bool

  @discardableResult
  package func ask(
    _ address: String, _ method: HTTP.Method = .get, _ headers: Headers = [:],
    body: [UInt8]? = nil, redirects: RedirectPolicy? = nil
  ) async throws -> Answer {
    var request = HTTPClient.Request(method, try Address(address), headers: headers)
    request.headers.set("Accept", accept)
    request.headers.set("User-Agent", agent)
    if credentials {
      let pair = Data("\(name):\(word)".utf8).base64EncodedString()
      request.headers.set("Authorization", "Basic \(pair)")
    }
    if let body { request.body = .bytes(body) }
    if let redirects { request.redirects = redirects }
    let reply = try await client.send(request)
    #expect(strayLinks(in: reply) == [], "in the answer of \(address)")
    let type = reply.headers["Content-Type"].flatMap { MediaType(parsing: $0) }
    return Answer(
      status: reply.status.code, headers: reply.headers, bytes: reply.body,
      document: try? Document(reply.body, type: type, from: try Address(address)))
  }

  /// What a link leads to, when it is there and good.
  package func follow(
    _ link: Link?, _ method: HTTP.Method = .get, at place: SourceLocation = #_sourceLocation
  ) async throws -> Answer {
    let link = try #require(link, sourceLocation: place)
    let answer = try await ask(link.href, method)
    #expect(
      (200..<300).contains(answer.status),
      "\(link.href): \(answer.status) \(String(decoding: answer.bytes.prefix(300), as: UTF8.self))",
      sourceLocation: place)
    return answer
  }

  /// The search that the start feed offers, for these words.
  package func search(_ words: String, from start: Feed) async throws -> Feed {
    let links = start.links.all(.search)
    var template = links.first { $0.isTemplated }?.href
    if template == nil, case .search(let description) = try await follow(links.first).document {
      template = description.templates.first?.text
    }
    let query = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let address = try #require(template)
      .replacing("{searchTerms}", with: query)
      .replacing(/\{\?[^}]*\}/, with: "?query=\(query)")
    return try #require(try await ask(address).feed)
  }

  /// Addresses in a document that a reader behind the proxy could not open, or that lead past it.
  private func strayLinks(in reply: HTTPClient.Reply) -> [String] {
    let type = reply.headers["Content-Type"] ?? ""
    guard type.contains("xml") || type.contains("json") else { return [] }
    let text = String(decoding: reply.body, as: UTF8.self).replacing("\\/", with: "/")
    var links = text.matches(of: /(?:href|template|src)"?\s*[=:]\s*"([^"]*)"/).map {
      String($0.output.1)
    }
    links += ["Location", "Content-Location"].compactMap { reply.headers[$0] }
    // Neither the gateway's own port nor a scheme that nobody listens on, wherever it stands.
    links += text.matches(of: /http:\/\/127\.0\.0\.1[^"<\s]*/).map { String($0.output) }
    return links.filter { !$0.hasPrefix(site + "/") && $0 != site }
  }
}
