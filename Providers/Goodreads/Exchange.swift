import Circulation
import FoundationEssentials
import HTTP
import HTTPClient
import ProviderKit

// Signing, sending and reading, the same for every operation.

extension GoodreadsProvider {
  func ask(_ request: WireRequest, _ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> Answer
  {
    let reader = try reader(operation)
    let signer = OAuth1.Signer(settings.consumer, token: reader.token)
    return Answer(try await signed(request, by: signer, operation, in: call))
  }

  /// A clock that is minutes off is refused like a wrong signature (§3). What was refused at the door
  /// had no effect, so with the time that the refusal told the same is asked once more.
  func signed(
    _ request: WireRequest, by signer: OAuth1.Signer, _ operation: Circulation.Operation,
    in call: Call
  ) async throws(CirculationError) -> Reply {
    let before = session.clockAhead ?? 0
    let reply = try await session.send(
      signer.signing(request, by: stamps()), operation, in: call)
    let now = session.clockAhead ?? 0
    guard reply.status == .unauthorized, abs(now - before) > 60_000 else { return reply }
    return try await session.send(signer.signing(request, by: stamps()), operation, in: call)
  }

  /// By the service's clock, as far as it is known.
  func stamps() -> @Sendable () -> OAuth1.Stamp {
    { [session] in
      let ahead = Double(session.clockAhead ?? 0) / 1000
      let time = session.clock.date().timeIntervalSince1970 + ahead
      let nonce = String(UInt64.random(in: 0...UInt64.max), radix: 36)
      return OAuth1.Stamp(
        nonce: nonce + String(UInt64.random(in: 0...UInt64.max), radix: 36),
        time: Int(time.rounded(.down)))
    }
  }

  func reader(_ operation: Circulation.Operation) throws(CirculationError) -> Settings.Reader {
    guard let reader = settings.reader else {
      throw failure(.credentialsRejected, operation, says: "nobody has signed in")
    }
    return reader
  }

  func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: Self.listing.id, during: operation, providerSays: says)
  }
}
