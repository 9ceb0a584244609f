import HTTP
import HTTPServer
import JSON
import Markup
import MockKit

/// What changes something. Either verb will do, and the answer says by its status whether anything was
/// new.
extension Visit {
  func command(_ route: Route, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    switch route {
    case .checkout: return try checkOut(try order("CheckoutRequest"), library, &state)
    case .checkin: return try checkIn(try order("CheckinRequest"), library, &state)
    case .placeHold: return try placeHold(try order("PlaceHoldRequest"), library, &state)
    case .cancelHold: return try cancelHold(try order("CancelHoldRequest"), library, &state)
    case .itemACSM: return try licence(try order("ACSMRequest"), library, &state)
    case .itemAudioFulfillment:
      return try audioLicence(try order("AudioFulfillmentRequest"), library)
    default: throw .notFound
    }
  }

  private func checkOut(_ order: Order, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    try signIn(order.card, library)
    let actual = status(of: order.item, to: order.card, library)
    if actual == "LOAN", library.settings["refuses_repeats"]?.bool != true,
      let loan = library.lending.loan(of: order.item, by: order.card)
    {
      return .cirrus(result(of: loan))
    }
    guard ["CAN_LOAN", "RESERVATION"].contains(actual) else {
      throw .status(actual, notOneOf: "CAN_LOAN,RESERVATION")
    }
    let loan = try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.borrow(order.item, by: order.card, at: now)
    }
    return .cirrus(result(of: loan), .created)
  }

  private func result(of loan: Loan) -> Node {
    tag("CheckoutResult") { [leaf("ItemId", loan.title), leaf("DueDateInUTC", loan.until)] }
  }

  private func checkIn(_ order: Order, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    try trusted(order.card, library)
    try mustHave(order, library)
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.giveBack(order.item, by: order.card, at: now)
    }
    return .nothing
  }

  private func mustHave(_ order: Order, _ library: MockLibrary) throws(Failure) {
    guard library.lending.loan(of: order.item, by: order.card) == nil else { return }
    guard !library.lending.loans(by: order.card).isEmpty else { throw Failure(.notBorrowed) }
    let actual = status(of: order.item, to: order.card, library)
    throw .status(actual, notOneOf: "LOAN", .notFound)
  }

  private func placeHold(_ order: Order, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    try signIn(order.card, library)
    let actual = status(of: order.item, to: order.card, library)
    guard actual == "CAN_HOLD" else {
      throw .status(actual, notOneOf: "CAN_HOLD", .methodNotAllowed)
    }
    let hold = try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.placeHold(on: order.item, by: order.card, at: now)
    }
    return .cirrus(
      tag("PlaceHoldResult") {
        [
          leaf("ItemId", order.item),
          leaf("AvailabilityDateInUTC", hold.placed + 14 * LendingRules.day),
        ]
      }, .created)
  }

  /// What is ready waits for its reader until it lapses.
  private func cancelHold(_ order: Order, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    try trusted(order.card, library)
    if library.lending.hold(on: order.item, by: order.card)?.isReady == true {
      throw .status("RESERVATION", notOneOf: "HOLD")
    }
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.cancelHold(on: order.item, by: order.card, at: now)
    }
    return .nothing
  }

  // MARK: - What a loan opens

  /// The same document again, however often it is asked for: its hours count from the first time.
  private func licence(_ order: Order, _ library: MockLibrary, _ state: inout WorldState)
    throws(Failure) -> Response
  {
    try trusted(order.card, library)
    try mustHave(order, library)
    guard let loan = library.lending.loan(of: order.item, by: order.card),
      library.lending.titles[order.item]?.formats != ["MP3"]
    else { throw .malformed }
    let key = "\(order.item) \(order.card) \(loan.since.text)"
    let first = library.settings["licences"]?[key]?.string.flatMap { Moment($0) } ?? now
    _ = state.change(libraryID, of: CloudLibraryDialect.name) { library, _ in
      var known = library.settings["licences"]?.object ?? [:]
      known[key] = .string(first.text)
      library.settings["licences"] = .object(known)
    }
    return Self.acsm(order.item, until: first + 8 * 3_600_000)
  }

  private static func acsm(_ item: String, until end: Moment) -> Response {
    var random = SeededRandom(seed: 0, for: "\(item) \(end.text)")
    let document = tag(
      "fulfillmentToken", Attribute("fulfillmentType", "loan"),
      Attribute("xmlns", "http://ns.adobe.com/adept")
    ) {
      [
        leaf("distributor", "urn:uuid:\(random.guid())"),
        leaf("operatorURL", "http://acs.example/fulfillment"),
        leaf("transaction", random.guid()), leaf("expiration", end.text),
        tag("resourceItemInfo") { [leaf("resource", "urn:uuid:\(random.guid())")] },
        leaf("hmac", random.token(27)),
      ]
    }
    return .bytes(
      XMLWriter.document(document), MediaType("application", "vnd.adobe.adept+xml"))
  }

  private func audioLicence(_ order: Order, _ library: MockLibrary) throws(Failure) -> Response {
    try trusted(order.card, library)
    try mustHave(order, library)
    var random = SeededRandom(seed: 0, for: order.item)
    let parts = (1...12).map { number -> JSONValue in
      [
        "title": .string("Track \(number)"), "sequence": .integer(number), "part": 0,
        "duration": .integer(200_000 + random.below(300_000)),
      ]
    }
    let json: JSONValue = [
      "format": "MP3", "items": .array(parts), "sessionKey": .string(random.guid()),
      "accountId": "3M", "checkoutId": .string(random.token(24)),
      "fulfillmentId": .string(random.digits(6)), "licenseId": .string(random.token(24)),
    ]
    return .bytes(json.bytes(), MediaType("application", "json"))
  }
}
