import Foundation
import HTTP
import HTTPClient
import OPDS
import TestSupport
import Testing

/// A gateway that runs for the stage's reader, under a base path as behind a proxy.
final class RunningGateway: Sendable {
  let start: String
  private let process: RunningProcess

  private init(_ process: RunningProcess, _ start: String) {
    (self.process, self.start) = (process, start)
  }

  static func serve<R>(_ stage: Stage, _ body: (RunningGateway) async throws -> R) async throws -> R
  {
    for _ in 0..<5 {
      // Its own address has to be told to it before it listens; a port may be taken.
      let port = Int.random(in: 20_000..<60_000)
      var variables = Stage.variables
      variables["CARREL_SERVER_PUBLIC_URL"] = "http://127.0.0.1:\(port)/lib"
      let process = try RunningProcess(
        Mock.program("carrel"), ["--home", stage.home, "serve", "--port", "\(port)"],
        environment: variables)
      guard try await process.nextLine() != nil else { continue }
      let gateway = RunningGateway(process, "http://127.0.0.1:\(port)/lib/opds")
      let result: Result<R, any Error>
      do { result = .success(try await body(gateway)) } catch { result = .failure(error) }
      process.send(SIGTERM)
      _ = try await process.waitForEnd()
      return try result.get()
    }
    throw TestSupportError("the gateway does not start")
  }
}

/// A reading app: it knows one address and one password, and follows links.
struct FeedApp: Sendable {
  struct Answer: Sendable {
    let status: Int
    let headers: Headers
    let bytes: [UInt8]
    let document: Document?

    var feed: Feed? { document?.feed }
    var entry: Publication? { if case .entry(let entry) = document { entry } else { nil } }
    var code: String? {
      (try? JSONSerialization.jsonObject(with: Data(bytes))).flatMap { $0 as? [String: Any] }?[
        "code"] as? String
    }
  }

  var name = Mock.ada
  var word = "1111"
  var accept = "*/*"
  var agent = "Walker/1"
  var credentials = true

  private static let client: Client? = {
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    return try? Client(configuration)
  }()

  @discardableResult
  func ask(
    _ address: String, _ method: HTTP.Method = .get, _ headers: Headers = [:],
    body: [UInt8]? = nil
  ) async throws -> Answer {
    let client = try #require(Self.client)
    var request = HTTPClient.Request(method, try Address(address), headers: headers)
    request.headers.set("Accept", accept)
    request.headers.set("User-Agent", agent)
    if credentials {
      let pair = Data("\(name):\(word)".utf8).base64EncodedString()
      request.headers.set("Authorization", "Basic \(pair)")
    }
    if let body { request.body = .bytes(body) }
    let reply = try await client.send(request)
    let type = reply.headers["Content-Type"].flatMap { MediaType(parsing: $0) }
    return Answer(
      status: reply.status.code, headers: reply.headers, bytes: reply.body,
      document: try? Document(reply.body, type: type, from: try Address(address)))
  }

  /// What a link leads to, when it is there and good.
  func follow(
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
  func search(_ words: String, from start: Feed) async throws -> Feed {
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
}
