package import Circulation
import HTTP
package import ProviderKit

/// The feeds of a profile, for everybody who has no key: read, and nothing else (§7). A profile is
/// all there is to know, so linking one takes no password.
package struct GoodreadsFeedProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [.lists]

  package static let listing = ProviderListing(
    id: ProviderID("goodreads-feed"), title: "Goodreads (public shelves, read only)",
    capabilities: capabilities,
    fields: [
      .init("profile", "Address of the profile, its number, or a shelf's RSS link", isSecret: true),
      .init(
        "shelves", "Shelves of your own making, with commas between", isSecret: false,
        isRequired: false),
    ],
    needs: LibraryNeeds(environments: ["production": ["feeds": "https://www.goodreads.com"]]),
    decode: Decoding.decode, commonLibrary: LibraryID("goodreads-feed"),
    pace: GoodreadsProvider.pace,
    make: { library, credentials, session throws(SettingsFault) in
      GoodreadsFeedProvider(
        feeds: try library.endpoint("feeds"), profile: credentials.flatMap(Profile.init),
        session: session)
    })

  let feeds: Address
  let profile: Profile?
  let session: Session

  package func describe() -> ProviderDescription {
    // Feeds lag, leave out merged editions and lose what moves between two of them.
    ProviderDescription(
      provider: Self.listing.id, availabilityBatch: 1,
      lists: ListTerms(
        entries: .told, ratings: .told, reviews: .told, dates: .told, exclusiveStates: true,
        ratingStep: 1))
  }

  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    _ = try await feed(of: nil, page: 1, .checkAccount, in: call)
    return AccountStanding()
  }

  /// A feed does not tell which shelves there are: the three that everybody has, those that the
  /// reader named, and those that the newest books stand on.
  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    let newest = try await feed(of: nil, page: 1, .list, in: call)
    let named = try linked(.list).shelves
    let seen = newest.items.flatMap(\.shelves).filter { Shelves.states[$0] == nil }
    let standard = ["to-read", "currently-reading", "read"]
    return (standard + named + seen.sorted()).distinct.map { slug in
      ReadingList(
        id: ListID(slug), name: slug, isExclusive: standard.contains(slug),
        state: Shelves.state(slug, isExclusive: standard.contains(slug)), isOpen: false)
    }
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let turn = try cursor.map { text throws(CirculationError) in
      guard let turn = PageTurn(text) else {
        throw failure(.malformedResponse(expected: "a cursor of our own"), .list)
      }
      return turn
    }
    let number = (turn?.page ?? 0) + 1
    let page = try await feed(of: list.rawValue, page: number, .list, in: call)
    let mark = page.mark
    // Past the end it is empty or the last page once more; nothing tells the end otherwise.
    guard !page.items.isEmpty, mark != turn?.mark, number < PageTurn.most else {
      return ListPage(entries: [])
    }
    return ListPage(
      entries: page.items.map { $0.entry(on: list.rawValue) },
      next: PageTurn(page: number, mark: mark).text)
  }

  // MARK: - One feed

  private func feed(
    of shelf: String?, page: Int, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Feed {
    let profile = try linked(operation)
    let request = profile.feed(of: shelf, page: page, at: feeds)
    let answer = Answer(try await session.send(request, operation, in: call))
    do throws(CirculationError) {
      let feed = try Feed(answer, operation)
      if let shelf, feed.shelf != shelf {
        // A shelf that nobody has is answered with the one of books read (§7).
        throw Documents.failure(.titleGone, operation, says: "no shelf is called \(shelf)")
      }
      return feed
    } catch {
      throw CirculationError(
        error.reason, from: Self.listing.id, during: operation, providerSays: error.providerSays)
    }
  }

  private func linked(_ operation: Circulation.Operation) throws(CirculationError) -> Profile {
    guard let profile else {
      throw failure(
        .credentialsRejected, operation, says: "no address or number of a profile was given")
    }
    return profile
  }

  private func failure(
    _ reason: CirculationError.Reason, _ operation: Circulation.Operation, says: String? = nil
  ) -> CirculationError {
    CirculationError(reason, from: Self.listing.id, during: operation, providerSays: says)
  }
}
