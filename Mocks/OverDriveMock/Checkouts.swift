import HTTP
import HTTPServer
import JSON
import MockKit

/// Loans: what a reader has, and how it is borrowed, bound to a format and given back.
extension Visit {
  func loans(of card: String, _ state: WorldState) throws(Failure) -> [JSONValue] {
    let library = try home(state)
    return library.lending.loans(by: card).map { checkout($0, in: library) }
  }

  func loan(_ id: String, _ card: String, _ state: WorldState) throws(Failure) -> JSONValue {
    let library = try home(state)
    guard let loan = library.lending.loan(of: id, by: card) else { throw .notCheckedOut }
    return checkout(loan, in: library)
  }

  func checkOut(_ card: String, _ state: inout WorldState) throws(Failure) -> Response {
    let fields = fields
    guard let written = fields["reserveid"] else { throw .missing("reserveId") }
    let id = try Self.guid(written)
    do throws(Failure) {
      try lend(&state) { lending, now throws(LendingRefusal) in
        _ = try lending.borrow(id, by: card, at: now)
      }
    } catch {
      // Whoever already has a title for which others wait is told that no copy is left.
      let waits = try home(state).lending.queue(for: id).contains { $0.card != card }
      throw error.code == "TitleAlreadyCheckedOut" && waits ? .noCopies : error
    }
    if let format = fields["formattype"]?.lowercased(), !Self.isStreamed(format) {
      // A lock that fails does not undo the loan; the answer says that it is not locked.
      try? lend(&state) { lending, now throws(LendingRefusal) in
        try lending.lock(id, by: card, to: format, at: now)
      }
    }
    return .overdrive(try loan(id, card, state), .created)
  }

  func giveBack(_ id: String, _ card: String, _ state: inout WorldState) throws(Failure) -> Response
  {
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.giveBack(id, by: card, at: now)
    }
    return Response(.noContent)
  }

  func lock(_ id: String, _ card: String, _ state: inout WorldState) throws(Failure) -> Response {
    let fields = fields
    guard let format = fields["formattype"]?.lowercased() else { throw .missing("formatType") }
    if let written = fields["reserveid"], written.lowercased() != id { throw .missing("reserveId") }
    guard !Self.isStreamed(format) else { throw .notLockable }
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.lock(id, by: card, to: format, at: now)
    }
    return .overdrive(self.format(format, of: id), .created)
  }

  /// What is read or heard in the browser never binds a loan.
  static func isStreamed(_ format: String) -> Bool {
    format.hasSuffix("-overdrive") || format == "video-streaming"
  }

  // MARK: Shapes

  func checkout(_ loan: Loan, in library: MockLibrary) -> JSONValue {
    let id = loan.title.uppercased()
    let own = "/checkouts/\(id)"
    let all = library.lending.titles[loan.title]?.formats ?? []
    let ready = (loan.format.map { [$0] } ?? []) + all.filter(Self.isStreamed)
    let token = library.settings["collection_token"]?.string ?? ""
    var actions: JSONObject = [:]
    let choices = all.filter { !Self.isStreamed($0) }
    if loan.format == nil, !choices.isEmpty {
      actions["format"] = [
        "href": .string(request.base + "/v1/patrons/me\(own)/formats"), "type": "application/json",
        "method": "post",
        "fields": [
          ["name": "reserveId", "type": "text", "value": .string(id)],
          [
            "name": "formatType", "type": "text", "value": "",
            "options": .array(choices.map(JSONValue.string)),
          ],
        ],
      ]
    }
    if loan.canComeBackEarly {
      actions["earlyReturn"] = [
        "href": .string(request.base + "/v1/patrons/me\(own)"), "method": "delete",
      ]
    }
    return [
      "reserveId": .string(id), "crossRefId": .integer(Self.number(of: loan.title)),
      "checkoutDate": .string(loan.since.text), "expires": .string(loan.until.text),
      "isFormatLockedIn": .bool(loan.format != nil),
      "formats": .array(ready.map { format($0, of: loan.title) }),
      "links": [
        "self": patronLink(own),
        "metadata": link("/v1/collections/\(token)/products/\(id)/metadata"),
        "downloadRedirect": patronLink("\(own)/formats/downloadredirect"),
      ],
      "actions": .object(actions),
    ]
  }

  func format(_ format: String, of title: String) -> JSONValue {
    let id = title.uppercased()
    let own = "/checkouts/\(id)/formats/\(format)"
    // Only what is opened in the browser can send a reader back to sign in.
    let template =
      Self.isStreamed(format)
      ? "?errorpageurl={errorpageurl}&odreadauthurl={odreadauthurl}"
      : "?errorpageurl={errorpageurl}"
    var templates: JSONObject = [:]
    if format != "ebook-kindle" {
      templates = [
        "downloadLink": patronLink("\(own)/downloadlink\(template)"),
        "downloadLinkV2": patronLink(
          "\(own)/downloadlink?errorurl={errorurl}&successurl={successurl}"),
      ]
    }
    return [
      "reserveId": .string(id), "crossRefId": .integer(Self.number(of: title)),
      "formatType": .string(format), "links": ["self": patronLink(own)],
      "linkTemplates": .object(templates),
    ]
  }
}
