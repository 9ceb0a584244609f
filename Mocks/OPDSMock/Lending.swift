import HTTP
import HTTPServer
import JSON
import MockKit

/// Loans and holds.
extension Visit {
  static let profileType = "vnd.librarysimplified/user-profile+json"

  // MARK: What one has

  func shelf(of reader: Patron) throws(Failure) -> Response {
    let lending = library.lending
    var ids = lending.loans(by: reader.card).sorted { $0.until < $1.until }.map(\.title)
    ids += lending.holds(by: reader.card).map(\.title).filter { !ids.contains($0) }
    var listing = Listing(id: at("loans"), title: "Active loans and holds", updated: now)
    listing.links = [
      Link("self", at("loans"), language.acquisition),
      Link("start", at(""), language.navigation),
      Link(Relation.shelf, at("loans"), language.acquisition),
      Link(Relation.profile, at("patrons/me"), Self.profileType),
    ]
    listing.entries = ids.map { entry($0, for: reader.card) }
    listing.reader = reader.card
    if quirks.contains(.messages) { listing.messages = [Self.urn("lost-somewhere")] }
    return secret(feedResponse(listing))
  }

  func profile(_ reader: Patron) -> Response {
    var object: JSONObject = [
      "simplified:authorization_identifier": .string(reader.card),
      "drm": [], "links": [],
      "settings": ["simplified:synchronize_annotations": .null],
    ]
    if let expires = reader.expires {
      object["simplified:authorization_expires"] = .string(expires.text)
    }
    object["simplified:fines"] = .string(reader.block == .fines ? "12.50" : "0")
    let type = MediaType("vnd.librarysimplified", "user-profile+json")
    return secret(.bytes(JSONValue.object(object).bytes(), type))
  }

  // MARK: Borrowing

  /// A loan where a copy is free, a place in the line where none is. Whoever has either already has
  /// it still, or has it for longer.
  mutating func borrow(_ id: String, _ word: String?, _ state: inout WorldState) throws(Failure)
    -> Response
  {
    let reader = try reader(state)
    let lending = library.lending
    if lending.loan(of: id, by: reader.card) != nil {
      try renew(id, reader.card, &state)
      return secret(entryResponse(entry(id, for: reader.card)))
    }
    guard let title = lending.titles[id], title.copies != .counted(0) else { throw .noLicenses }
    let mine = lending.hold(on: id, by: reader.card)
    if let mine, !mine.isReady, lending.copiesAvailable(of: id) == 0 {
      return secret(entryResponse(entry(id, for: reader.card)))
    }
    try inGoodStanding(reader)
    let mechanism = try word.map { word throws(Failure) in try known(word, of: title) }
    let canHave = mine?.isReady == true || lending.copiesAvailable(of: id) > 0
    try lend(&state) { lending, now throws(LendingRefusal) in
      guard canHave else {
        _ = try lending.placeHold(on: id, by: reader.card, email: reader.email, at: now)
        return
      }
      let format = mechanism.flatMap { $0.locks ? $0.word : nil }
      _ = try lending.borrow(id, by: reader.card, format: format, at: now)
    }
    return secret(entryResponse(entry(id, for: reader.card), .created))
  }

  /// Too early is no mistake: the loan stays as it is.
  private mutating func renew(_ id: String, _ card: String, _ state: inout WorldState)
    throws(Failure)
  {
    guard library.settings["renewals"]?.string != "never" else { return }
    let window = library.lending.rules.renewalWindow
    guard let loan = library.lending.loan(of: id, by: card), loan.until - now <= window else {
      return
    }
    try lend(&state) { lending, now throws(LendingRefusal) in
      _ = try lending.renew(id, by: card, at: now)
    }
  }

  func known(_ word: String, of title: Title) throws(Failure) -> Mechanism {
    guard let found = Mechanism.of(title).first(where: { $0.word == word }) else {
      throw Failure(.noSuchFormat)
    }
    return found
  }

  // MARK: Giving back

  mutating func revoke(_ id: String, _ state: inout WorldState) throws(Failure) -> Response {
    let reader = try reader(state)
    let lending = library.lending
    let hasLoan = lending.loan(of: id, by: reader.card) != nil
    guard hasLoan || lending.hold(on: id, by: reader.card) != nil else {
      throw .noActiveLoan(.notFound)
    }
    try lend(&state) { lending, now throws(LendingRefusal) in
      if hasLoan {
        try lending.giveBack(id, by: reader.card, at: now)
      } else {
        try lending.cancelHold(on: id, by: reader.card, at: now)
      }
    }
    // As a stranger sees it.
    return secret(entryResponse(listed(id)))
  }
}
