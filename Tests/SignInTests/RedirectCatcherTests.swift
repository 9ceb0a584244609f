import HTTP
import HTTPClient
import ProviderKit
import Testing

@testable import SignIn

@Suite struct `A redirect catcher` {
  private func client() throws -> Client {
    var configuration = ClientConfiguration()
    configuration.gate.allowances = ["127.0.0.0/8"].compactMap { AddressGate.Allowance($0) }
    return try Client(configuration)
  }

  private func get(_ client: Client, _ text: String, _ method: HTTP.Method = .get) async throws
    -> Reply
  {
    try await client.send(HTTPClient.Request(method, try Address(text)))
  }

  @Test func `A redirect catcher takes the answer, shows a plain page, and is gone`() async throws {
    let (client, catcher) = (try client(), try RedirectCatcher(state: "s t"))
    async let answer = catcher.answer(before: .now + .seconds(60))
    let reply = try await get(client, catcher.redirect + "?code=c%20d&state=s+t")
    #expect(reply.status == .ok)
    #expect(reply.headers["Cache-Control"] == "no-store")
    #expect(reply.headers["Referrer-Policy"] == "no-referrer")
    let page = String(decoding: reply.body, as: UTF8.self)
    #expect(page.contains("close this window") && !page.contains("c d"))
    #expect(try await answer["code"] == "c d")
    await #expect(throws: TransportError.self) { try await get(client, catcher.redirect) }
    await client.shutdown()
  }

  @Test func `A redirect catcher hands over a refusal too`() async throws {
    let (client, catcher) = (try client(), try RedirectCatcher(state: "s"))
    let reply = try await get(client, catcher.redirect + "?error=access_denied&state=s")
    #expect(String(decoding: reply.body, as: UTF8.self).contains("did not sign you in"))
    let late = try await get(client, catcher.redirect + "?code=c&state=s")
    #expect(late.status == .gone)
    #expect(try await catcher.answer(before: .now + .seconds(60))["error"] == "access_denied")
    await client.shutdown()
  }

  @Test(arguments: [
    ("/callback?code=c&state=other", 400), ("/callback?code=c", 400),
    ("/callback?code=c&state=s&state=s", 400), ("/favicon.ico", 404), ("/", 404),
  ])
  func `A redirect catcher is not moved by what is not its answer`(_ path: String, status: Int)
    async throws
  {
    let (client, catcher) = (try client(), try RedirectCatcher(state: "s"))
    let base = String(catcher.redirect.dropLast("/callback".count))
    #expect(try await get(client, base + path).status.code == status)
    #expect(try await get(client, catcher.redirect + "?code=c&state=s", .post).status.code == 405)
    #expect(try await get(client, catcher.redirect + "?code=c&state=s").status == .ok)
    #expect(try await catcher.answer(before: .now + .seconds(60))["code"] == "c")
    await client.shutdown()
  }

  @Test func `A redirect catcher waits no longer than it may`() async throws {
    let catcher = try RedirectCatcher(
      state: "s", clock: SessionClock(now: { .now }, sleep: { _ throws(CancellationError) in }))
    await #expect(throws: RedirectCatcher.Fault.deadline) {
      try await catcher.answer(before: .now + .seconds(3600))
    }
  }

  @Test func `A redirect catcher ends when nobody wants the answer any more`() async throws {
    let catcher = try RedirectCatcher(state: "s")
    let waiting = Task { () -> RedirectCatcher.Fault? in
      do throws(RedirectCatcher.Fault) {
        _ = try await catcher.answer(before: .now + .seconds(3600))
      } catch {
        return error
      }
      return nil
    }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
  }

  @Test func `A redirect catcher says when its port is taken`() async throws {
    let catcher = try RedirectCatcher(state: "s")
    let port = try #require(try Address(catcher.redirect).port)
    #expect(throws: RedirectCatcher.Fault.cannotListen) {
      try RedirectCatcher(port: port, state: "s")
    }
    await catcher.close()
  }
}
