package import Circulation
import Machine
package import ProviderKit

/// A library's own desk: cards, and books on paper that wait at a branch. No system does all of it,
/// so the library's settings name one part for each job: who proves a card, who finds titles and
/// copies, who names the branches, who keeps holds and loans. What has no part is refused.
package struct LibraryDeskProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .search, .lookUp, .availability, .shelf, .renewal, .holds, .suspension, .physicalHolds,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("library_desk"), title: "Your library's own desk", capabilities: capabilities,
    fields: [
      .init("card", "Library card number", isSecret: false),
      .init("pin", "PIN", isSecret: true, isRequired: false),
    ],
    needs: Settings.needs, signIn: { library throws(SettingsFault) in try signIn(library) },
    // A family name is no secret.
    pinCheck: { library throws(SettingsFault) in
      try CardRules(library).proof == .pin ? .always : .never
    },
    decode: Decoding.decode,
    make: { library, credentials, session throws(SettingsFault) in
      let settings = try Settings(library)
      return LibraryDeskProvider(
        settings: settings, slip: credentials.flatMap { Slip($0, settings.rules) },
        parts: try Parts(library, settings, session), session: session)
    })

  private static func signIn(_ library: Library) throws(SettingsFault) -> SignInWay {
    let rules = try Settings(library).rules
    let card = ProviderListing.Field("card", rules.cardLabel, isSecret: false)
    guard rules.proof != .none else { return .fields([card]) }
    return .fields([card, .init("pin", rules.pinLabel, isSecret: true)])
  }

  let settings: Settings
  /// Nil where nobody has signed in: titles may be looked up all the same.
  let slip: Slip?
  let parts: Parts
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(provider: Self.listing.id, availabilityBatch: Self.batch)
  }

  static let batch = 20

  // MARK: - The reader

  /// Always asked anew: a PIN that was changed counts from then on.
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    let reader = try await self.reader(.checkAccount, in: call)
    let told = await parts.keeping?.missing(in: call) ?? []
    return reader.standing(by: settings, today: today, withheld: parts.missing.union(told))
  }

  package func shelf(in call: Call) async throws(CirculationError) -> Shelf {
    let keeping = try keeping(.shelf, .shelf)
    var shelf = try await keeping.shelf(of: try await known(.shelf, in: call), in: call)
    let names = await branchNames(for: shelf.holds, in: call)
    for index in shelf.holds.indices {
      shelf.holds[index].pickupName = shelf.holds[index].pickup.flatMap { names[$0] }
    }
    return shelf
  }

  /// What the branches are called: as the settings say, or else as the system does. One that is silent
  /// leaves its codes.
  private func branchNames(for holds: [Hold], in call: Call) async -> [BranchID: String] {
    var names = Dictionary(
      settings.branches.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let isNamed = holds.compactMap(\.pickup).allSatisfy { names[$0] != nil }
    if !isNamed, let told = try? await parts.pickups?.branches(in: call) {
      names.merge(told.map { ($0.id, $0.name) }) { first, _ in first }
    }
    return names
  }

  /// A block keeps nobody from their loans, and from nothing that gives back.
  package func placeHold(on item: ItemID, options: HoldOptions, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let keeping = try keeping(.holds, .placeHold)
    let reader = try await welcome(.placeHold, in: call)
    var hold = try await keeping.place(item, for: reader, at: options.pickup, in: call)
    let names = await branchNames(for: [hold], in: call)
    hold.pickupName = hold.pickup.flatMap { names[$0] }
    return hold
  }

  package func cancelHold(on item: ItemID, in call: Call) async throws(CirculationError) {
    let keeping = try keeping(.holds, .cancelHold)
    try await keeping.cancel(item, of: try await known(.cancelHold, in: call), in: call)
  }

  package func suspendHold(on item: ItemID, days: Int?, in call: Call)
    async throws(CirculationError) -> Hold
  {
    let keeping = try keeping(.suspension, .suspendHold)
    let until = days.map { CivilDate(daysSinceEpoch: today.daysSinceEpoch + Int64($0)) }
    return try await keeping.suspend(
      item, of: try await known(.suspendHold, in: call), until: until, in: call)
  }

  package func resumeHold(on item: ItemID, in call: Call) async throws(CirculationError) -> Hold {
    let keeping = try keeping(.suspension, .resumeHold)
    return try await keeping.resume(item, of: try await known(.resumeHold, in: call), in: call)
  }

  package func renew(_ item: ItemID, in call: Call) async throws(CirculationError) -> BorrowOutcome
  {
    let keeping = try keeping(.renewal, .renew)
    let reader = try await welcome(.renew, in: call)
    return .borrowed(try await keeping.renew(item, of: reader, in: call))
  }

  // MARK: - Titles and branches

  package func search(_ query: SearchQuery, in call: Call)
    async throws(CirculationError) -> [Edition]
  {
    let titles = try titles(.search, .search)
    let words = DeskWords(query.words)
    guard !words.isEmpty, query.limit > 0 else { return [] }
    let found = try await titles.search(words, in: call).filter {
      $0.availability.canBeHadNow || !query.onlyAvailable
    }
    return found.prefix(query.limit).map(\.edition)
  }

  package func lookUp(_ books: [BookNumbers], in call: Call)
    async throws(CirculationError) -> LookUpAnswer
  {
    LookUpAnswer(try await titles(.lookUp, .lookUp).find(books, in: call))
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    let titles = try titles(.availability, .availability)
    return items.isEmpty ? [:] : try await titles.availability(of: items.distinct, in: call)
  }

  package func branches(in call: Call) async throws(CirculationError) -> [Branch] {
    try await pickups(.branches).branches(in: call)
  }

  package func copies(of item: ItemID, in call: Call)
    async throws(CirculationError) -> CopyList
  {
    let titles = try titles(.physicalHolds, .copies)
    var list = CopyList(copies: try await titles.copies(of: item, in: call))
    if parts.keeping != nil, let pickups = parts.pickups {
      // Without a PIN the branches for anybody are told.
      let reader = slip?.isSound == true ? try await known(.copies, in: call) : nil
      list.pickups = try await pickups.branches(for: item, reader, in: call)
    }
    return list
  }
}
