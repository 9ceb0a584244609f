import Circulation
import HTTP
import HTTPClient
import ProviderKit

// Sending and reading, the same for every operation.

extension Axis360Provider {
  /// The answer with its verdict, which is not looked at yet.
  func ask(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireAnswer
  {
    let reply = try await session.send(request, as: authorization, operation, in: call)
    return try Documents.answer(
      status: reply.status.code, body: reply.body, charset: reply.charset,
      retryAfter: reply.retryAfter, operation)
  }

  func reader(during operation: Circulation.Operation) throws(CirculationError)
    -> Settings.Reader
  {
    guard let reader = settings.reader else {
      throw CirculationError(
        .credentialsRejected, from: describe().provider, during: operation,
        providerSays: "no card is linked")
    }
    return reader
  }

  func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: describe().provider, during: operation, providerSays: says)
  }

  // MARK: - What the reader has

  func myTitles(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> [WireTitle]
  {
    let reader = try reader(during: operation)
    let answer = try await ask(settings.shelf(of: reader), operation, in: call)
    return try Documents.shelvedTitles(answer, operation)
  }

  /// Nil when the reader neither has the title nor waits for it.
  func myTitle(_ item: ItemID, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> WireTitle?
  {
    let reader = try reader(during: operation)
    let answer = try await ask(settings.shelf(of: reader, only: item), operation, in: call)
    return try Documents.shelvedTitles(answer, operation).first {
      $0.titleId == item.rawValue
    }
  }

  /// After a command that was carried out: that its outcome cannot be looked at is no refusal.
  func shelvedHold(on item: ItemID, _ operation: Circulation.Operation, in call: Call) async
    -> Hold?
  {
    do throws(CirculationError) {
      return try await myTitle(item, operation, in: call)?.hold()
    } catch {
      return nil
    }
  }

  // MARK: - What to borrow as

  /// Nil leaves the choice to the service, for a title that tells no format.
  func format(of item: ItemID, asked: Format?, in call: Call)
    async throws(CirculationError) -> Format?
  {
    if let asked {
      guard let known = Formats.named(asked.id) else {
        throw failure(.formatUnavailable, .checkOut)
      }
      return known
    }
    let found = try await titles(of: [item], .checkOut, in: call)
    guard let title = found[item] else { throw failure(.noLicenses, .checkOut) }
    return Formats.preferred(among: title.formats)
  }
}

extension Reply {
  fileprivate var charset: String? {
    guard let type = headers["Content-Type"].flatMap({ MediaType(parsing: $0) }) else { return nil }
    return type["charset"]
  }
}
