import Arguments
import Console
import HTTP
import HTTPClient
import JSON

/// The admin interface from the other side: what every command but `serve` is made of.
enum AdminClient {
  static let admin = Option(
    "admin", Kind("URL", "an address such as http://127.0.0.1:4711/__admin") { $0 },
    "The admin address of the ready line; else CARREL_MOCK_ADMIN.", common: true)
  static let tenant = Option("tenant", Kind<String>.word, "The tenant to speak of.", common: true)
  /// What every command that speaks to a running mock takes.
  static let common: [any Declared] = [admin, tenant]

  /// Sends one order, prints what comes back, and gives the exit code.
  static func send(
    _ method: HTTP.Method, _ path: String, _ body: JSONValue? = nil, _ input: Input
  ) async throws(UsageError) -> Int32 {
    let base = try base(input)
    do {
      let reply = try await reply(method, base + path, body, tenant: try input[tenant])
      Main.say(
        String(decoding: reply.body, as: UTF8.self), on: reply.status.isSuccess ? .output : .error)
      return reply.status.isSuccess ? 0 : 1
    } catch {
      Main.say("carrel-mock: \(base) does not answer: \(error)\n", on: .error)
      return 1
    }
  }

  /// Asks again until there is an answer, as long as it takes a mock to start.
  static func wait(_ span: Duration, _ input: Input) async throws(UsageError) -> Int32 {
    let base = try base(input)
    let deadline = ContinuousClock.now + span
    while ContinuousClock.now < deadline {
      if let reply = try? await reply(.get, base + "/health", nil, tenant: nil),
        reply.status.isSuccess
      {
        break
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return try await send(.get, "/health", nil, input)
  }

  private static func base(_ input: Input) throws(UsageError) -> String {
    guard let base = try input[admin] ?? Process.environment["CARREL_MOCK_ADMIN"] else {
      throw UsageError(.missingValue, "give --admin URL, or set CARREL_MOCK_ADMIN")
    }
    return base
  }

  private static func reply(
    _ method: HTTP.Method, _ address: String, _ body: JSONValue?, tenant: String?
  ) async throws -> Reply {
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8", "localhost", "::1"].compactMap {
      AddressGate.Allowance($0)
    }
    let client = try Client(configuration)
    var request = Request(method, try Address(address))
    request.limits.body = 1 << 30
    if let tenant { request.headers.set("X-Mock-Tenant", tenant) }
    if let body {
      request.headers.set("Content-Type", "application/json")
      request.body = .bytes(body.bytes())
    }
    let reply = try await client.send(request)
    await client.shutdown()
    return reply
  }

  static func json(_ text: String, _ name: String) throws(UsageError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch { throw UsageError(.badValue, "\(name) is not JSON: \(error)") }
  }

  /// `?operation=checkOut&limit=5`, of what was given.
  static func query(_ fields: [(String, String?)]) -> String {
    let given = fields.compactMap { name, value in value.map { FormFields.Field(name, $0) } }
    return given.isEmpty ? "" : "?" + FormFields(given).encoded
  }
}
