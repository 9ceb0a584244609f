package import HTTPClient
import HTTPServer
package import MockKit

/// A mock on a free port for the length of one test, and a client that may reach it.
package struct OpenHouse: Sendable {
  package let house: MockHouse
  package let base: String
  package let client: Client

  package static func run<R>(
    _ house: MockHouse, _ body: (OpenHouse) async throws -> R
  ) async throws -> R {
    let server = Server(ServerSettings([.loopback(port: 0)], loops: 1), house.handler)
    try server.start()
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let open = OpenHouse(house: house, base: "http://\(server.addresses[0])", client: client)
    let result: Result<R, any Error>
    do { result = .success(try await body(open)) } catch { result = .failure(error) }
    await client.shutdown()
    await server.stop(within: .zero)
    return try result.get()
  }
}
