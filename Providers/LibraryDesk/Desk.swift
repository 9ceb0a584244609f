import Circulation
import FoundationEssentials
import Machine
import ProviderKit

// Who stands at the desk, and which part has to do with it.

extension LibraryDeskProvider {
  /// The day at the library.
  var today: CivilDate { settings.calendar.day(of: session.clock.date()) }

  /// Proved now, whatever was known before.
  func reader(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> DeskReader
  {
    let slip = try sound(operation)
    let reader = try await parts.cards.prove(slip, operation, in: call)
    // Not before the PIN was right: else it would tell who has a card where.
    if let restriction = settings.rules.restriction, !restriction.admits(reader) {
      throw Failures.strangerHere(operation)
    }
    return reader
  }

  /// Proved, if it was a while ago: enough for what shows and gives back. A wrong PIN is another
  /// question than the right one, so that it never profits.
  func known(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> DeskReader
  {
    let slip = try sound(operation)
    let authorization = ProviderKit.Authorization(
      key: .init(scope: "desk reader", credentials: slip.digest),
      fetch: { [self] call throws(CirculationError) in
        let reader = try await self.reader(operation, in: call)
        return reader.token(until: session.clock.now() + Self.memory)
      })
    let token = try await session.token(for: authorization, during: operation, in: call)
    var reader = DeskReader(token)
    reader.pin = slip.pin
    return reader
  }

  private func sound(_ operation: Circulation.Operation) throws(CirculationError) -> Slip {
    guard let slip else { throw Failures.wrongCard(operation) }
    // A PIN that is kept nowhere is no wrong one: nothing is sent, and nothing said against the card.
    if slip.lacksPIN { throw Failures.noPIN(operation) }
    guard slip.isSound else { throw Failures.wrongCard(operation) }
    return slip
  }

  /// Long enough for one visit, short enough for a PIN that was changed.
  private static let memory = Duration.seconds(300)

  /// Proved now, and free to have something new.
  func welcome(_ operation: Circulation.Operation, in call: Call)
    async throws(CirculationError) -> DeskReader
  {
    let reader = try await self.reader(operation, in: call)
    let blocks = reader.blocks(by: settings, today: today)
    guard let first = blocks.first else { return reader }
    var error = Failures.failure(first.reason, operation)
    error.explanation = blocks.map(\.sentence).joined(separator: " ")
    let notes = blocks.compactMap(\.note)
    if !notes.isEmpty { error.providerSays = notes.joined(separator: "; ") }
    throw error
  }

  // MARK: - Which part

  func keeping(_ capability: Capability, _ operation: Circulation.Operation)
    throws(CirculationError) -> HoldKeeping
  {
    guard let keeping = parts.keeping, !keeping.missing.contains(capability) else {
      throw Failures.failure(.unsupported(capability), operation)
    }
    return keeping
  }

  func titles(_ capability: Capability, _ operation: Circulation.Operation)
    throws(CirculationError) -> Titles
  {
    guard let titles = parts.titles else {
      throw Failures.failure(.unsupported(capability), operation)
    }
    return titles
  }

  func pickups(_ operation: Circulation.Operation) throws(CirculationError) -> PickupPlaces {
    guard let pickups = parts.pickups, parts.keeping != nil else {
      throw Failures.failure(.unsupported(.physicalHolds), operation)
    }
    return pickups
  }
}

extension DeskReader {
  /// What the next request needs to know of the reader, and nothing that is shown.
  fileprivate func token(until end: ContinuousClock.Instant) -> TokenDesk.Token {
    var notes = ["card": card]
    notes["home"] = home
    notes["kind"] = kind
    return TokenDesk.Token(id, expires: end, notes: notes)
  }

  fileprivate init(_ token: TokenDesk.Token) {
    self.init(id: token.value, card: token.notes["card"] ?? "")
    (home, kind) = (token.notes["home"], token.notes["kind"])
    isWhole = false
  }
}
