import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit

// Sending and reading, the same for every operation.

extension CloudLibraryProvider {
  func cardholder(_ operation: Circulation.Operation) throws(CirculationError) -> Cardholder {
    guard let reader = settings.reader else {
      throw Documents.error(.credentialsRejected, operation, "no card is linked")
    }
    return Cardholder(reader: reader)
  }

  /// The service calls both a bad day of its own and a wrong PIN "Authentication failed" (§9): the
  /// card's own check tells which. A question is then put once more.
  func ask(_ errand: Errand, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Documents.Answer
  {
    do throws(CirculationError) { return try await send(errand, operation, in: call) } catch {
      guard error.providerSays == Failures.badDay else { throw error }
      if errand.isForReader, settings.reader?.pin != nil {
        try await checkCard(operation, in: call)
      }
      guard errand.isQuestion else { throw error }
      return try await send(errand, operation, in: call)
    }
  }

  private func send(_ errand: Errand, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Documents.Answer
  {
    let request: WireRequest
    do throws(Settings.AddressFault) {
      request = try settings.request(errand, at: session.clock.date)
    } catch {
      throw Documents.error(.notConfigured(what: "a usable address"), operation)
    }
    let reply = try await session.send(request, operation, in: call)
    if reply.status == .unauthorized, let skew = skew(of: reply), abs(skew) > 240 {
      throw Documents.error(
        .notConfigured(what: "a clock that is right"), operation,
        "HTTP 401; the clocks differ by \(skew) s")
    }
    return try Documents.success(
      status: reply.status.code, body: reply.body, retryAfter: reply.retryAfter, operation,
      isForReader: errand.isForReader)
  }

  /// By how much the service's clock is ahead of ours, in seconds: a date that is off looks like a
  /// wrong key.
  private func skew(of reply: Reply) -> Int? {
    guard let date = reply.headers["Date"].flatMap({ HTTPDate($0) }) else { return nil }
    return Int(date.seconds) - Int(session.clock.date().timeIntervalSince1970)
  }

  /// A command that has nothing to say says nothing, or some small document that is no page.
  func isNod(_ answer: Documents.Answer) -> Bool {
    answer.isEmpty || answer.root.map { !$0.isNamed("html") } ?? false
  }

  // MARK: - The reader

  func checkCard(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError)
  {
    let answer = try await send(try cardholder(operation).check, operation, in: call)
    let result = try Documents.check(answer)
    guard result.uppercased() == "SUCCESS" else {
      throw Documents.error(Failures.standing(result), operation, Failures.shown(result))
    }
  }

  func wireShelf(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireShelf
  {
    try Documents.shelf(try await ask(try cardholder(operation).shelf, operation, in: call))
  }

  /// The shelf names its titles by id alone. That they cannot be told just now makes it no less true.
  func details(of shelf: WireShelf, in call: Call)
    async throws(CirculationError) -> [WireItem]
  {
    do throws(CirculationError) {
      return try await items(shelf.itemIDs.map { ItemID($0) }, .shelf, in: call)
    } catch {
      guard error.reason == .cancelled else { return [] }
      throw error
    }
  }

  /// The new place in line, which the answer to its placing does not tell.
  func ownHold(on item: ItemID, in call: Call) async -> Hold? {
    let shelf = await attempt { () throws(CirculationError) in
      try await self.shelf(in: call)
    }
    guard case .success(let shelf) = shelf else { return nil }
    return shelf.hold(on: item)
  }

  func refusal(ofHoldOn item: ItemID, in call: Call)
    async throws(CirculationError) -> CirculationError?
  {
    let answer = try await ask(
      try cardholder(.placeHold).status(of: [item]), .placeHold, in: call)
    guard let status = try Documents.statuses(answer).first(where: { $0.id == item.rawValue })
    else { return nil }
    return Documents.error(
      Failures.meaningForHold(of: status.status), .placeHold, Failures.shown(status.status))
  }

  func attempt<Value: Sendable>(
    _ work: () async throws(CirculationError) -> Value
  ) async -> Result<Value, CirculationError> {
    do throws(CirculationError) { return .success(try await work()) } catch {
      return .failure(error)
    }
  }

  // MARK: - Titles

  /// What the service knows of these; what it leaves out has left the collection.
  func items(_ wanted: [ItemID], _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [WireItem]
  {
    var found: [WireItem] = []
    for batch in wanted.batches(of: Self.batch) {
      found += try await batchOfItems(batch, operation, in: call)
    }
    return found
  }

  /// An empty answer is a passing fault, so the question is put once more.
  private func batchOfItems(
    _ batch: [ItemID], _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> [WireItem] {
    let answer = try await ask(.items(batch), operation, in: call)
    guard answer.isEmpty else { return try Documents.items(answer) }
    return try Documents.items(try await ask(.items(batch), operation, in: call))
  }
}
