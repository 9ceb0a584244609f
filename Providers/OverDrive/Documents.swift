import Circulation
import HTTP
import JSON
import ProviderKit

/// Whole answers read into the shapes of the wire, for the operations and for the decoder alike.
enum Documents {
  /// The document of a success; an empty object where the service had nothing to say.
  static func success(
    status: Int, body: [UInt8], retryAfter: Duration?, _ operation: Circulation.Operation
  ) throws(CirculationError) -> JSONValue {
    if let failure = Failures.reason(
      status: status, body: body, retryAfter: retryAfter, during: operation)
    {
      throw CirculationError(
        failure.reason, from: OverDriveProvider.listing.id, during: operation,
        providerSays: failure.says)
    }
    if status == Status.noContent.code { return [:] }
    guard let json = try? JSONValue(parsing: body, by: .tolerant), json.object != nil else {
      throw malformed("a JSON object", operation)
    }
    return json
  }

  static func malformed(_ expected: String, _ operation: Circulation.Operation)
    -> CirculationError
  {
    CirculationError(
      .malformedResponse(expected: expected), from: OverDriveProvider.listing.id,
      during: operation)
  }

  static func tokens(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> OAuth2.Tokens
  {
    guard let tokens = OAuth2.Tokens(json) else { throw malformed("a token", operation) }
    return tokens
  }

  // MARK: - The catalogue

  static func library(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireLibrary
  {
    guard let library = WireLibrary(json) else { throw malformed("a library document", operation) }
    return library
  }

  static func page(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WirePage
  {
    guard let page = WirePage(json) else { throw malformed("a page of products", operation) }
    return page
  }

  static func metadata(_ json: JSONValue) -> [WireMetadata] {
    (json["metadata"]?.elements ?? []).compactMap(WireMetadata.init)
  }

  /// Those of the bulk answer that can be told apart: what is unknown is simply absent.
  static func availabilities(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireAvailability]
  {
    guard let list = json["availability"]?.array ?? (json["totalItems"]?.whole == 0 ? [] : nil)
    else { throw malformed("a list of availability", operation) }
    return list.compactMap { WireAvailability($0) }
  }

  static func availability(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireAvailability
  {
    guard let wire = WireAvailability(json) else { throw malformed("availability", operation) }
    return wire
  }

  // MARK: - The reader

  static func patron(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WirePatron
  {
    guard let patron = WirePatron(json) else { throw malformed("patron information", operation) }
    return patron
  }

  static func checkouts(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireCheckout]
  {
    try list("checkouts", in: json, operation).map { json throws(CirculationError) in
      try checkout(json, operation)
    }
  }

  static func checkout(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireCheckout
  {
    guard let checkout = WireCheckout(json) else { throw malformed("a loan", operation) }
    return checkout
  }

  static func holds(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> [WireHold]
  {
    try list("holds", in: json, operation).map { json throws(CirculationError) in
      try hold(json, operation)
    }
  }

  static func hold(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireHold
  {
    guard let hold = WireHold(json) else { throw malformed("a hold", operation) }
    return hold
  }

  /// A shelf that is not understood is no empty shelf: the list may be missing only where the service
  /// says that there is nothing.
  private static func list(
    _ name: String, in json: JSONValue, _ operation: Circulation.Operation
  ) throws(CirculationError) -> [JSONValue] {
    if let list = json[name]?.array { return list }
    guard (json["totalItems"] ?? json["totalCheckouts"])?.whole == 0 else {
      throw malformed("a list of \(name)", operation)
    }
    return []
  }

  static func format(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireLoanFormat
  {
    guard let format = WireLoanFormat(json) else { throw malformed("a format", operation) }
    return format
  }

  static func contentLink(_ json: JSONValue, _ operation: Circulation.Operation)
    throws(CirculationError) -> WireContentLink
  {
    guard let wire = WireContentLink(json) else { throw malformed("a content link", operation) }
    return wire
  }
}
