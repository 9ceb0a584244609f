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

  /// Sends one order, prints what comes back, and gives the exit code.
  static func send(
    _ method: HTTP.Method, _ path: String, _ body: JSONValue? = nil, _ input: Input
  ) async throws(UsageError) -> Int32 {
    guard let base = try input[admin] ?? Process.environment["CARREL_MOCK_ADMIN"] else {
      throw UsageError(.missingValue, "give --admin URL, or set CARREL_MOCK_ADMIN")
    }
    let tenant = try input[tenant]
    do {
      var configuration = ClientConfiguration()
      configuration.gate.allowances = ["127.0.0.0/8", "localhost", "::1"].compactMap {
        AddressGate.Allowance($0)
      }
      let client = try Client(configuration)
      var request = Request(method, try Address(base + path))
      if let tenant { request.headers.set("X-Mock-Tenant", tenant) }
      if let body {
        request.headers.set("Content-Type", "application/json")
        request.body = .bytes(body.bytes())
      }
      let reply = try await client.send(request)
      await client.shutdown()
      Main.say(
        String(decoding: reply.body, as: UTF8.self), on: reply.status.isSuccess ? .output : .error)
      return reply.status.isSuccess ? 0 : 1
    } catch {
      Main.say("carrel-mock: \(base) does not answer: \(error)\n", on: .error)
      return 1
    }
  }

  static func json(_ text: String, _ name: String) throws(UsageError) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch { throw UsageError(.badValue, "\(name) is not JSON: \(error)") }
  }
}
