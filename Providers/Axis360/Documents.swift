import Circulation
import HTTP
import HTTPClient
import JSON
import ProviderKit

/// Whole answers read into the shapes of the wire, for the operations and for the decoder alike.
enum Documents: DocumentReading {
  static let provider = Axis360Provider.listing.id

  /// An answer that has a verdict. What it says is looked at by whoever knows what was asked.
  static func answer(
    status: Int, body: [UInt8], charset: String?, retryAfter: Duration?,
    _ operation: Circulation.Operation
  ) throws(CirculationError) -> WireAnswer {
    let answer = WireAnswer(
      status: status, body: body, charset: charset, retryAfter: retryAfter)
    guard let answer, answer.number != nil else {
      throw failure(
        Failures.reason(status: status, retryAfter: retryAfter), operation,
        says: answer?.code ?? (status == 200 ? nil : "HTTP \(status)"))
    }
    return answer
  }

  /// A 401 that is about something else is an answer like any other (§2, §12.3).
  @Sendable static func isTokenRefused(_ reply: Reply) -> Bool {
    // A refusal is short; a catalogue need not be read for it.
    guard reply.status == .unauthorized || reply.body.count < 4096 else { return false }
    let answer = WireAnswer(
      status: reply.status.code, body: reply.body, charset: nil, retryAfter: nil)
    guard let number = answer?.number else { return reply.status == .unauthorized }
    return number == 1001 || number == 1002
  }

  static func tokens(
    status: Int, body: [UInt8], retryAfter: Duration?, _ operation: Circulation.Operation
  ) throws(CirculationError) -> OAuth2.Tokens {
    if let json = WireAnswer(status: status, body: body, charset: nil, retryAfter: nil)?.json,
      let tokens = OAuth2.Tokens(json)
    {
      return tokens
    }
    let answer = try self.answer(
      status: status, body: body, charset: nil, retryAfter: retryAfter, operation)
    _ = try answer.checked(operation)
    throw malformed("a token", operation)
  }

  // MARK: - The catalogue

  static func titles(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireTitle]
  {
    let answer = try answer.checked(operation)
    let titles = answer.xml?.all("title") ?? []
    // What is not understood is no empty shelf.
    guard let root = answer.xml, !titles.isEmpty || root.isNamed("availabilityResponse") else {
      throw malformed("titles", operation)
    }
    let found = titles.compactMap(WireTitle.init)
    guard found.isEmpty == titles.isEmpty else { throw malformed("titles with ids", operation) }
    return WireTitle.each(found)
  }

  /// Whom the service has never seen has nothing (§3).
  static func shelvedTitles(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireTitle]
  {
    answer.number == 3122 ? [] : try titles(answer, operation)
  }

  static func inventory(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> InventoryPage
  {
    guard let json = try answer.checked(operation).json, let page = InventoryPage(json) else {
      throw malformed("a page of the inventory", operation)
    }
    return page
  }

  // MARK: - Circulation

  static func checkout(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireCheckout
  {
    guard let root = try answer.checked(operation).xml, let checkout = WireCheckout(root) else {
      throw malformed("a checkout", operation)
    }
    return checkout
  }

  static func placedHold(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> WirePlacedHold
  {
    guard let root = try answer.checked(operation).xml, let placed = WirePlacedHold(root) else {
      throw malformed("a hold", operation)
    }
    return placed
  }

  static func holds(_ answer: WireAnswer, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireHold]
  {
    guard answer.number != 3122 else { return [] }
    guard let root = try answer.checked(operation).xml else {
      throw malformed("a list of holds", operation)
    }
    return root.everywhere("hold").compactMap(WireHold.init)
  }
}

extension WireAnswer {
  /// Itself, where its verdict is zero.
  func checked(_ operation: Circulation.Operation) throws(CirculationError) -> WireAnswer {
    guard let number else {
      throw Documents.failure(
        Failures.reason(status: status, retryAfter: retryAfter), operation, says: code)
    }
    if number == 0 { return self }
    var reason = Failures.reason(number, message, during: operation)
    // A gateway in front that asks for patience, with what stood behind it in its answer.
    if reason == .providerUnavailable, status == 429 || status == 503 {
      reason = .providerBusy(retryAfter: retryAfter)
    }
    throw Documents.failure(reason, operation, says: says)
  }

  /// Code and words, unless the words might name somebody.
  private var says: String? {
    guard let message, message.utf8.count < 200, !message.contains("@"), !message.hasLongNumber
    else { return code }
    return code.map { "\($0): \(message)" }
  }
}

extension String {
  fileprivate var hasLongNumber: Bool {
    split { !$0.isNumber }.contains { $0.count > 5 }
  }
}
