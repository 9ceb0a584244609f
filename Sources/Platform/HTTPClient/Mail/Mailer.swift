import CCurl

/// Hands messages over to one mail server. It has an I/O thread of its own: libcurl waits for the
/// answer to its goodbye, and no HTTP request may stand behind that.
package final class Mailer: Sendable {
  package static let mostRecipients = 100

  private let server: MailServer
  private let engine: Engine

  package init(_ server: MailServer) throws(TransportError) {
    // No caps: a delivery that waits for a connection could not be broken off, see there.
    guard let engine = Engine(name: "carrel-mail", limits: .init(perHost: 0, inAll: 0, idle: 1))
    else { throw .other(Cause(CURLE_FAILED_INIT)) }
    self.server = server
    self.engine = engine
  }

  deinit { engine.stop() }

  package func shutdown() async { await engine.stopped() }

  /// Returns when the server has taken the message over. The envelope is the message's own
  /// recipients and the hidden ones; a sender other than the author gets the bounces.
  package func send(
    _ message: MailMessage, hidden: [MailAddress] = [], sender: MailAddress? = nil,
    deadline: ContinuousClock.Instant? = nil
  ) async throws(MailError) -> MailReceipt {
    let order = try order(message, hidden: hidden, sender: sender, deadline: deadline)
    if Task.isCancelled { throw .transport(.cancelled) }
    let id = Engine.nextID()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        engine.submit(MailDelivery(order, id: id) { continuation.resume(returning: $0) })
        // The handler may have run before there was anything to cancel.
        if Task.isCancelled { engine.cancel(id) }
      }
    } onCancel: {
      engine.cancel(id)
    }
    return try result.get()
  }

  private func order(
    _ message: MailMessage, hidden: [MailAddress], sender: MailAddress?,
    deadline: ContinuousClock.Instant?
  ) throws(MailError) -> MailDelivery.Order {
    var recipients: [String] = []
    for address in message.to + message.cc + hidden where !recipients.contains(address.mailbox) {
      recipients.append(address.mailbox)
    }
    guard recipients.count <= Mailer.mostRecipients else {
      throw .message(.tooManyRecipients(most: Mailer.mostRecipients))
    }
    let bytes: [UInt8]
    do { bytes = try message.encoded() } catch { throw .message(error) }
    return MailDelivery.Order(
      server: server, sender: (sender ?? message.from).mailbox, recipients: recipients,
      message: bytes, deadline: deadline ?? .now + server.timeout)
  }
}
