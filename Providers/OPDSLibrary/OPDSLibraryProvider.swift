package import Circulation
import HTTP
import HTTPClient
import OPDS
package import ProviderKit
import Secrets

/// Any catalogue that speaks OPDS 1.2 or 2.0, with or without a sign-in; it lends where the catalogue
/// does. An item is named by the address of the document that tells all of it, as short as it can be
/// said from the catalogue: that is where everything about it starts.
package struct OPDSLibraryProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .harvest, .harvestSince, .search, .availability, .shelf, .lending, .earlyReturn, .renewal,
    .holds, .fulfilment,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("opdslibrary"), title: "OPDS catalogue", capabilities: capabilities,
    fields: [
      .init(
        "card", "User name or card number, if there is a sign-in", isSecret: false,
        isRequired: false),
      .init("pin", "Password or PIN", isSecret: true, isRequired: false),
    ],
    needs: Settings.needs,
    pinCheck: { library throws(SettingsFault) in
      library.settings["distributor_user"] == nil ? .whenChallenged : .never
    }, decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      let settings = try Settings(library, credentials)
      let provider = OPDSLibraryProvider(settings: settings, session: session)
      return settings.reader == nil ? OpenCatalogue(catalogue: provider) : provider
    })

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: 25)
  }

  /// Whoever has a shelf has an account; what is told of limits stands in a profile, if anywhere.
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    let start = try await start(.checkAccount, in: call)
    guard settings.reader != nil else { return AccountStanding(withholding: start) }
    if start.isDistributor { return try await distributorStanding(in: call) }
    _ = try await shelved(.checkAccount, in: call)
    var standing = AccountStanding()
    if let address = start.profile, let told = try await profile(at: address, in: call) {
      standing = told
    }
    standing.isPINVerified = try await refusesOthers(start, in: call)
    return standing
  }

  /// Whether the password that was just accepted proves anything: the catalog itself refuses those
  /// who send none. What another host accepts proves nothing about a patron of this one.
  private func refusesOthers(
    _ start: Start, in call: Call
  ) async throws(CirculationError) -> Bool {
    guard let password = settings.reader?.password, !password.isEmpty,
      start.authenticate.map(isOurs) ?? true
    else { return false }
    if start.isPrivate { return true }
    guard let shelf = start.shelf, isOurs(shelf) else { return false }
    return try await get(shelf, .nobody, .checkAccount, in: call).status == .unauthorized
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    Translation.shelf(try await shelved(.shelf, in: call), in: settings)
  }

  // MARK: - Borrowing

  /// A borrow link also puts one in line, so it is only followed where a copy is free (§3).
  package func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    if let mine = try await mine(item, .checkOut, in: call) {
      if let loan = mine.loan(in: settings) { return .borrowed(loan) }
      if let hold = mine.hold(in: settings), !hold.isReady {
        throw failure(.noCopiesAvailable, .checkOut)
      }
      if let link = mine.borrowing(as: format) {
        return try await borrow(item, by: link, .checkOut, in: call)
      }
    }
    let publication = try await publication(item, .checkOut, in: call)
    if !publication.licenses.isEmpty {
      return try await checkOut(publication, as: format, in: call)
    }
    guard let link = publication.borrowing(as: format) else {
      if publication.isFree {
        throw failure(.unsupported(.lending), .checkOut, says: "free to all: no loan is needed")
      }
      throw failure(
        publication.borrowing(as: nil) == nil ? .noLicenses : .formatUnavailable, .checkOut)
    }
    guard publication.terms.canBeHadNow else { throw failure(.noCopiesAvailable, .checkOut) }
    return try await borrow(item, by: link, .checkOut, in: call)
  }

  package func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    guard let mine = try await mine(item, .checkIn, in: call), mine.loan(in: settings) != nil else {
      throw failure(.notBorrowed, .checkIn)
    }
    guard let deed = mine.revocation else {
      guard let status = try await licensed(mine, .checkIn, in: call) else {
        throw failure(.unsupported(.earlyReturn), .checkIn, says: "no link to give it back")
      }
      return try await giveBack(status, .checkIn, in: call)
    }
    try await revoke(deed, .checkIn, in: call)
  }

  /// There is no relation for it: who borrows again what is on loan has it for longer, if the lender
  /// will (§10).
  package func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome
  {
    guard let mine = try await mine(item, .renew, in: call), let present = mine.loan(in: settings)
    else { throw failure(.notBorrowed, .renew) }
    // What is on loan has no link to borrow it; a stranger sees one.
    var link = mine.borrowing(as: nil)
    if link == nil { link = try await publication(item, .renew, in: call).borrowing(as: nil) }
    guard let link else {
      guard let status = try await licensed(mine, .renew, in: call) else {
        throw failure(.notRenewable, .renew)
      }
      let longer = try await prolong(status, present, in: call)
      guard longer.isLonger(than: present) else { throw failure(.notRenewable, .renew) }
      return .borrowed(longer)
    }
    let outcome = try await borrow(item, by: link, beyond: present, .renew, in: call)
    guard case .borrowed(let next) = outcome, next.isLonger(than: present) else {
      throw failure(.notRenewable, .renew)
    }
    return outcome
  }

  // MARK: - Waiting

  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    guard options.pickup == nil else { throw failure(.unsupported(.physicalHolds), .placeHold) }
    if let mine = try await mine(item, .placeHold, in: call) {
      if mine.loan(in: settings) != nil { throw failure(.alreadyBorrowed, .placeHold) }
      if let hold = mine.hold(in: settings) { return hold }
    }
    let publication = try await publication(item, .placeHold, in: call)
    guard publication.licenses.isEmpty else {
      throw failure(.unsupported(.holds), .placeHold, says: "a distributor keeps no line")
    }
    switch publication.terms {
    case .openAccess, .available: throw failure(.currentlyAvailable, .placeHold)
    case .unavailable, .unknownToProvider: throw failure(.noLicenses, .placeHold)
    case .queued: break
    }
    guard let link = publication.borrowing(as: nil) else { throw failure(.noLicenses, .placeHold) }
    return try await wait(for: item, by: link, in: call)
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    guard let mine = try await mine(item, .cancelHold, in: call), mine.hold(in: settings) != nil
    else { throw failure(.notOnHold, .cancelHold) }
    guard let deed = mine.revocation else {
      throw failure(.unsupported(.holds), .cancelHold, says: "no link to leave the line")
    }
    try await revoke(deed, .cancelHold, in: call)
  }
}

extension Loan {
  func isLonger(than other: Loan) -> Bool {
    guard let end = other.until else { return false }
    return until.map { $0 > end } ?? true
  }
}
