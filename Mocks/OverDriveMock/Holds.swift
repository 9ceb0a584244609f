import HTTP
import HTTPServer
import JSON
import MockKit

/// Places in queues, and what a reader may do with them.
extension Visit {
  func placeHold(_ card: String, _ state: inout WorldState) throws(Failure) -> Response {
    let fields = fields
    guard let written = fields["reserveid"] else { throw .missing("reserveId") }
    let id = try Self.guid(written)
    let email = fields["emailaddress"].flatMap { $0.isEmpty ? nil : $0 }
    guard email != nil || fields["ignoreholdemail"]?.lowercased() == "true" else {
      throw Failure(
        .badRequest, "EmailAddressRequired", "Send emailAddress, or ignoreHoldEmail as true.")
    }
    let hold = try lend(&state) { lending, now throws(LendingRefusal) in
      // A hold on what one has is how OverDrive renews.
      let hold =
        lending.loan(of: id, by: card) == nil
        ? try lending.placeHold(on: id, by: card, email: email, at: now)
        : try lending.placeRenewal(on: id, by: card, email: email, at: now)
      if let email { lending.change(card) { $0.email = email } }
      return hold
    }
    return .overdrive(self.hold(hold, in: try home(state)), .created)
  }

  /// The address counts for the whole account from then on.
  func editHold(_ id: String, _ card: String, _ state: inout WorldState) throws(Failure) -> Response
  {
    guard let email = fields["emailaddress"], !email.isEmpty else { throw .missing("emailAddress") }
    try lend(&state) { lending, _ throws(LendingRefusal) in
      try lending.setEmail(email, ofHoldOn: id, by: card)
      lending.change(card) { $0.email = email }
    }
    return Response(.noContent)
  }

  func suspend(_ id: String, _ card: String, _ state: inout WorldState) throws(Failure) -> Response
  {
    let fields = fields
    let kind = fields["suspensiontype"]?.lowercased()
    guard kind == "indefinite" || kind == "limited" else { throw .missing("suspensionType") }
    if kind == "limited" {
      guard let days = fields["numberofdays"].flatMap({ Int($0) }), days > 0 else {
        throw .missing("numberOfDays")
      }
    }
    // Since September 2025 every suspension lasts until the reader lifts it, at most a year.
    let hold = try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.suspendHold(on: id, by: card, until: nil, at: now)
    }
    return .overdrive(self.hold(hold, in: try home(state)))
  }

  func hold(_ hold: Hold, in library: MockLibrary) -> JSONValue {
    let id = hold.title.uppercased()
    let own = "/holds/\(id)"
    let lending = library.lending
    let token = library.settings["collection_token"]?.string ?? ""
    let all = lending.holds.filter { $0.title == hold.title }
    // Those with a copy put aside still count: a hold that becomes ready keeps its number.
    let place = all.firstIndex { $0.id == hold.id }.map { $0 + 1 } ?? 1
    var object: JSONObject = [
      "reserveId": .string(id), "crossRefId": .integer(Self.number(of: hold.title)),
    ]
    if let email = hold.email { object["emailAddress"] = .string(email) }
    object["holdListPosition"] = .integer(place)
    object["numberOfHolds"] = .integer(all.count)
    object["holdPlacedDate"] = .string(hold.placed.text)
    if let until = hold.readyUntil { object["holdExpires"] = .string(until.text) }
    if hold.suspension != nil { object["holdSuspension"] = ["suspensionType": "Indefinite"] }
    object["links"] = [
      "self": patronLink(own),
      "metadata": link("/v1/collections/\(token)/products/\(id)/metadata"),
    ]
    object["actions"] = .object(actions(of: hold, own, lending.titles[hold.title]))
    return .object(object)
  }

  private func actions(of hold: Hold, _ own: String, _ title: Title?) -> JSONObject {
    let href = request.base + "/v1/patrons/me" + own
    var actions: JSONObject = [:]
    if hold.isReady {
      let formats = (title?.formats ?? []).filter { !Self.isStreamed($0) }
      actions["checkout"] = [
        "href": .string(request.base + "/v1/patrons/me/checkouts"),
        "type": "application/vnd.overdrive.circulation.api+json", "method": "post",
        "fields": [
          ["name": "reserveId", "type": "text", "value": .string(hold.title.uppercased())],
          [
            "name": "formatType", "type": "text", "value": "",
            "options": .array(formats.map(JSONValue.string)), "optional": true,
          ],
        ],
      ]
    }
    actions["removeHold"] = ["href": .string(href), "method": "delete"]
    let fields: JSONValue = [
      [
        "name": "suspensionType", "type": "text", "value": "",
        "options": ["indefinite", "limited"], "optional": false,
      ],
      ["name": "numberOfDays", "type": "number", "value": "", "optional": true],
    ]
    let verb = hold.suspension == nil ? ("addSuspension", "post") : ("editSuspension", "put")
    actions[verb.0] = [
      "href": .string(href + "/suspension"), "method": .string(verb.1), "fields": fields,
    ]
    // Offered whether or not anything is suspended.
    actions["releaseSuspension"] = ["href": .string(href + "/suspension"), "method": "delete"]
    return actions
  }
}
