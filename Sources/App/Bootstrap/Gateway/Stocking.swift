import Adobe
import Books
import Catalog
import Circulation
import Database
import Desk
import Downloads
import Facade
import FrontDesk
import Items
import Machine
import Membership
import Profiles
import ReadingLists
import Registry
import Setup
import Vault
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
    let (door, seat) = (door, seat)
    var lobby = Lobby(
      facade.stock, lending, registry: registry, books: books, watch: facade.watch,
      signer: facade.signer,
      fetching: FetchDesk(
        queue: storeroom.queue, files: storeroom.files,
        followed: { accounts, patron throws(DatabaseError) in
          try await self.followed(accounts, of: patron)
        }),
      pictures: pictures,
      reading: ReadingStock(
        files: storeroom.files, queue: storeroom.queue, annotations: annotations,
        positions: positions, tastes: tastes, licenses: licenses,
        media: UnpackedMedia(in: passage),
        ticketKey: { () throws(VaultError) in
          try await Self.vault(door, seat).subkey(PartTicket.keyLabel)
        }),
      LobbySettings(
        title: configuration.opds.title, isPublic: configuration.opds.isPublic,
        memory: configuration.opds.memory / 4,
        wantsCodes: configuration.office.codes == .demanded),
      own: own)
    lobby.office = backOffice
    return lobby
  }

  private var stock: Stock {
    let counter = counter
    let shelves = ShelfStock(
      store: store, registry: registry, desk: desk, profiles: profiles,
      paper: paper,
      // Without it the book is there all the same, for who has an Adobe ID already.
      licensor: { [adobe] in try? await adobe?.licensor(of: $0, at: $1) })
    let porter = Porter(doorkeeper)
    var stock = Stock(
      catalog: catalog, covers: covers, lanes: configuration.lanes.shown,
      libraries: counter.libraries.map { LibraryID($0.id) }.distinct.sorted(),
      nameOfLibrary: { counter.name(of: $0) }, clock: { counter.wallClock(of: $0) },
      admit: { await porter.admit($0) },
      shelf: { patron throws(StockError) in try await shelves.shelf(of: patron) },
      silent: { () throws(StockError) in try await shelves.silent() },
      curated: { [lists] reader throws(StockError) in
        do throws(ListError) { return try await lists.curated(for: reader) } catch {
          throw StockError("the lists of librarians cannot be read")
        }
      },
      lookUp: { entry, accounts in
        await self.lookUp([entry], by: accounts) { limit in
          self.call(accounts.first?.patron, limit: limit)
        }
      },
      now: { [time] in time.now().millisecondsSinceEpoch })
    stock.rack = rack
    stock.signInLibraries = enrollment.houses.signingIn.map(\.id).sorted()
    stock.outlooks = { accounts, face in
      self.outlooks(accounts, on: face).map {
        LibraryPage(library: $0.library, address: $0.address)
      }
    }
    stock.seek = { words, accounts in
      await self.seek(words, by: accounts) { limit in
        self.call(accounts.first?.patron, limit: limit)
      }
    }
    return stock
  }
}
