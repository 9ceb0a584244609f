import HTTP
import HTTPServer
import Testing

@Suite struct SeveredTests {
  @Test func `breaks a connection off without a byte when the handler says so`() async throws {
    let handler = Handler { request in request.path == ["break"] ? .severed : .text("fine") }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      try await client.send("GET /break HTTP/1.1\r\nHost: a\r\n\r\n")
      let isBroken: Bool
      do { isBroken = try await client.rest().isEmpty } catch { isBroken = true }
      #expect(isBroken)
      // Nobody else is hurt.
      let other = try running.connect()
      #expect(try await other.get("/").text == "fine")
    }
  }

  @Test func `leaves the date to a handler that sets it`() async throws {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let handler = Handler { _ in Response(headers: ["Date": date], body: .bytes([1])) }
    try await RunningServer.run(handler) { running in
      let client = try running.connect()
      #expect(try await client.get("/").headers.all("Date") == [date])
    }
  }
}
