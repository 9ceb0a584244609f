import Books
import Catalog
import Circulation
import Database
import Desk
import Downloads
import Facade
import FrontDesk
import Machine
import ReadingLists
import Registry
import Setup
import Web

extension House {
  /// The catalogue of this house for reading apps.
  func facade() async throws(DatabaseError) -> Facade {
    let settings = FacadeSettings(
      title: configuration.opds.title, isPublic: configuration.opds.isPublic,
      key: try await GatewayKey.key(in: store), memory: configuration.opds.memory)
    return Facade(stock, settings)
  }

  /// The pages for readers, over the same stock and the same watch as the feeds.
  func lobby(beside facade: Facade) -> Lobby {
    Lobby(
      facade.stock, lending, registry: registry, books: books, watch: facade.watch,
      signer: facade.signer,
      fetching: FetchDesk(
        queue: storeroom.queue, files: storeroom.files,
        followed: { accounts, patron throws(DatabaseError) in
          try await self.followed(accounts, of: patron)
        }),
      reading: ReadingStock(
        files: storeroom.files, queue: storeroom.queue, annotations: annotations,
        positions: positions, tastes: tastes),
      LobbySettings(
        title: configuration.opds.title, isPublic: configuration.opds.isPublic,
        memory: configuration.opds.memory / 4))
  }

  private var stock: Stock {
    let (registry, desk, counter, books) = (registry, desk, counter, books)
    let queue = storeroom.queue
    let porter = Porter(doorkeeper)
    return Stock(
      catalog: catalog, covers: covers, lanes: configuration.lanes.shown,
      libraries: counter.libraries.map { LibraryID($0.id) }.distinct.sorted(),
      nameOfLibrary: { counter.name(of: $0) }, clock: { counter.wallClock(of: $0) },
      admit: { await porter.admit($0) },
      shelf: { patron throws(StockError) in
        try await Self.shelf(patron, registry, desk, books, queue)
      },
      silent: { () throws(StockError) in try await Self.silent(registry, desk) },
      curated: { [lists] reader throws(StockError) in
        do throws(ListError) { return try await lists.curated(for: reader) } catch {
          throw StockError("the lists of librarians cannot be read")
        }
      },
      now: { [time] in time.now().millisecondsSinceEpoch })
  }

  /// From what is kept here: no library is asked.
  private static func shelf(
    _ patron: PatronID, _ registry: Registry, _ desk: Desk, _ books: MyBooks,
    _ queue: DownloadQueue
  ) async throws(StockError) -> ReaderShelf {
    let accounts: [Account]
    do throws(RegistryError) { accounts = try await registry.accounts(of: patron) } catch {
      throw StockError("the reader's cards cannot be read")
    }
    let ids = accounts.map(\.id)
    let marked: [KeptBook]
    let tickets: [Ticket]
    do throws(DatabaseError) {
      marked = try await books.marked(by: patron)
      tickets = try await queue.tickets(of: patron)
    } catch {
      throw StockError("the reader's books cannot be read")
    }
    do throws(DeskError) {
      let stale = try await desk.freshness(of: ids).filter { $0.trouble != nil }.map(\.account)
      return ReaderShelf(
        accounts: accounts, loans: await desk.withKeys(try await desk.loans(of: ids)),
        holds: try await desk.holds(of: ids), stale: Set(stale),
        hidden: marked.filter(\.isIgnored).map(\.listed),
        saved: marked.filter { $0.state == .saved }.map(\.listed),
        downloads: Dictionary(
          tickets.map { (CatalogItem(library: $0.wish.library, item: $0.wish.item), $0.words) },
          uniquingKeysWith: { first, _ in first }))
    } catch {
      throw StockError("the reader's shelf cannot be read")
    }
  }

  /// Libraries whose last word to anybody was none.
  private static func silent(
    _ registry: Registry, _ desk: Desk
  ) async throws(StockError) -> Set<LibraryID> {
    let tries: [Freshness]
    do throws(DeskError) { tries = try await desk.lastSilence() } catch {
      throw StockError("the desk's notes cannot be read")
    }
    let libraries: [AccountID: LibraryID]
    do throws(RegistryError) {
      libraries = try await registry.libraries(of: tries.map(\.account).distinct)
    } catch {
      throw StockError("the readers' cards cannot be read")
    }
    var last: [LibraryID: Freshness] = [:]
    for one in tries {
      // A card that was given up meanwhile says nothing.
      guard let library = libraries[one.account] else { continue }
      if last[library].map({ $0.triedAt < one.triedAt }) ?? true { last[library] = one }
    }
    return Set(last.filter { $0.value.trouble != nil }.keys)
  }
}

extension KeptBook {
  fileprivate var listed: CatalogItem { CatalogItem(library: key.library, item: key.item) }
}

extension Ticket {
  /// For a feed, which has no bar to fill.
  fileprivate var words: String {
    switch state {
    case .queued: return "Waits to be downloaded."
    case .running:
      guard let total, total > 0 else { return "It is being downloaded." }
      return "It is being downloaded: \(min(100, received * 100 / total)) %."
    case .paused: return "The download rests."
    case .failed: return "The download failed."
    case .done: return "It is downloaded."
    }
  }
}
