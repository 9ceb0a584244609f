package import Circulation
import HTTP
package import ProviderKit

/// The public shelves of a reader at any instance of BookWyrm: read, and nothing else. An address is
/// all there is to know, and the reader gives it; section numbers are those of the README.
package struct BookWyrmProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [.lists]

  package static let listing = ProviderListing(
    id: ProviderID("bookwyrm"), title: "BookWyrm (public shelves, read only)",
    capabilities: capabilities, fields: Settings.fields,
    needs: LibraryNeeds(hostsArePatrons: true, ownAddresses: ["instance"]), decode: Decoding.decode,
    commonLibrary: LibraryID("bookwyrm"), pace: pace,
    make: { library, credentials, session throws(SettingsFault) in
      BookWyrmProvider(settings: try Settings(library, credentials), session: session)
    })

  /// Instances are small machines that somebody pays for (§1).
  static let pace = Pacer.Settings(atOnce: 2, spacing: .milliseconds(200))

  let settings: Settings
  let session: Session
  let errand = Errand()

  package func describe() -> ProviderDescription {
    // Ratings, reviews and dates are posts of their own, which shelves do not hold (§3). A shelf is
    // told whole: what two readings in a row lack has left it.
    ProviderDescription(
      provider: Self.listing.id, availabilityBatch: 1,
      lists: ListTerms(entries: .told, exclusiveStates: true, absenceIsProof: true))
  }

  /// The profile has to be there, and every shelf that the reader named.
  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    let profile = try linked(.checkAccount)
    let person = try await ask(profile.person, .profile, .checkAccount, in: call)
    try Documents.person(person, .checkAccount)
    for slug in profile.shelves {
      let answer = try await ask(profile.shelf(slug), .profile, .checkAccount, in: call)
      _ = try WireShelf(Documents.object(answer, .checkAccount), .checkAccount)
    }
    return AccountStanding()
  }

  /// Nothing lists the shelves of a profile: the four that everybody has and those that the reader
  /// named are looked at, and left out where they are private.
  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    let profile = try linked(.list)
    var lists: [ReadingList] = []
    for slug in (State.slugs + profile.shelves).distinct {
      do throws(CirculationError) {
        let answer = try await ask(profile.shelf(slug), .shelf, .list, in: call)
        lists.append(try WireShelf(Documents.object(answer, .list), .list).list(slug))
      } catch {
        guard error.reason == .titleGone else { throw error }
      }
    }
    guard !lists.isEmpty else { throw Failures.failure(Failures.nobody, .list, status: 404) }
    return lists
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let profile = try linked(.list)
    let turn = try cursor.map { text throws(CirculationError) in
      guard let turn = PageTurn(text) else {
        throw Documents.malformed("a cursor of our own", .list)
      }
      return turn
    }
    let number = (turn?.page ?? 0) + 1
    let address = profile.shelf(list.rawValue, page: number)
    let page = try WirePage(
      Documents.object(try await ask(address, .shelf, .list, in: call), .list), .list)
    // Past the end some give the last page once more (§3).
    guard !page.editions.isEmpty, page.mark != turn?.mark else { return ListPage(entries: []) }
    let authors = try await authors(of: page.editions, for: profile, in: call)
    let entries = zip(page.editions, authors).map { $0.entry(on: list, by: $1) }
    guard let next = page.next, next > number, number < PageTurn.most else {
      return ListPage(entries: entries)
    }
    return ListPage(entries: entries, next: PageTurn(page: number, mark: page.mark).text)
  }

  // MARK: - Sending

  private func ask(
    _ address: Address, _ thing: Failures.Thing, _ operation: Circulation.Operation, in call: Call
  ) async throws(CirculationError) -> Answer {
    let session = session.toward(try linked(operation).home.origin.description)
    let answer = try await session.following(address, operation, in: call)
    if let reason = Failures.reason(answer, thing) {
      throw Failures.failure(reason, operation, status: answer.status)
    }
    return answer
  }

  func linked(_ operation: Circulation.Operation) throws(CirculationError) -> Profile {
    guard let profile = settings.profile else {
      throw CirculationError(
        .credentialsRejected, from: Self.listing.id, during: operation,
        explanation: "This is no address of a profile. It looks like https://INSTANCE/user/NAME "
          + "or @NAME@INSTANCE.")
    }
    return profile
  }
}
