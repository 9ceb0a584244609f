import HTTP
import HTTPServer
import JSON
import MockKit

/// Loans and holds.
extension Visit {
  // MARK: Loans

  func checkout(_ state: inout WorldState) throws(Verdict) -> Response {
    let id = try required("titleId", "3100")
    let card = try required("patronId", "3101")
    let library = try home(state)
    guard let title = library.lending.titles[id] else { throw .notFound }
    let format = try chosen(field("format"), of: title)
    if library.lending.patrons[card] == nil { try join(card, &state) }
    let present = library.lending.loan(of: id, by: card)
    let loan = try lend(&state) { lending, now throws(LendingRefusal) in
      guard present != nil else {
        return try lending.borrow(id, by: card, format: format, at: now)
      }
      return try lending.renew(id, by: card, at: now)
    }
    let link =
      "\(request.base)/Services/VendorAPI/GetAxisDownload/v2?src=library"
      + "&transactionId=\(Self.transaction(loan))&isbn=\(title.isbn)&format=F2"
    guard case .xml(let root, let result?) = route.shape else { return Axis360Dialect.notFound }
    let inner =
      XML.tag("url", link) + Verdict("0000", "Title Checked out Successfully.").xml
      + XML.tag("expirationDate", Dates.written(loan.until))
    return .axis(XML.document(root, XML.wrap(result, inner, type: "Axis360Checkout2")))
  }

  /// Where none is named the service chooses.
  private func chosen(_ asked: String?, of title: Title) throws(Verdict) -> String? {
    guard let asked else { return Self.formats(of: title).first }
    guard !asked.isEmpty else { throw Verdict("3136", "Checkout format is missing.") }
    let names: Set<String> =
      ["blio", "axisnow"].contains(asked.lowercased())
      ? ["blio", "axisnow"] : [asked.lowercased()]
    guard let found = Self.formats(of: title).first(where: { names.contains($0.lowercased()) })
    else {
      throw Verdict("3126", "Invalid checkout format.")
    }
    return found
  }

  /// Nobody is asked whether there is such a card.
  private func join(_ card: String, _ state: inout WorldState) throws(Verdict) {
    try lend(&state) { lending, _ throws(LendingRefusal) in
      lending.add(Patron(card: card, pin: "", name: "New reader"))
    }
  }

  func checkIn(_ state: inout WorldState) throws(Verdict) -> Response {
    let id = try required("itemID", "3100")
    let card = try required("patronID", "3101")
    let library = try home(state)
    guard library.lending.titles[id] != nil || library.lending.loan(of: id, by: card) != nil else {
      throw .notFound
    }
    return try giveBack(id, card, &state)
  }

  func checkInByTransaction(_ state: inout WorldState) throws(Verdict) -> Response {
    let loan = try loan(of: try required("transactionID", "5003"), state)
    return try giveBack(loan.title, loan.card, &state)
  }

  private func giveBack(_ id: String, _ card: String, _ state: inout WorldState)
    throws(Verdict) -> Response
  {
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.giveBack(id, by: card, at: now)
    }
    _ = state.change(library, of: Axis360Dialect.name) { library, _ in
      library.settings["lingering"] = [card: [.string(id)]]
    }
    return done("Title Checked In Successfully")
  }

  func loan(of transaction: String, _ state: WorldState) throws(Verdict) -> Loan {
    let found = try home(state).lending.loans.first {
      Self.transaction($0) == transaction.uppercased()
    }
    guard let found else { throw Verdict("5004", "Invalid TransactionID.") }
    return found
  }

  // MARK: Holds

  func addToHold(_ path: [String], _ state: inout WorldState) throws(Verdict) -> Response {
    let isPath = path.count == 3
    let id = isPath ? path[0] : try required("titleId", "3100")
    let card = isPath ? path[2] : try required("patronId", "3101")
    let email = isPath ? path[1] : try required("email", "3102")
    let parts = email.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains(".") else {
      throw Verdict("3104", "Invalid email address.")
    }
    if try home(state).lending.patrons[card] == nil { try join(card, &state) }
    let hold = try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.placeHold(on: id, by: card, email: email, at: now)
    }
    let position = try home(state).lending.position(of: hold)
    return done(
      "Title placed on Hold Successfully.",
      XML.tag("holdsQueuePosition", position.map(String.init)), type: "Axis360Hold2")
  }

  func removeHold(_ path: [String], _ state: inout WorldState) throws(Verdict) -> Response {
    let (id, card) = try named(path)
    try lend(&state) { lending, now throws(LendingRefusal) in
      try lending.cancelHold(on: id, by: card, at: now)
    }
    return done("Title removed from Hold Successfully.", type: "Axis360RemoveHold")
  }

  func suspendHold(_ path: [String], _ state: inout WorldState) throws(Verdict) -> Response {
    let (id, card) = try named(path)
    try lend(&state) { lending, now throws(LendingRefusal) in
      _ = try lending.suspendHold(on: id, by: card, until: nil, at: now)
    }
    return done("Hold suspended.")
  }

  func activateHold(_ path: [String], _ state: inout WorldState) throws(Verdict) -> Response {
    let (id, card) = try named(path)
    try lend(&state) { lending, now throws(LendingRefusal) in
      _ = try lending.resumeHold(on: id, by: card, at: now)
    }
    return done("Hold activated.")
  }

  private func named(_ path: [String]) throws(Verdict) -> (id: String, card: String) {
    if path.count == 2 { return (path[0], path[1]) }
    return (try required("titleId", "3100"), try required("patronId", "3101"))
  }

  func getHolds(_ card: String, _ state: WorldState) throws(Verdict) -> Response {
    let lending = try home(state).lending
    guard lending.patrons[card] != nil else { throw .unknownPatron }
    let holds = lending.holds(by: card).map { hold in
      let position = lending.position(of: hold).map(String.init) ?? "1"
      return XML.wrap(
        "hold",
        XML.tag("titleID", hold.title) + XML.tag("bookTitle", lending.titles[hold.title]?.name)
          + XML.tag("totalHoldSize", String(lending.queue(for: hold.title).count))
          + XML.tag("holdPosition", position)
          + XML.tag("isAvailable", hold.isReady ? "Y" : "N")
          + XML.tag("isSuspendHold", hold.suspension == nil ? "N" : "R")
          + XML.tag("reservedEndDate", hold.readyUntil.map(Dates.minute)))
    }
    return done("Holds retrieved.", XML.wrap("holds", holds.joined()))
  }
}
