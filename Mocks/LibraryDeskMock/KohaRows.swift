import JSON
import MockKit

// Things of the library as Koha writes them. It leaves out nothing: what is not there is null.

extension PaperLibrary.Branch {
  var koha: JSONValue {
    [
      "library_id": .string(code), "name": .string(name), "address1": .string(address),
      "address2": nil, "city": "Bridgeport", "postal_code": nil, "pickup_location": .bool(isPickup),
      "public": true,
    ]
  }
}

extension Patron {
  var koha: JSONValue {
    let words = name.split(separator: " ")
    return [
      "patron_id": .integer(PaperLibrary.number(ofCard: card)), "cardnumber": .string(card),
      "surname": .string(words.last.map(String.init) ?? ""),
      "firstname": .string(words.dropLast().joined(separator: " ")), "email": JSONValue(email),
      "library_id": .string(home ?? "CPL"), "category_id": .string(kind ?? "ADULT"),
      "date_of_birth": JSONValue(born), "expiry_date": JSONValue(expires?.day),
      "restricted": .bool(isBarred), "patron_card_lost": .bool(isLost), "incorrect_address": false,
      "login_attempts": 0, "userid": .string(card),
    ]
  }

  var kohaAccount: JSONValue {
    let cents = owed % 100
    let balance = JSONValue(Double(owed / 100) + Double(cents) / 100)
    return [
      "balance": balance, "outstanding_debits": ["total": balance, "lines": []],
      "outstanding_credits": ["total": 0, "lines": []],
    ]
  }
}

extension Title {
  var koha: JSONValue {
    [
      "biblio_id": .integer(PaperLibrary.number(of: id)), "title": .string(name),
      "subtitle": JSONValue(subtitle), "author": JSONValue(authors.first.map(filed)),
      // With the ten-sign form, hyphens and words, as cataloguers of years leave it.
      "isbn": isbn.isEmpty ? nil : .string("\(isbn) | \(isbn.suffix(4)) (pbk.)"),
      "publisher": .string(publisher), "publication_year": .string(String(published.prefix(4))),
      "item_type": "BK", "medium": nil, "abstract": nil,
    ]
  }
}

/// `Tove Jansson` as a catalogue files it.
func filed(_ name: String) -> String {
  guard let gap = name.lastIndex(of: " ") else { return name }
  return "\(name[name.index(after: gap)...]), \(name[..<gap])"
}

extension Moment {
  /// The day it falls on.
  var day: String { String(text.prefix(10)) }
}

extension PaperLibrary {
  func kohaItems(of title: String) -> [JSONValue] { copies(of: title).map(\.koha) }

  /// Of all titles, and of those that have left the catalogue and are still out.
  var allItems: [JSONValue] {
    let gone = Set(lending.loans.map(\.title)).subtracting(lending.order).sorted()
    return (lending.order + gone).flatMap { kohaItems(of: $0) }
  }

  var kohaHolds: [JSONValue] {
    lending.holds.map { koha($0) }
  }

  func koha(_ hold: MockKit.Hold) -> JSONValue {
    let isMoving = hold.isReady || hold.isInTransit
    let rank = lending.queue(for: hold.title).filter { !$0.isInTransit }
      .firstIndex { $0.id == hold.id }
    let copy = hold.copy.flatMap { index in
      copies(of: hold.title).first { $0.number % 100 == index }
    }
    return [
      "hold_id": .integer(hold.id),
      "patron_id": .integer(Self.number(ofCard: hold.card)),
      "biblio_id": .integer(Self.number(of: hold.title)),
      "item_id": (isMoving ? copy?.number : nil).map(JSONValue.integer) ?? .null,
      "pickup_library_id": .string(hold.pickup ?? "CPL"),
      "priority": .integer(isMoving ? 0 : (rank ?? 0) + 1),
      "status": hold.isReady ? "W" : hold.isInTransit ? "T" : nil,
      "hold_date": .string(hold.placed.day), "waiting_date": nil,
      "expiration_date": JSONValue(hold.readyUntil?.day),
      "timestamp": .string(hold.placed.text), "suspended": .bool(hold.suspension != nil),
      "suspended_until": JSONValue(hold.suspension?.until?.text), "item_level": false,
      "non_priority": false,
    ]
  }

  var kohaCheckouts: [JSONValue] {
    lending.loans.compactMap { loan in copy(of: loan).map { koha(loan, $0) } }
  }

  func koha(_ loan: MockKit.Loan, _ copy: Copy) -> JSONValue {
    [
      // One copy is out once at a time, so its number will do for the loan's.
      "checkout_id": .integer(copy.number),
      "patron_id": .integer(Self.number(ofCard: loan.card)), "item_id": .integer(copy.number),
      "library_id": .string(copy.home.code), "due_date": .string(loan.until.text),
      "checkout_date": .string(loan.since.text), "renewals_count": .integer(loan.renewals),
      "checkin_date": nil, "auto_renew": false,
    ]
  }
}

extension PaperLibrary.Copy {
  var koha: JSONValue {
    var (lost, damaged, withdrawn, kept) = (0, 0, 0, 0)
    var out: String?
    switch state {
    case .odd(.lost): lost = 1
    case .odd(.damaged): damaged = 1
    case .odd(.withdrawn): withdrawn = 1
    case .odd(.onOrder): kept = -1
    case .odd(.reference): kept = 1
    case .out(let loan): out = loan.since.day
    case .free, .aside, .inTransit, .odd(.inTransit): break
    }
    return [
      "item_id": .integer(number), "biblio_id": .integer(PaperLibrary.number(of: title.id)),
      "external_id": .string(barcode), "home_library_id": .string(home.code),
      "holding_library_id": .string(place.code), "callnumber": .string(callNumber),
      "location": "STACKS", "collection_code": nil, "item_type_id": "BK",
      "not_for_loan_status": .integer(kept), "effective_not_for_loan_status": .integer(kept),
      "damaged_status": .integer(damaged), "lost_status": .integer(lost),
      "withdrawn": .integer(withdrawn), "restricted_status": nil,
      "checked_out_date": JSONValue(out), "last_seen_date": nil,
    ]
  }
}

/// What the interface says it can do; as much of it as clients look at.
enum KohaDescription {
  static let json: JSONValue = [
    "swagger": "2.0", "basePath": "/api/v1", "info": ["title": "Koha REST API", "version": "1"],
    "paths": [
      "/auth/password/validation": ["post": ["x-mojo-to": "Auth::Password#validate"]],
      "/biblios": ["get": [:]], "/biblios/{biblio_id}/items": ["get": [:]],
      "/biblios/{biblio_id}/pickup_locations": ["get": [:]], "/holds": ["get": [:], "post": [:]],
      "/holds/{hold_id}": ["delete": [:]], "/holds/{hold_id}/pickup_location": ["put": [:]],
      "/holds/{hold_id}/suspension": ["post": [:], "delete": [:]], "/items": ["get": [:]],
      "/libraries": ["get": [:]], "/patrons/{patron_id}": ["get": [:]],
      "/patrons/{patron_id}/account": ["get": [:]], "/checkouts": ["get": [:]],
      "/checkouts/{checkout_id}/renewal": ["post": [:]],
      "/checkouts/{checkout_id}/allows_renewal": ["get": [:]],
    ],
  ]
}
