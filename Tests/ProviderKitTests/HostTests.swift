import Circulation
import HTTP
import HTTPClient
import Testing

@testable import ProviderKit

@Suite struct `One of the hosts of a service` {
  @Test func `One of the hosts of a service: has a circuit of its own, and one for all who ask`()
    async throws
  {
    let script = Scripted(.fault(`A session`.unreachable))
    let session = script.session(breaker: CircuitBreaker(.init(tolerance: 1)))
    let address = try Address("https://one.example/x")
    func state(_ session: Session) async -> String? {
      let call = Call(patron: nil, deadline: script.start + .seconds(1), requestID: "r1")
      do { _ = try await session.send(WireRequest(.get, address), .list, in: call) } catch {
        return error.providerSays
      }
      return nil
    }
    #expect(await state(session.toward("one")) == "cannotConnect")
    #expect(await state(session.toward("one"))?.hasPrefix("not asked") == true)
    // What is down there is down nowhere else.
    #expect(await state(session.toward("other")) == "cannotConnect")
    #expect(await state(session.another) == "cannotConnect")
    #expect(await state(session) == "cannotConnect")
    guard case .open = session.standing.circuit else {
      Issue.record("whoever runs the house sees the worst")
      return
    }
  }
}
