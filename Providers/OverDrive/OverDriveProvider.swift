package import Circulation
import HTTP
import HTTPClient
import JSON
package import ProviderKit

/// OverDrive, as Libby's libraries have it. Each operation is *send, translate*; what is sent stands
/// in `Endpoints`, what it means in `Translation` and `Failures`.
package struct OverDriveProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .harvest, .harvestSince, .search, .availability, .shelf, .lending, .earlyReturn, .renewal,
    .holds, .suspension, .fulfilment,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("overdrive"), title: "OverDrive", capabilities: capabilities,
    fields: [
      .init("card", "Library card number", isSecret: false), .init("pin", "PIN", isSecret: true),
    ],
    needs: Settings.needs, signIn: { library throws(SettingsFault) in try signIn(library) },
    pinCheck: { library throws(SettingsFault) in
      if case .card(let check) = try Settings.SignIn(library), check.needsPIN { return .always }
      return .never
    },
    decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      OverDriveProvider(settings: try Settings(library, credentials), session: session)
    })

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: Self.batch)
  }

  static let batch = 25

  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    try await patron(.checkAccount, in: call).standing()
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    async let loans = attempt { () throws(CirculationError) in try await checkouts(in: call) }
    async let holds = attempt { () throws(CirculationError) in try await allHolds(in: call) }
    let now = session.clock.date()
    return Shelf(
      loans: try await loans.get().map { $0.loan(asOf: now) },
      holds: try await holds.get().map { $0.hold() })
  }

  package func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    do throws(CirculationError) {
      let json = try await asReader(settings.checkOut(item), .checkOut, in: call)
      return .borrowed(try Documents.checkout(json, .checkOut).loan(asOf: session.clock.date()))
    } catch {
      // "No copies" is also what a reader hears who has the loan already while others wait (§12).
      guard [.noCopiesAvailable, .alreadyBorrowed].contains(error.reason) else { throw error }
      let mine = try await afterCommand { () throws(CirculationError) in
        try await checkout(of: item, during: .checkOut, in: call)
      }
      guard let mine else { throw error }
      return .borrowed(mine.loan(asOf: session.clock.date()))
    }
  }

  package func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    guard let checkout = try await checkout(of: item, during: .checkIn, in: call) else {
      throw CirculationError(.notBorrowed, from: describe().provider, during: .checkIn)
    }
    guard let action = checkout.earlyReturn else {
      return try await giveBackByLink(checkout, item, in: call)
    }
    let request = WireRequest(.delete, try own(action.href, .checkIn))
    _ = try await asReader(request, .checkIn, in: call)
  }

  /// There is no verb for it: near its end, a hold on one's own loan becomes the next loan (§8.5).
  package func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome
  {
    // Without the loan it would be a place in line that nobody asked for.
    guard try await checkout(of: item, during: .renew, in: call) != nil else {
      throw CirculationError(.notBorrowed, from: describe().provider, during: .renew)
    }
    let email = try await patron(.renew, in: call).lastHoldEmail
    let json = try await asReader(settings.placeHold(item, email: email), .renew, in: call)
    return .waiting(try Documents.hold(json, .renew).hold())
  }

  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    guard options.pickup == nil else { throw refusal(.physicalHolds, .placeHold) }
    // The service takes a hold on a title that is free, so the question comes first (§12).
    let known = try await part(of: .placeHold) { () throws(CirculationError) in
      try await availability(of: [item], in: call)[item]
    }
    if known?.canBeHadNow == true {
      throw CirculationError(.currentlyAvailable, from: describe().provider, during: .placeHold)
    }
    if known?.status == .unknownToProvider {
      throw CirculationError(.noLicenses, from: describe().provider, during: .placeHold)
    }
    // The account's own address before any other: it would be overwritten for good (§10.1).
    let email = try await patron(.placeHold, in: call).lastHoldEmail ?? options.email
    let json = try await asReader(settings.placeHold(item, email: email), .placeHold, in: call)
    return try Documents.hold(json, .placeHold).hold()
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    _ = try await asReader(settings.removeHold(item), .cancelHold, in: call)
  }

  package func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let present = try await hold(on: item, during: .suspendHold, in: call)
    let email = try await patron(.suspendHold, in: call).lastHoldEmail
    let request = settings.suspend(
      item, days: days, email: email, isNew: !present.isSuspended)
    let json = try await asReader(request, .suspendHold, in: call)
    return try Documents.hold(json, .suspendHold).hold()
  }

  /// Nobody is told that there is no hold by a list of another moment: the service refuses with the same
  /// words what is not there and what rests no more, and a list may lag behind the answer before it.
  package func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold {
    do throws(CirculationError) {
      _ = try await asReader(settings.release(item), .resumeHold, in: call)
    } catch {
      guard error.reason == .notOnHold else { throw error }
      let listed = try await hold(on: item, during: .resumeHold, in: call).hold()
      guard case .suspended = listed.status else { return listed }
      throw malformed("an answer that fits its own list of holds", .resumeHold)
    }
    do throws(CirculationError) {
      do throws(CirculationError) {
        return try await hold(on: item, during: .resumeHold, in: call).hold()
      } catch {
        guard error.reason == .notOnHold else { throw error }
        return try await hold(on: item, during: .resumeHold, in: call).hold()
      }
    } catch {
      // It is resumed: that its place cannot be told just now is no refusal.
      guard error.reason != .notOnHold, !error.reason.leavesOutcomeOpen else { throw error }
      return Hold(item: item, status: .waiting(position: nil, total: nil))
    }
  }
}
