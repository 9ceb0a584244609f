package import Circulation
import HTTP
package import ProviderKit

/// cloudLibrary, which began at 3M. Each operation is *send, translate*; what is sent stands in
/// `Endpoints`, what it means in `Translation` and `Failures`.
package struct CloudLibraryProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .harvest, .harvestSince, .availability, .shelf, .lending, .earlyReturn, .renewal, .holds,
    .fulfilment,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("cloudlibrary"), title: "cloudLibrary", capabilities: capabilities,
    fields: [
      .init("card", "Library card number", isSecret: false), .init("pin", "PIN", isSecret: true),
    ],
    needs: Settings.needs, signIn: { library throws(SettingsFault) in try signIn(library) },
    pinCheck: { library throws(SettingsFault) in
      try Settings(library, nil).needsPIN ? .always : .never
    },
    decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      CloudLibraryProvider(settings: try Settings(library, credentials), session: session)
    })

  private static func signIn(_ library: Library) throws(SettingsFault) -> SignInWay {
    let settings = try Settings(library, nil)
    return .fields(listing.fields.filter { settings.needsPIN || $0.name != "pin" })
  }

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: Self.batch)
  }

  static let batch = 25

  var terms: Terms { Terms(renewsByReturn: settings.renewsByReturn) }

  /// The service tells neither limits nor an end; it tells whether the card is good.
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    try await checkCard(.checkAccount, in: call)
    return AccountStanding()
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    let wire = try await wireShelf(.shelf, in: call)
    let items = try await details(of: wire, in: call)
    return wire.shelf(with: items, terms, asOf: session.clock.date())
  }

  package func checkOut(_ item: ItemID, as format: Format?, in call: Call)
    async throws(CirculationError) -> BorrowOutcome
  {
    .borrowed(try await borrowed(item, .checkOut, in: call).loan)
  }

  package func checkIn(_ item: ItemID, in call: Call) async throws(CirculationError) {
    let answer = try await ask(try cardholder(.checkIn).checkIn(item), .checkIn, in: call)
    guard !isNod(answer) else { return }
    // Whatever it said, it said nothing that we know: the shelf tells.
    let shelf = try await afterCommand { () throws(CirculationError) in
      try await wireShelf(.checkIn, in: call)
    }
    if shelf.checkouts.contains(where: { $0.itemID == item.rawValue }) {
      throw Documents.error(.providerUnavailable, .checkIn, "the loan is still there")
    }
  }

  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    guard options.pickup == nil else {
      throw Documents.error(.unsupported(.physicalHolds), .placeHold)
    }
    let answer: Documents.Answer
    do throws(CirculationError) {
      answer = try await ask(try cardholder(.placeHold).placeHold(item), .placeHold, in: call)
    } catch {
      // A bare 405 has two meanings, which the title's status tells apart (§7).
      guard error.reason == .unsupported(.holds), error.providerSays?.hasPrefix("HTTP") == true
      else { throw error }
      throw try await refusal(ofHoldOn: item, in: call) ?? error
    }
    let placed = try Documents.placedHold(answer)
    guard placed.itemID == item.rawValue else { throw Documents.malformed("this hold", .placeHold) }
    return await ownHold(on: item, in: call) ?? placed.hold
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    let answer = try await ask(
      try cardholder(.cancelHold).cancelHold(item), .cancelHold, in: call)
    guard !isNod(answer) else { return }
    let shelf = try await afterCommand { () throws(CirculationError) in
      try await wireShelf(.cancelHold, in: call)
    }
    if (shelf.holds + shelf.reserves).contains(where: { $0.itemID == item.rawValue }) {
      throw Documents.error(.providerUnavailable, .cancelHold, "the hold is still there")
    }
  }
}
