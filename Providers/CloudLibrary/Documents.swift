import Circulation
import JSON
import ProviderKit
import XML

/// Whole answers read into the shapes of the wire, for the operations and for the decoder alike.
enum Documents {
  /// A success as far as status and body tell.
  struct Answer: Sendable {
    let operation: Circulation.Operation
    let status: Int
    let body: [UInt8]
    /// Nil for what is no XML, an empty body included.
    let root: WireXML?

    var isEmpty: Bool { body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
  }

  static func success(
    status: Int, body: [UInt8], retryAfter: Duration? = nil,
    _ operation: Circulation.Operation, isForReader: Bool = true
  ) throws(CirculationError) -> Answer {
    let root = try? WireXML(parsing: body)
    let failure = root.flatMap { WireFailure($0) }
    if status == 429 {
      throw error(.providerBusy(retryAfter: retryAfter), operation, "HTTP \(status)")
    }
    if (200..<300).contains(status), failure == nil {
      return Answer(operation: operation, status: status, body: body, root: root)
    }
    let says = failure?.message.map(Failures.shown) ?? "HTTP \(status)\(aside(body, root))"
    if let text = failure?.message,
      let reason = Failures.meaning(of: text, during: operation)
    {
      throw error(reason, operation, says)
    }
    if status == 503, let retryAfter {
      throw error(.providerBusy(retryAfter: retryAfter), operation, says)
    }
    let reason = Failures.meaning(
      of: status, text: failure?.message, during: operation, isForReader: isForReader)
    throw error(reason, operation, says)
  }

  static func malformed(_ expected: String, _ operation: Circulation.Operation)
    -> CirculationError
  {
    error(.malformedResponse(expected: expected), operation)
  }

  static func error(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, _ says: String? = nil
  ) -> CirculationError {
    CirculationError(
      reason, from: CloudLibraryProvider.listing.id, during: operation, providerSays: says)
  }

  /// What no document of the service is comes from something before it, or from its bad days (§9).
  static func document(_ name: String, _ answer: Answer) throws(CirculationError) -> WireXML {
    guard let root = answer.root, !root.isNamed("html") else { throw unreadable(answer) }
    guard root.isNamed(name) else { throw malformed(name, answer.operation) }
    return root
  }

  static func unreadable(_ answer: Answer) -> CirculationError {
    let says = "HTTP \(answer.status)\(aside(answer.body, answer.root))"
    return error(.providerUnavailable, answer.operation, says)
  }

  /// The text of what is no document of the service's, for support.
  private static func aside(_ body: [UInt8], _ root: WireXML?) -> String {
    let text = Failures.shown(root?.text ?? String(decoding: body.prefix(1000), as: UTF8.self))
    let isText = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0 != "\u{FFFD}" }
    return text.isEmpty || !isText ? "" : ": \(text)"
  }

  // MARK: - The catalogue

  /// An empty body tells nothing, and least of all that the titles have left (§4.2).
  static func items(_ answer: Answer) throws(CirculationError) -> [WireItem] {
    if answer.isEmpty { throw unreadable(answer) }
    if let root = answer.root, root.isNamed("Item") { return [WireItem(root)].compactMap(\.self) }
    return try document("ArrayOfItem", answer).all("Item").compactMap { WireItem($0) }
  }

  /// Here an empty body is the end of the list (§4.1).
  static func marc(_ answer: Answer) throws(CirculationError) -> WireMARCPage {
    if answer.isEmpty { return WireMARCPage(received: 0, records: []) }
    guard let page = WireMARCPage(answer.body) else {
      throw malformed("a collection of MARC records", answer.operation)
    }
    return page
  }

  /// And here it means that nothing happened (§5).
  static func events(_ answer: Answer) throws(CirculationError) -> WireEvents {
    if answer.isEmpty { return WireEvents(count: 0, items: []) }
    return WireEvents(try document("LibraryEventBatch", answer))
  }

  static func circulation(_ answer: Answer) throws(CirculationError) -> WireCirculation {
    guard let root = answer.root,
      let wire = WireCirculation(root)
        ?? root.everywhere("ItemCirculation").lazy.compactMap({ WireCirculation($0) }).first
    else { throw malformed("circulation of an item", answer.operation) }
    return wire
  }

  // MARK: - The reader

  static func check(_ answer: Answer) throws(CirculationError) -> String {
    guard let root = answer.root, !root.isNamed("html") else { throw unreadable(answer) }
    let result = root.isNamed("result") ? root : root.everywhere("result").first
    guard let word = result?.words else {
      throw malformed("the result of a card's check", answer.operation)
    }
    return word
  }

  /// A shelf that cannot be read is an error, never an empty one.
  static func shelf(_ answer: Answer) throws(CirculationError) -> WireShelf {
    WireShelf(try document("PatronCirculation", answer))
  }

  static func checkout(_ answer: Answer) throws(CirculationError) -> WireCheckout {
    guard let wire = WireCheckout(try document("CheckoutResult", answer)) else {
      throw malformed("a loan", answer.operation)
    }
    return wire
  }

  static func placedHold(_ answer: Answer) throws(CirculationError) -> WirePlacedHold {
    guard let wire = WirePlacedHold(try document("PlaceHoldResult", answer)) else {
      throw malformed("a hold", answer.operation)
    }
    return wire
  }

  static func statuses(_ answer: Answer) throws(CirculationError) -> [WireStatus] {
    guard let root = answer.root else { throw malformed("statuses", answer.operation) }
    let found = root.isNamed("DocumentStatus") ? [root] : root.everywhere("DocumentStatus")
    return found.compactMap { WireStatus($0) }
  }

  /// §8: the document itself is handed on, so it is only looked at.
  static func licence(_ answer: Answer) throws(CirculationError) -> WireLicence {
    WireLicence(try document("fulfillmentToken", answer), answer.body)
  }

  static func audioLicence(_ answer: Answer) throws(CirculationError) -> WireAudioLicence {
    guard let json = try? JSONValue(parsing: answer.body, by: .tolerant),
      let wire = WireAudioLicence(json, answer.body)
    else {
      throw answer.root == nil ? unreadable(answer) : malformed("a licence", answer.operation)
    }
    return wire
  }
}
