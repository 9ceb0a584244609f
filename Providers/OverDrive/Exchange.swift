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

  func body(of reply: Reply, during operation: Circulation.Operation)
    throws(CirculationError) -> JSONValue
  {
    try Documents.success(
      status: reply.status.code, body: reply.body, retryAfter: reply.retryAfter, operation)
  }

  func malformed(_ expected: String, _ operation: Circulation.Operation) -> CirculationError {
    Documents.malformed(expected, operation)
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
    try Documents.patron(
      try await asReader(settings.patronInformation, operation, in: call), operation)
  }

  func checkouts(in call: Call) async throws(CirculationError) -> [WireCheckout] {
    try await everyPage(from: settings.checkouts, in: call) { json throws(CirculationError) in
      try Documents.checkouts(json, .shelf)
    }
  }

  func allHolds(in call: Call) async throws(CirculationError) -> [WireHold] {
    try await everyPage(from: settings.holds, in: call) { json throws(CirculationError) in
      try Documents.holds(json, .shelf)
    }
  }

  private func everyPage<Element>(
    from first: WireRequest, in call: Call,
    _ read: (JSONValue) throws(CirculationError) -> [Element]
  ) async throws(CirculationError) -> [Element] {
    var found: [Element] = []
    var request = first
    // Not paged in practice; should it be, then not for ever.
    for _ in 0..<50 {
      let json = try await asReader(request, .shelf, in: call)
      found += try read(json)
      guard let next = WireLink(json["links"]?["next"]) else { return found }
      request = WireRequest(.get, try own(next.href, .shelf))
    }
    throw malformed("an end to the list", .shelf)
  }

  /// Nil when the reader has no such loan.
  func checkout(of item: ItemID, during operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireCheckout?
  {
    do throws(CirculationError) {
      let json = try await asReader(settings.checkout(item), operation, in: call)
      return try Documents.checkout(json, operation)
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
