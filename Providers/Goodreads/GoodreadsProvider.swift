package import Circulation
package import FoundationEssentials
import HTTP
package import ProviderKit

/// Goodreads through its classic interface, for whoever still holds a developer key. What is sent
/// stands in `Endpoints`, what it means in `Translation` and `Failures`; section numbers are those of
/// the README.
package struct GoodreadsProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .lists, .listWriting, .listChanges, .ratings, .remarks, .friends,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("goodreads"), title: "Goodreads", capabilities: capabilities,
    fields: [
      .init("token", "The token that Goodreads gave", isSecret: true),
      .init("token_secret", "Its secret", isSecret: true),
      .init("user_id", "The number of the profile", isSecret: false),
    ],
    needs: Settings.needs,
    signIn: { library throws(SettingsFault) in .page(try signIn(library)) },
    decode: Decoding.decode, pace: pace,
    make: { library, credentials, session throws(SettingsFault) in
      GoodreadsProvider(settings: try Settings(library, credentials), session: session)
    })

  /// The terms: once a second (§1).
  static let pace = Pacer.Settings(atOnce: 1, spacing: .seconds(1))

  let settings: Settings
  let session: Session

  package func describe() -> ProviderDescription {
    ProviderDescription(
      provider: Self.listing.id, availabilityBatch: 1,
      lists: ListTerms(
        entries: .kept, ratings: .kept, reviews: .kept, dates: .kept, order: .absent,
        exclusiveStates: true, ratingStep: 1, absenceIsProof: true, tellsAllLists: true))
  }

  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    let user = try await ask(settings.whoAmI, .checkAccount, in: call)
      .payload(["user"], .checkAccount)
    guard user.attribute("id").flatMap({ Int($0) }) != nil else {
      throw Documents.malformed("a reader with a number", .checkAccount)
    }
    return AccountStanding()
  }

  // MARK: - Reading

  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    try await shelves(of: try reader(.list).userID, in: call).map { $0.list() }
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let shelf = Shelf(list, owner: try reader(.list).userID)
    let number = try page(cursor)
    let page = try await reviews(
      settings.reviews(of: shelf.owner, on: shelf.slug, page: number), in: call)
    // A shelf that is gone is answered like an empty one, and an empty one means a great deal.
    if number == 1, page.reviews.isEmpty {
      let known = try await shelves(of: shelf.owner, in: call)
      guard known.contains(where: { $0.name == shelf.slug }) else { throw noShelf(shelf.slug) }
    }
    return ListPage(
      entries: page.reviews.map { $0.entry(on: shelf) },
      next: page.isLast ? nil : String(number + 1))
  }

  package func changes(since moment: Date, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let owner = try reader(.list).userID
    let number = try page(cursor)
    let page = try await reviews(settings.changes(of: owner, page: number), in: call)
    // An hour for clocks and for what was on its way (§4).
    let horizon = moment.addingTimeInterval(-3600)
    let entries = page.reviews.map { $0.entry(on: Shelf(owner: owner)) }
    let news = entries.prefix { ($0.changedAt ?? .distantFuture) >= horizon }
    let isDone = page.isLast || news.count < entries.count
    return ListPage(entries: Array(news), next: isDone ? nil : String(number + 1))
  }

  package func entry(of item: ItemID, in call: Call)
    async throws(CirculationError) -> ListEntry?
  {
    let owner = try reader(.list).userID
    var entry = try await review(of: item, in: call)?.entry(on: Shelf(owner: owner))
    // Only lists cut.
    entry?.isReviewCut = false
    return entry
  }

  func shelves(of user: String, in call: Call) async throws(CirculationError) -> [WireShelf] {
    var (found, number): ([WireShelf], Int) = ([], 1)
    while number <= Self.mostPages {
      let page = try await ask(settings.shelves(of: user, page: number), .list, in: call)
        .payload(["shelves"], .list)
      let shelves = try page.all("user_shelf").map { xml throws(CirculationError) in
        guard let shelf = WireShelf(xml) else { throw Documents.malformed("a shelf", .list) }
        return shelf
      }
      let names = Set(found.map(\.name))
      let fresh = shelves.filter { !names.contains($0.name) }
      found += fresh
      if fresh.isEmpty || Span(page).isLast { return found }
      number += 1
    }
    return found
  }

  func reviews(_ request: WireRequest, in call: Call)
    async throws(CirculationError) -> ReviewPage
  {
    try ReviewPage(try await ask(request, .list, in: call).payload(["reviews"], .list), .list)
  }

  /// Nobody has more shelves or friends than fit on so many pages, and no service is asked for ever.
  static let mostPages = 100

  private func page(_ cursor: String?) throws(CirculationError) -> Int {
    guard let cursor else { return 1 }
    guard let number = Int(cursor), number > 1, number < 10_000 else {
      throw failure(.malformedResponse(expected: "a cursor of our own"), .list)
    }
    return number
  }

  func noShelf(_ slug: String) -> CirculationError {
    failure(.titleGone, .list, says: "no shelf is called \(slug)")
  }
}
