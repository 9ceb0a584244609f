import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

// Sending and reading, the same for every operation.

extension OverDriveProvider {
  func asReader(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> JSONValue
  {
    let authorization = try asReader(during: operation)
    return try await exchange(request, as: authorization, operation, in: call)
  }

  func asClient(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> JSONValue
  {
    try await exchange(request, as: asClient, operation, in: call)
  }

  private func exchange(
    _ request: WireRequest, as authorization: ProviderKit.Authorization,
    _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> JSONValue {
    var request = request
    // The terms ask for the reader's own address when we act for one (§3.1).
    if let reader = call.readerAddress { request.headers.set("X-Forwarded-For", reader) }
    let reply = try await session.send(request, as: authorization, operation, in: call)
    return try body(of: reply, during: operation)
  }

  /// The document of a success; an empty object where the service had nothing to say.
  func body(of reply: Reply, during operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    if let failure = Failures.reason(
      status: reply.status.code, body: reply.body, retryAfter: reply.retryAfter, during: operation)
    {
      throw CirculationError(
        failure.reason, from: describe().provider, during: operation, providerSays: failure.says)
    }
    if reply.status == .noContent { return [:] }
    guard let json = try? JSONValue(parsing: reply.body, by: .tolerant), json.object != nil else {
      throw malformed("a JSON object", operation)
    }
    return json
  }

  func malformed(_ expected: String, _ operation: Circulation.Operation) -> CirculationError {
    CirculationError(
      .malformedResponse(expected: expected), from: describe().provider, during: operation)
  }

  func refusal(_ capability: Capability, _ operation: Circulation.Operation) -> CirculationError {
    CirculationError(.unsupported(capability), from: describe().provider, during: operation)
  }

  func own(_ href: String, _ operation: Circulation.Operation) throws(CirculationError) -> Address {
    do throws(Settings.LinkFault) { return try settings.own(href) } catch {
      throw malformed("a usable link", operation)
    }
  }

  /// Lets two calls go side by side although tasks erase typed errors.
  func attempt<Value: Sendable>(
    _ work: () async throws(CirculationError) -> Value
  ) async -> Result<Value, CirculationError> {
    do throws(CirculationError) { return .success(try await work()) } catch {
      return .failure(error)
    }
  }

  /// What fails on the way is told as the failure of what was asked for.
  func part<Value: Sendable>(
    of operation: Circulation.Operation, _ work: () async throws(CirculationError) -> Value
  ) async throws(CirculationError) -> Value {
    do throws(CirculationError) { return try await work() } catch { throw error.during(operation) }
  }

  // MARK: - Documents about the reader

  func patron(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WirePatron
  {
    let json = try await asReader(settings.patronInformation, operation, in: call)
    guard let patron = WirePatron(json) else { throw malformed("patron information", operation) }
    return patron
  }

  func checkouts(in call: Call) async throws(CirculationError) -> [WireCheckout] {
    try await list("checkouts", settings.checkouts, in: call).map { json throws(CirculationError) in
      guard let checkout = WireCheckout(json) else { throw malformed("a loan", .shelf) }
      return checkout
    }
  }

  func allHolds(in call: Call) async throws(CirculationError) -> [WireHold] {
    try await list("holds", settings.holds, in: call).map { json throws(CirculationError) in
      guard let hold = WireHold(json) else { throw malformed("a hold", .shelf) }
      return hold
    }
  }

  /// A shelf that is not understood is no empty shelf: the list may be missing only where the service
  /// says that there is nothing.
  private func list(_ name: String, _ first: WireRequest, in call: Call)
    async throws(CirculationError) -> [JSONValue]
  {
    var found: [JSONValue] = []
    var request = first
    // Not paged in practice; should it be, then not for ever.
    for _ in 0..<50 {
      let json = try await asReader(request, .shelf, in: call)
      if let list = json[name]?.array {
        found += list
      } else if json["totalItems"]?.whole != 0 {
        throw malformed("a list of \(name)", .shelf)
      }
      guard let next = WireLink(json["links"]?["next"]) else { return found }
      request = WireRequest(.get, try own(next.href, .shelf))
    }
    throw malformed("an end to the list of \(name)", .shelf)
  }

  /// Nil when the reader has no such loan.
  func checkout(of item: ItemID, during operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireCheckout?
  {
    do throws(CirculationError) {
      let json = try await asReader(settings.checkout(item), operation, in: call)
      guard let checkout = WireCheckout(json) else { throw malformed("a loan", operation) }
      return checkout
    } catch {
      // Both 400 with a code and a plain 404 are ways to say so (§13, 40).
      if [.notBorrowed, .noLicenses, .titleGone].contains(error.reason) { return nil }
      throw error
    }
  }

  func hold(on item: ItemID, during operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireHold
  {
    let holds = try await part(of: operation) { () throws(CirculationError) in
      try await allHolds(in: call)
    }
    guard let hold = holds.first(where: { $0.reserveId == item.rawValue })
    else { throw CirculationError(.notOnHold, from: describe().provider, during: operation) }
    return hold
  }
}
