package import HTTP
import HTTPServer
package import ProviderKit
import Secrets
import Synchronization

/// Waits on loopback for the one request with which a browser comes back from a sign-in page, for
/// programs that have no address of their own on the web (RFC 8252 §7.3).
package final class RedirectCatcher: Sendable {
  package enum Fault: Error, Sendable, Hashable {
    /// The port is taken, or not ours to take.
    case cannotListen
    case deadline
    case cancelled
  }

  /// What the service is told to send the reader to, letter for letter.
  package let redirect: String
  private let server: Server
  private let desk: Desk
  private let clock: SessionClock

  /// Listens from now on, on a port of the system's choice or on the one that is registered with the
  /// service. Whoever made it waits for the answer or closes it.
  package init(port: Int = 0, state: String, clock: SessionClock = .system) throws(Fault) {
    let desk = Desk()
    let server = Server(
      ServerSettings([.loopback(port: port)], loops: 1),
      .immediate { Self.answer($0, state: state, desk) })
    do { try server.start() } catch { throw .cannotListen }
    guard let port = server.addresses.first?.port else { throw .cannotListen }
    redirect = "http://127.0.0.1:\(port)/callback"
    (self.server, self.desk, self.clock) = (server, desk, clock)
  }

  /// The query that the browser brought, an error of the service included. Nothing listens any more
  /// when this returns.
  package func answer(before deadline: ContinuousClock.Instant) async throws(Fault) -> FormFields {
    let alarm = Task { [clock, desk] in
      do throws(CancellationError) { try await clock.sleep(deadline) } catch { return }
      desk.settle(.failure(.deadline))
    }
    let result = await withTaskCancellationHandler {
      await desk.result()
    } onCancel: {
      desk.settle(.failure(.cancelled))
    }
    alarm.cancel()
    await close()
    return try result.get()
  }

  /// The page that is on its way to the browser still arrives.
  package func close() async {
    desk.settle(.failure(.cancelled))
    await server.stop(within: .seconds(2))
  }

  // MARK: - The answer to the browser

  /// Any page in the browser can send requests here, so what does not bring our word back neither
  /// ends the wait nor learns anything.
  private static func answer(
    _ request: HTTPServer.Request, state: String, _ desk: Desk
  ) -> Response {
    guard request.path == ["callback"] else { return page(.notFound, .foreign) }
    guard request.method == .get else {
      var refusal = page(.methodNotAllowed, .foreign)
      refusal.headers.set("Allow", "GET")
      return refusal
    }
    let query = request.query
    let states = query.all("state")
    guard states.count == 1, constantTimeEqual(Array(states[0].utf8), Array(state.utf8)) else {
      return page(.badRequest, .foreign)
    }
    guard desk.settle(.success(query)) else { return page(.gone, .late) }
    return page(.ok, query["error"] == nil ? .done : .refused)
  }

  private enum Words: String {
    case done = "You can close this window. Carrel goes on by itself."
    case refused = "The service did not sign you in. You can close this window and try again."
    case late = "This sign-in is over. You can close this window."
    case foreign = "This address only takes the answer to a sign-in that is under way."
  }

  private static func page(_ status: Status, _ words: Words) -> Response {
    let html = """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Carrel</title></head>
      <body><main><h1>Carrel</h1><p>\(words.rawValue)</p></main></body></html>
      """
    var response = Response.text(html, .html, status: status)
    // The address holds a code: it must neither be stored nor told on.
    response.headers.set("Cache-Control", "no-store")
    response.headers.set("Referrer-Policy", "no-referrer")
    response.headers.set("Content-Security-Policy", "default-src 'none'")
    response.headers.set("X-Content-Type-Options", "nosniff")
    return response
  }
}

/// Where the first of answer, deadline and cancellation is laid down, and waited for once.
private final class Desk: Sendable {
  typealias Outcome = Result<FormFields, RedirectCatcher.Fault>

  private enum State {
    case open
    case waiting(CheckedContinuation<Outcome, Never>)
    case settled(Outcome)
  }

  private let state = Mutex(State.open)

  /// False where it was settled before.
  @discardableResult func settle(_ outcome: Outcome) -> Bool {
    let (isFirst, ticket) = state.withLock {
      state -> (Bool, CheckedContinuation<Outcome, Never>?) in
      switch state {
      case .open:
        state = .settled(outcome)
        return (true, nil)
      case .waiting(let ticket):
        state = .settled(outcome)
        return (true, ticket)
      case .settled: return (false, nil)
      }
    }
    ticket?.resume(returning: outcome)
    return isFirst
  }

  func result() async -> Outcome {
    await withCheckedContinuation { ticket in
      let known = state.withLock { state -> Outcome? in
        if case .settled(let outcome) = state { return outcome }
        state = .waiting(ticket)
        return nil
      }
      if let known { ticket.resume(returning: known) }
    }
  }
}
