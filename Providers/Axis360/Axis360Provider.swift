package import Circulation
import HTTP
import HTTPClient
package import ProviderKit

/// Axis 360, which calls itself Boundless by now. Each operation is *send, translate*; what is sent
/// stands in `Endpoints`, what it means in `Translation` and `Failures`.
package struct Axis360Provider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .harvest, .harvestSince, .availability, .shelf, .lending, .earlyReturn, .renewal, .holds,
    .suspension, .fulfilment,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("axis360"), title: "Boundless (Axis 360)", capabilities: capabilities,
    fields: [
      .init("card", "Library card number", isSecret: false),
      .init("email", "E-mail address for notices of holds", isSecret: false, isRequired: false),
    ],
    needs: Settings.needs, decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      Axis360Provider(settings: try Settings(library, credentials), session: session)
    })

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: Self.batch)
  }

  /// As many as the longest address that the service takes can name.
  static let batch = 125

  /// There is no document of the account: whoever has a shelf has one, and nobody is refused (§3).
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    _ = try await myTitles(.checkAccount, in: call)
    return AccountStanding()
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    Translation.shelf(try await myTitles(.shelf, in: call))
  }

  /// The format is settled here and for good, so one is chosen where the reader does not (§7).
  package func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    // A second checkout near its end would be a renewal that nobody asked for.
    if let mine = try await myTitle(item, .checkOut, in: call)?.loan() { return .borrowed(mine) }
    let chosen = try await self.format(of: item, asked: format, in: call)
    let reader = try reader(during: .checkOut)
    do throws(CirculationError) {
      let answer = try await ask(
        settings.checkOut(item, as: chosen, by: reader), .checkOut, in: call)
      return .borrowed(try Documents.checkout(answer, .checkOut).loan(of: item, as: chosen))
    } catch {
      // Counts are stale now and then, and a lost answer may have been a loan (§12.23).
      guard [.noCopiesAvailable, .alreadyBorrowed].contains(error.reason) else { throw error }
      let mine = try await afterCommand { () throws(CirculationError) in
        try await myTitle(item, .checkOut, in: call)?.loan()
      }
      guard let mine else { throw error }
      return .borrowed(mine)
    }
  }

  package func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    let reader = try reader(during: .checkIn)
    _ = try await ask(settings.checkIn(item, by: reader), .checkIn, in: call).checked(.checkIn)
  }

  /// The same checkout once more (§7).
  package func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome
  {
    guard let title = try await myTitle(item, .renew, in: call), let present = title.loan() else {
      throw failure(.notBorrowed, .renew)
    }
    guard present.isRenewable else { throw failure(.notRenewable, .renew) }
    let reader = try reader(during: .renew)
    do throws(CirculationError) {
      let answer = try await ask(
        settings.checkOut(item, as: present.lockedFormat, by: reader), .renew, in: call)
      var next = present
      next.until = try Documents.checkout(answer, .renew).until ?? present.until
      return .borrowed(next)
    } catch {
      // "Checked out already" is also what a request hears that has been carried out before.
      guard error.reason == .notRenewable else { throw error }
      let now = try await afterCommand { () throws(CirculationError) in
        try await myTitle(item, .renew, in: call)?.loan()
      }
      guard let now, now.isLonger(than: present) else { throw error }
      return .borrowed(now)
    }
  }

  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    guard options.pickup == nil else { throw failure(.unsupported(.physicalHolds), .placeHold) }
    let reader = try reader(during: .placeHold)
    guard let email = options.email ?? reader.email else {
      throw failure(Failures.emailMissing, .placeHold)
    }
    let answer = try await ask(
      settings.placeHold(on: item, by: reader, email: email), .placeHold, in: call)
    let placed = try Documents.placedHold(answer, .placeHold).hold(on: item)
    // The answer tells a place and not how many stand there.
    return await shelvedHold(on: item, .placeHold, in: call) ?? placed
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    let reader = try reader(during: .cancelHold)
    _ = try await ask(settings.removeHold(on: item, by: reader), .cancelHold, in: call)
      .checked(.cancelHold)
  }

  /// It rests until it is told to go on: the service takes no end (§7).
  package func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let reader = try reader(during: .suspendHold)
    _ = try await ask(settings.suspendHold(on: item, by: reader), .suspendHold, in: call)
      .checked(.suspendHold)
    return Hold(item: item, status: .suspended(until: nil))
  }

  package func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold {
    let reader = try reader(during: .resumeHold)
    _ = try await ask(settings.resumeHold(on: item, by: reader), .resumeHold, in: call)
      .checked(.resumeHold)
    return await shelvedHold(on: item, .resumeHold, in: call)
      ?? Hold(item: item, status: .waiting(position: nil, total: nil))
  }
}
