import Catalog
import Circulation
import Registry
import Wishes

/// All wishes with the ways to them: which libraries have what for whom.
struct WishScene: Sendable {
  /// A library that has some of what is wished for.
  struct Stand: Sendable {
    /// One of the cards there, best one that the library took: all see the same copies.
    let account: Account
    let watch: LibraryWatch
    let interval: Int64
    let canBeAsked: Bool
  }

  let stands: [Stand]
  private let wishes: [(wish: Wish, ways: [Sighting])]

  private struct Stock {
    var account: Account
    var wishes = 0
    var items: [ItemID: Int64?] = [:]
  }

  private struct Shop: Hashable {
    let library: LibraryID
    let provider: ProviderID
  }

  init(
    _ wishes: [Wish], _ sightings: [Sighting], _ readers: [(Patron, [Account])], _ house: House
  ) {
    let byWork = Dictionary(grouping: sightings, by: \.work)
    var cards: [PatronID: [Shop: Account]] = [:]
    for (patron, accounts) in readers {
      cards[patron.id] = Dictionary(
        accounts.map { (Shop(library: $0.library, provider: $0.provider), $0) },
        uniquingKeysWith: { $0.status == .linked ? $0 : $1 })
    }
    var stock: [LibraryID: Stock] = [:]
    self.wishes = wishes.map { wish in
      let mine = cards[wish.patron] ?? [:]
      let ways = wish.match.work.flatMap { byWork[$0] } ?? []
      let open = ways.filter { mine[Shop(library: $0.library, provider: $0.provider)] != nil }
      var met: Set<LibraryID> = []
      for way in open where way.availability?.status != .openAccess {
        guard let card = mine[Shop(library: way.library, provider: way.provider)] else { continue }
        var kept = stock[way.library] ?? Stock(account: card)
        if kept.account.status != .linked { kept.account = card }
        if met.insert(way.library).inserted { kept.wishes += 1 }
        kept.items[way.item] = .some(way.availability?.asOf.milliseconds)
        stock[way.library] = kept
      }
      return (wish, open)
    }
    stands = stock.sorted { $0.key < $1.key }.map { library, kept in
      let batch = house.batch(at: kept.account)
      let watch = LibraryWatch(library, wishes: kept.wishes, items: kept.items, batch: batch)
      return Stand(
        account: kept.account, watch: watch, interval: watch.interval(house.asking),
        canBeAsked: house.can(.availability, kept.account))
    }
  }

  /// What each wish has come to.
  func watches(settle: Int64) -> [(wish: Wish, watch: Watch)] {
    let intervals = Dictionary(
      stands.map { ($0.watch.library, $0.canBeAsked ? $0.interval : .max) },
      uniquingKeysWith: { first, _ in first })
    return wishes.compactMap { wish, ways in
      let heard = ways.map {
        Sight.Way($0.availability, interval: intervals[$0.library] ?? .max)
      }
      guard let sight = Sight(heard, settle: settle) else { return nil }
      return (wish, wish.watch.after(sight, settle: settle))
    }
  }
}

extension House {
  /// How many items one question to this library may name.
  fileprivate func batch(at account: Account) -> Int {
    do throws(HouseError) {
      return try counter.provider(at: account.library, with: nil).describe().availabilityBatch
    } catch {
      // A library that is not configured any more is asked nothing.
      return 1
    }
  }
}
