import Catalog
import Circulation
import FoundationEssentials
import Machine
import Registry
import Setup

// What can be had now, asked of the libraries themselves: a page of titles at a time, each library
// for itself, and none waited for longer than a reader would.

extension Visit {
  /// A page of works, each with its ways, with what the libraries say now where that was not asked
  /// lately. A library that is late or down keeps what was known of it.
  func refreshed(_ page: [[Offers.Way]]) async -> [[Offers.Way]] {
    let settings = house.configuration.catalog
    let now = Double(house.time.now().millisecondsSinceEpoch) / 1000
    let oldest = Date(timeIntervalSince1970: now - settings.askAfter / .seconds(1))
    let asking = Asking.all(for: page.joined()) { $0.map { $0.asOf <= oldest } ?? true }
    let answers = await answers(to: asking, within: settings.patience)
    return page.map { $0.map { $0.told(by: answers) } }
  }

  /// The ways to one work, with what each library says now.
  func asked(_ ways: [Offers.Way]) async -> [Offers.Way] {
    let answers = await answers(to: Asking.all(for: ways) { _ in true }, within: nil)
    return ways.map { $0.told(by: answers) }
  }

  private func answers(to asking: [Asking], within patience: Duration?) async
    -> [LibraryID: [ItemID: Availability]]
  {
    let answers = await concurrently(asking) { one in
      await self.answers(to: one, call(patience))
    }
    return Dictionary(zip(asking.map(\.account.library), answers)) { _, last in last }
  }

  private func answers(to asking: Asking, _ call: Call) async -> [ItemID: Availability] {
    guard let provider = try? await provider(of: asking.account, call) else { return [:] }
    let items = asking.items(inBatchesOf: provider.describe().availabilityBatch)
    guard let answers = try? await provider.availability(of: items, in: call) else { return [:] }
    try? await house.catalog.note(answers, at: asking.account.library)
    return answers
  }
}

/// What one library is asked about a page of titles.
struct Asking: Sendable {
  /// One of the cards there, best one that the library took: all see the same copies.
  let account: Account
  /// What nobody ever asked for first, then what was asked longest ago.
  let items: [ItemID]

  /// One for each library that has something to tell.
  static func all(
    for ways: some Sequence<Offers.Way>, where isDue: (Availability?) -> Bool
  ) -> [Asking] {
    var accounts: [LibraryID: Account] = [:]
    var due: [LibraryID: [(item: ItemID, asOf: Date)]] = [:]
    for way in ways where way.availability?.status != .openAccess && isDue(way.availability) {
      let library = way.account.library
      if accounts[library]?.status != .linked { accounts[library] = way.account }
      due[library, default: []].append(
        (way.listed.edition.item, way.availability?.asOf ?? .distantPast))
    }
    return accounts.values.sorted { $0.library < $1.library }.map { account in
      let items = (due[account.library] ?? []).sorted { $0.asOf < $1.asOf }.map(\.item)
      return Asking(account: account, items: items.distinct)
    }
  }

  /// As many as two requests can name; a page rarely has more, and what is left out keeps what was
  /// known of it.
  func items(inBatchesOf size: Int) -> [ItemID] {
    Array(items.prefix(2 * min(max(size, 1), 1000)))
  }
}

extension Offers.Way {
  fileprivate func told(by answers: [LibraryID: [ItemID: Availability]]) -> Offers.Way {
    guard let answer = answers[account.library]?[listed.edition.item] else { return self }
    var way = self
    way.availability = answer
    return way
  }
}
