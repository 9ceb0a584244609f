import Axis360Mock
import Circulation
import HTTP
import HTTPClient
import HTTPServer
import MockKit
import ProviderKit
import Secrets
import Testing

@testable import Axis360

/// From the shelf to the licence, over real connections.
@Suite(.serialized) struct `A download` {
  @Test func `A download follows the signed address as it is written, and works once`() async throws
  {
    try await visit { desk, client, call in
      let item = ItemID(try #require(desk.first))
      _ = try await desk.provider.checkOut(item, as: nil, in: call)
      for _ in 0..<2 {
        let handed = try await desk.provider.fulfil(item, as: nil, in: call)
        #expect(handed.link.singleUse)
        #expect(try await text(at: handed.link, client).contains("fulfillmentToken"))
        #expect(try await text(at: handed.link, client).contains("E_URLLINK_EXPIRED"))
      }
    }
  }

  private struct Desk {
    let provider: Axis360Provider
    /// The first title of the shelf.
    let first: String?
  }

  private func text(at link: Fulfilment.Link, _ client: Client) async throws -> String {
    let request = HTTPClient.Request(.get, try Address(link.address))
    return String(decoding: try await client.send(request).body, as: UTF8.self)
  }

  private func visit(_ body: (Desk, Client, Call) async throws -> Void) async throws {
    let mocks = MockHouse(.threeCards, dialects: [Axis360Dialect.dialect])
    let server = Server(ServerSettings([.loopback(port: 0)], loops: 1), mocks.handler)
    try server.start()
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    let client = try Client(configuration)
    let session = Session(
      provider: ProviderID("axis360"),
      transport: Transport { request async throws(TransportError) in
        try await client.send(request)
      })
    let library = Library(
      id: LibraryID("l"), provider: ProviderID("axis360"), name: "L",
      endpoints: ["api": try Address("http://\(server.addresses[0])/Services/VendorAPI/")],
      settings: ["library_id": "demo"],
      secrets: ["username": Secret("carrelmock"), "password": Secret("mock-vendor-secret")])
    let reader = Credentials(["card": Secret("23000000000001")])
    let desk = Desk(
      provider: Axis360Provider(settings: try Settings(library, reader), session: session),
      first: mocks.main.withState { $0.library("demo", of: "axis360")?.lending.order.first })
    let call = Call(patron: nil, deadline: .now + .seconds(20), requestID: "download")
    let result: Result<Void, any Error>
    do { result = .success(try await body(desk, client, call)) } catch { result = .failure(error) }
    await client.shutdown()
    await server.stop(within: .zero)
    try result.get()
  }
}
