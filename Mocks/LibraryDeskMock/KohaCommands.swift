import HTTP
import HTTPServer
import JSON
import MockKit

// Commands to Koha: what they change in the library, and what they refuse.

extension KohaVisit {
  func commanded(_ state: inout WorldState) throws(KohaRefusal) -> Response {
    let changed = state.change(route.library, of: LibraryDeskDialect.name) { library, now in
      Result { () throws(KohaRefusal) in try carryOut(&library, now) }
    }
    guard let changed else { throw KohaRefusal(.notFound, "Not found") }
    return try changed.get()
  }

  private func carryOut(_ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    switch route {
    case .validation: try validate(library)
    case .place: try place(&library, now)
    case .cancel(_, let number): try cancel(number, &library, now)
    case .move(_, let number): try move(number, &library)
    case .suspend(_, let number): try suspend(number, &library, now)
    case .resume(_, let number): try resume(number, &library, now)
    case .renew(_, let number): try renew(number, &library, now)
    default: throw KohaRefusal(.notFound, "Not found")
    }
  }

  private func validate(_ library: MockLibrary) throws(KohaRefusal) -> Response {
    let body = request.json
    // A library may be set to an older version, which knows another name.
    let name = library.settings["old_validation"]?.bool == true ? "userid" : "identifier"
    for member in body?.object?.members ?? [] where ![name, "password"].contains(member.name) {
      throw .misspelt("Properties not allowed: \(member.name).", "/body")
    }
    guard let card = body?[name]?.string, let pin = body?["password"]?.string else {
      throw .misspelt("Missing property.", "/body")
    }
    guard let patron = Collation(library).patron(card), !pin.isEmpty, patron.pin == pin else {
      throw KohaRefusal(.badRequest, "Validation failed")
    }
    return .koha(
      [
        "cardnumber": .string(patron.card), "userid": .string(patron.card),
        "patron_id": .integer(PaperLibrary.number(ofCard: patron.card)),
      ], .created)
  }

  // MARK: - Holds

  private func place(_ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    let (body, paper) = (request.json, PaperLibrary(library, at: now))
    guard let patronNumber = body?["patron_id"]?.integer,
      let branch = body?["pickup_library_id"]?.string
    else { throw .misspelt("Missing property.", "/body/pickup_library_id") }
    let item = body?["item_id"]?.integer.flatMap { paper.copy(numbered: $0) }
    guard let number = body?["biblio_id"]?.integer ?? item.flatMap({ Int($0.title.id) }) else {
      throw KohaRefusal(.badRequest, "At least one of biblio_id, item_id should be given")
    }
    guard let patron = paper.patron(numbered: patronNumber) else {
      throw KohaRefusal(.badRequest, "patron_id not found")
    }
    guard let title = paper.title(numbered: number) else {
      throw KohaRefusal(.notFound, "biblio_id not found.")
    }
    try check(branch)
    try admit(patron, title, paper, now)
    let hold = try kept { () throws(LendingRefusal) in
      try library.lending.placeHold(
        on: title.id, by: patron.card, pickup: branch, at: now)
    }
    return .koha(PaperLibrary(library, at: now).koha(hold), .created)
  }

  private func check(_ branch: String) throws(KohaRefusal) {
    guard let known = PaperLibrary.branches.first(where: { $0.code == branch }) else {
      throw .hold("libraryNotFound")
    }
    guard known.isPickup else {
      throw KohaRefusal(.badRequest, "The supplied pickup location is not valid")
    }
  }

  private func admit(_ patron: Patron, _ title: Title, _ paper: PaperLibrary, _ now: Moment)
    throws(KohaRefusal)
  {
    if patron.block != nil || patron.expires.map({ $0 <= now }) == true {
      throw KohaRefusal(.forbidden, "Hold cannot be placed. Reason: patron_restricted")
    }
    let lendable = paper.copies(of: title.id).contains { copy in
      switch copy.state {
      case .odd(let state): state == .onOrder || state == .inTransit
      default: true
      }
    }
    if !lendable { throw .hold("none_available") }
  }

  private func kept<Value>(
    _ body: () throws(LendingRefusal) -> Value
  ) throws(KohaRefusal) -> Value {
    do throws(LendingRefusal) { return try body() } catch {
      switch error {
      case .alreadyOnHold: throw .hold("itemAlreadyOnHold")
      case .alreadyBorrowed: throw .hold("alreadypossession")
      case .holdLimit: throw .hold("tooManyReserves")
      case .unknownTitle: throw KohaRefusal(.notFound, "biblio_id not found.")
      case .notOnHold: throw KohaRefusal(.notFound, "Hold not found")
      default: throw .hold("\(error)")
      }
    }
  }

  private func hold(_ number: Int, _ library: MockLibrary) throws(KohaRefusal) -> MockKit.Hold {
    guard let hold = library.lending.holds.first(where: { $0.id == number }) else {
      throw KohaRefusal(.notFound, "Hold not found")
    }
    return hold
  }

  private func cancel(_ number: Int, _ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    let hold = try hold(number, library)
    if hold.isReady, library.settings["ready_holds_stay"]?.bool == true {
      throw KohaRefusal(.forbidden, "A hold that waits cannot be cancelled", code: "hold_waiting")
    }
    if hold.isReady, library.settings["asks_to_cancel"]?.bool == true {
      return Response(.accepted)
    }
    try kept { () throws(LendingRefusal) in
      try library.lending.cancelHold(on: hold.title, by: hold.card, at: now)
    }
    return Response(.noContent)
  }

  private func move(_ number: Int, _ library: inout MockLibrary) throws(KohaRefusal) -> Response {
    let hold = try hold(number, library)
    let branch = request.json?["pickup_library_id"]?.string ?? ""
    guard PaperLibrary.branches.contains(where: { $0.code == branch && $0.isPickup }),
      !hold.isReady, !hold.isInTransit
    else {
      throw KohaRefusal(
        .conflict, "The pickup location cannot be changed to that library", code: "conflict")
    }
    try kept { () throws(LendingRefusal) in
      try library.lending.movePickup(of: hold.title, by: hold.card, to: branch)
    }
    return .koha(["pickup_library_id": .string(branch)])
  }

  private func suspend(_ number: Int, _ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    let hold = try hold(number, library)
    guard !hold.isReady, !hold.isInTransit else {
      throw KohaRefusal(.badRequest, "Found hold cannot be suspended. Status=W")
    }
    let end = request.json?["end_date"]?.string.flatMap { Moment("\($0)T00:00:00Z") }
    try kept { () throws(LendingRefusal) in
      _ = try library.lending.suspendHold(on: hold.title, by: hold.card, until: end, at: now)
    }
    return .koha(["end_date": JSONValue(end?.day)], .created)
  }

  private func resume(_ number: Int, _ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    let hold = try hold(number, library)
    try kept { () throws(LendingRefusal) in
      _ = try library.lending.resumeHold(on: hold.title, by: hold.card, at: now)
    }
    return Response(.noContent)
  }

  // MARK: - Loans

  private func renew(_ number: Int, _ library: inout MockLibrary, _ now: Moment)
    throws(KohaRefusal) -> Response
  {
    let paper = PaperLibrary(library, at: now)
    guard let copy = paper.copy(numbered: number), case .out(let loan) = copy.state else {
      throw KohaRefusal(.notFound, "Checkout doesn't exist")
    }
    let renewed: MockKit.Loan
    do throws(LendingRefusal) {
      renewed = try library.lending.renew(loan.title, by: loan.card, at: now)
    } catch {
      throw KohaRefusal(.forbidden, "Renewal not authorized (\(error.koha))")
    }
    return .koha(paper.koha(renewed, copy), .created)
  }
}

extension LendingRefusal {
  /// Why a loan is not renewed.
  var koha: String {
    switch self {
    case .tooEarlyToRenew: "too_soon"
    case .othersWait: "on_reserve"
    default: "too_many"
    }
  }
}
