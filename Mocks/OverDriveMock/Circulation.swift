import HTTP
import HTTPServer
import JSON
import MockKit

/// Which request about a reader goes where, and the reader's own page.
extension Visit {
  func circulation(_ route: Route, _ state: inout WorldState) throws(Failure) -> Response {
    let card = try reader()
    switch route {
    case .patron: return .overdrive(patron(card, try home(state)))
    case .editLendingPeriod: return try editLendingPeriod(card, &state)
    case .checkouts:
      let list = try loans(of: card, state)
      return .overdrive([
        "totalItems": .integer(list.count), "totalCheckouts": .integer(list.count),
        "checkouts": .array(list), "links": ["self": patronLink("/checkouts")],
      ])
    case .checkOut: return try checkOut(card, &state)
    case .checkout(let id): return .overdrive(try loan(try Self.guid(id), card, state))
    case .earlyReturn(let id): return try giveBack(try Self.guid(id), card, &state)
    case .formats(let id):
      let document = try loan(try Self.guid(id), card, state)
      return .overdrive([
        "formats": document["formats"] ?? [],
        "links": ["self": patronLink("/checkouts/\(id)/formats")],
      ])
    case .format(let id, let format):
      let document = try loan(try Self.guid(id), card, state)
      let found = (document["formats"]?.array ?? []).first { $0["formatType"]?.string == format }
      guard let found else { throw .notFound }
      return .overdrive(found)
    case .lockFormat(let id): return try lock(try Self.guid(id), card, &state)
    case .downloadLink(let id, let format):
      return try downloadLink(try Self.guid(id), format, card, &state)
    case .downloadRedirect(let id): return try downloadRedirect(try Self.guid(id), card, &state)
    case .holds:
      let library = try home(state)
      let list = library.lending.holds(by: card).map { hold($0, in: library) }
      var object: JSONObject = ["totalItems": .integer(list.count)]
      if !list.isEmpty { object["holds"] = .array(list) }
      object["links"] = ["self": patronLink("/holds")]
      return .overdrive(.object(object))
    case .placeHold: return try placeHold(card, &state)
    case .hold(let id):
      let library = try home(state)
      guard let found = library.lending.hold(on: try Self.guid(id), by: card) else {
        throw .notOnHold
      }
      return .overdrive(hold(found, in: library))
    case .editHold(let id): return try editHold(try Self.guid(id), card, &state)
    case .removeHold(let id):
      let id = try Self.guid(id)
      try lend(&state) { lending, now throws(LendingRefusal) in
        try lending.cancelHold(on: id, by: card, at: now)
      }
      return Response(.noContent)
    case .suspend(let id), .editSuspension(let id):
      return try suspend(try Self.guid(id), card, &state)
    case .releaseSuspension(let id):
      let id = try Self.guid(id)
      try lend(&state) { lending, now throws(LendingRefusal) in
        _ = try lending.resumeHold(on: id, by: card, at: now)
      }
      return Response(.noContent)
    default: throw .notFound
    }
  }

  /// Does something at the lending desk of this visit's library.
  func lend<Result: Sendable>(
    _ state: inout WorldState,
    _ verb: (inout LendingLibrary, Moment) throws(LendingRefusal) -> Result
  ) throws(Failure) -> Result {
    let outcome = state.change(library, of: OverDriveDialect.name) {
      library, now -> Swift.Result<Result, LendingRefusal> in
      do throws(LendingRefusal) {
        return .success(try verb(&library.lending, now))
      } catch { return .failure(error) }
    }
    switch outcome {
    case .success(let result)?: return result
    case .failure(let refusal)?: throw Failure(refusal)
    case nil: throw .notFound
    }
  }

  // MARK: The reader's page

  private static let classes = [
    ("eBook", "ebook", ["7", "14", "21"]), ("Audiobook", "audiobook", ["7", "14", "21"]),
    ("Video", "video", ["3", "5", "7"]),
  ]

  private func patron(_ card: String, _ library: MockLibrary) -> JSONValue {
    let (lending, patron) = (library.lending, library.lending.patrons[card])
    let token = library.settings["collection_token"]?.string ?? ""
    var object: JSONObject = [
      "patronId": .integer(Self.number(of: card)),
      "websiteId": library.settings["website_id"] ?? 0, "existingPatron": true,
      "collectionToken": .string(token),
      "holdLimit": .integer(patron?.holdLimit ?? lending.rules.holdLimit),
    ]
    if let email = patron?.email { object["lastHoldEmail"] = .string(email) }
    object["checkoutLimit"] = .integer(patron?.loanLimit ?? lending.rules.loanLimit)
    object["lendingPeriods"] = .array(
      Self.classes.map { name, medium, _ in
        let period = patron?.periods[medium] ?? lending.rules.loanPeriod(of: medium)
        return [
          "formatType": .string(name), "lendingPeriod": .integer(Int(period / LendingRules.day)),
          "units": "days",
        ]
      })
    object["links"] = [
      "self": patronLink(""), "checkouts": patronLink("/checkouts"), "holds": patronLink("/holds"),
    ]
    object["linkTemplates"] = [
      "search": link(
        "/v1/collections/\(token)/products?q={keyword}&limit={limit}&offset={offset}&formats={formats}&sort={sort}&availability={availability}"
      ),
      "availability": link("/v1/collections/\(token)/products/{reserveId}/availability"),
    ]
    // A list here, though a map everywhere else.
    object["actions"] = .array(
      Self.classes.map { name, _, options in
        [
          "editLendingPeriod": [
            "href": .string(request.base + "/v1/patrons/me"),
            "type": "application/vnd.overdrive.circulation.api+json", "method": "PUT",
            "fields": [
              [
                "name": "formatClass", "type": "text", "value": .string(name), "optional": false,
              ],
              [
                "name": "lendingPeriodDays", "type": "number",
                "options": .array(options.map(JSONValue.string)), "optional": false,
              ],
            ],
          ]
        ]
      })
    return .object(object)
  }

  private func editLendingPeriod(_ card: String, _ state: inout WorldState) throws(Failure)
    -> Response
  {
    let fields = fields
    guard
      let kind = Self.classes.first(where: {
        $0.0.lowercased() == fields["formatclass"]?.lowercased()
      })
    else { throw .missing("formatClass") }
    guard let text = fields["lendingperioddays"], kind.2.contains(text), let days = Int64(text)
    else { throw .missing("lendingPeriodDays") }
    try lend(&state) { lending, _ throws(LendingRefusal) in
      lending.change(card) { $0.periods[kind.1] = days * LendingRules.day }
    }
    return Response(.noContent)
  }
}
