import Circulation
import Lines
import ProviderKit
import SIP2
import Secrets

/// A card and its PIN, as every request about it says them. The PIN is lent, never shown.
struct Cardholder: Sendable {
  let card: String
  /// Nil where the library asks for none.
  let pin: Secret?

  func lend<Value>(_ body: (_ card: String, _ pin: String) -> Value) -> Value {
    guard let pin else { return body(card, "") }
    return pin.revealText { body(card, $0) }
  }
}

/// One errand of one reader on one line; on a second where the first broke.
final class Visit {
  let reader: Cardholder
  private let machine: SIP2Machine
  private let operation: Circulation.Operation
  private let call: Call
  let deadline: ContinuousClock.Instant
  private var talk: Talk?
  private var hasReconnected = false

  init(
    _ machine: SIP2Machine, _ reader: Cardholder, _ operation: Circulation.Operation,
    _ call: Call, _ deadline: ContinuousClock.Instant
  ) {
    (self.machine, self.reader, self.operation) = (machine, reader, operation)
    (self.call, self.deadline) = (call, deadline)
  }

  var profile: Profile { machine.profile }
  var sender: Message.Sender { machine.sender }

  func begin() async throws(SIP2Trouble) {
    if let rested = machine.rested() {
      machine.serve(operation, call, on: rested)
      talk = rested
    } else {
      talk = try await machine.fresh(operation, call, by: deadline)
    }
  }

  /// Gives the line back, if it has one.
  func leave() -> Talk? {
    defer { talk = nil }
    return talk
  }

  /// Asks. A line that broke is replaced once, if the question surely never arrived or may be asked
  /// twice.
  func ask(_ message: Message) async throws(SIP2Trouble) -> Message {
    do throws(SIP2Trouble) {
      return try await askOnce(message)
    } catch {
      guard error.endedLine, !hasReconnected,
        message.kind.isRepeatable || !error.mayHaveArrived
      else { throw error }
      try await reconnect()
      return try await askOnce(message)
    }
  }

  /// The server let nobody in: there is no session to end.
  func foundNobody() { talk?.reader = nil }

  /// On another line than the last, which nobody can trust any more.
  func reconnect() async throws(SIP2Trouble) {
    hasReconnected = true
    talk?.close()
    talk = nil
    talk = try await machine.fresh(operation, call, by: deadline)
  }

  private func askOnce(_ message: Message) async throws(SIP2Trouble) -> Message {
    guard let talk else { throw .line(.closed(.unsent)) }
    guard ContinuousClock.now < deadline else { throw .noTime }
    talk.reader = reader
    return try await talk.ask(message, by: deadline)
  }
}
