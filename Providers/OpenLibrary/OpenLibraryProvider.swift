package import Circulation
import HTTP
import HTTPClient
import JSON
package import ProviderKit

/// The reading log and the lists of Open Library, where everything is kept by work. What is sent
/// stands in `Endpoints`, what it means in `Translation` and `Failures`; section numbers are those of
/// the README. Nothing is borrowed here.
package struct OpenLibraryProvider: CirculationProvider {
  package static let capabilities: Set<Capability> = [
    .lists, .listWriting, .ratings, .availability,
  ]

  package static let listing = ProviderListing(
    id: ProviderID("open-library"), title: "Open Library", capabilities: capabilities,
    fields: Settings.fields, needs: Settings.needs, decode: Decoding.decode, pace: pace,
    make: { library, credentials, session throws(SettingsFault) in
      OpenLibraryProvider(settings: try Settings(library, credentials), session: session)
    })

  /// Three a second for whoever can be written to (§1).
  static let pace = Pacer.Settings(atOnce: 1, spacing: .milliseconds(334))

  let settings: Settings
  let session: Session
  let heard = Ratings()

  package func describe() -> ProviderDescription {
    // Dates are taken and never told, so nobody can keep them in step (§3). The log shows what was
    // deleted, too: what is missing has left.
    ProviderDescription(
      provider: Self.listing.id, availabilityBatch: Self.batch,
      lists: ListTerms(
        entries: .kept, ratings: .kept, exclusiveStates: true, ratingStep: 1,
        absenceIsProof: true))
  }

  /// Works in one question about availability.
  static let batch = 50

  package func checkAccount(in call: Call) async throws(CirculationError) -> AccountStanding {
    _ = try await page(.checkAccount, from: 0, most: 1, in: call)
    return AccountStanding()
  }

  package func lists(in call: Call) async throws(CirculationError) -> [ReadingList] {
    var own: [WireList] = []
    for number in 0..<Self.mostPages {
      let offset = number * Settings.perPage
      let page = try await page(.list, from: offset, most: Settings.perPage, in: call)
      own += page.lists
      if page.lists.isEmpty || offset + Settings.perPage >= page.size ?? .max { break }
    }
    return Shelf.allCases.map(\.list) + own.distinct.map(\.list)
  }

  private func page(
    _ operation: Circulation.Operation, from offset: Int, most: Int, in call: Call
  ) async throws(CirculationError) -> (lists: [WireList], size: Int?) {
    let answer = try await ask(operation, in: call) { user in
      settings.lists(of: user, from: offset, most: most)
    }
    let json = try ofReader(answer, operation)
    let lists = try Documents.list(json["entries"], "lists", operation, WireList.init)
    return (lists, json["size"]?.whole)
  }

  package func items(of list: ListID, from cursor: String?, in call: Call)
    async throws(CirculationError) -> ListPage
  {
    let number = try page(cursor)
    return switch try place(list) {
    case .shelf(let shelf): try await items(of: shelf, number, in: call)
    case .list(let key): try await items(of: key, number, in: call)
    }
  }

  package func availability(of items: [ItemID], in call: Call)
    async throws(CirculationError) -> [ItemID: Availability]
  {
    var told: [ItemID: Availability] = [:]
    let nobody = Availability(.unknownToProvider, asOf: session.clock.date())
    for batch in items.batches(of: Self.batch) {
      for item in batch { told[item] = nobody }
      let works = batch.compactMap { Key($0) }
      guard !works.isEmpty else { continue }
      let answer = try await ask(settings.availability(of: works), .availability, in: call)
      let answers = try Translation.availability(
        Documents.object(answer, .availability), of: works, asOf: session.clock.date(),
        .availability)
      told.merge(answers) { $1 }
    }
    return told
  }

  // MARK: - Names

  /// Nobody has more lists than fit on so many pages, and no service is asked for ever.
  static let mostPages = 100

  func place(_ list: ListID) throws(CirculationError) -> Place {
    guard let place = Place(list) else {
      throw failure(.titleGone, .list, says: "no list is called \(list.rawValue)")
    }
    return place
  }

  private func page(_ cursor: String?) throws(CirculationError) -> Int {
    guard let cursor else { return 1 }
    guard let number = Int(cursor), number > 1, number < 10_000 else {
      throw failure(.malformedResponse(expected: "a cursor of our own"), .list)
    }
    return number
  }
}
