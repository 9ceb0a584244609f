import Circulation
import FoundationEssentials
import MockKit
import Testing

/// All pages of a harvest, one after the other.
struct Harvest: Sendable {
  var pages: [HarvestPage] = []
  var next: HarvestCursor?

  var items: [ItemID] { pages.flatMap(\.editions).map(\.item) }
}

extension Premises {
  func harvest(
    by desk: any CirculationProvider, from start: HarvestCursor? = nil, mostPages: Int = 50
  ) async throws -> Harvest {
    var harvest = Harvest(next: start)
    for _ in 0..<mostPages {
      let page = try await desk.harvest(from: harvest.next, in: call)
      harvest.pages.append(page)
      switch page.progress {
      case .more(let cursor): harvest.next = cursor
      case .done(let next):
        harvest.next = next
        return harvest
      }
    }
    return harvest
  }

  /// Shelves that fill several pages, with titles of every kind.
  func stock(_ count: Int) throws -> Set<ItemID> {
    let seeded = SeededTitles(seed: 1)
    for number in 1...count {
      _ = try title(number, copies: .counted(2)) { title in
        let pattern = seeded.title(number, addedBefore: title.added)
        (title.name, title.subtitle) = ("\(pattern.name) \(number)", pattern.subtitle)
        (title.authors, title.language) = (pattern.authors, pattern.language)
        (title.subjects, title.summary) = (pattern.subjects, pattern.summary)
        (title.series, title.seriesPosition) = (pattern.series, pattern.seriesPosition)
      }
    }
    return Set((1...count).map { item(id($0)) })
  }
}

extension Promise {
  static let harvesting = [
    Promise("a harvest brings every title exactly once over all its pages", [.harvest]) { visit in
      let all = try visit.stock(visit.house.severalPages)
      let harvest = try await visit.harvest(by: visit.ada)
      #expect(harvest.pages.count > 2)
      #expect(harvest.items.count == all.count)
      #expect(Set(harvest.items) == all)
    },
    Promise("a harvest goes on from its cursor after a restart", [.harvest]) { visit in
      let all = try visit.stock(visit.house.severalPages)
      let begun = try await visit.harvest(by: visit.ada, mostPages: 1)
      let ended = try await visit.harvest(by: visit.afterRestart(.ada), from: begun.next)
      #expect((begun.items + ended.items).count == all.count)
      #expect(Set(begun.items + ended.items) == all)
    },
    Promise("a page of a harvest can be asked for again", [.harvest]) { visit in
      _ = try visit.stock(visit.house.severalPages)
      let begun = try await visit.harvest(by: visit.ada, mostPages: 1)
      let once = try await visit.ada.harvest(from: begun.next, in: visit.call)
      let again = try await visit.ada.harvest(from: begun.next, in: visit.call)
      #expect(once.editions == again.editions)
    },
    Promise("an empty catalogue is harvested to its end", [.harvest]) { visit in
      let harvest = try await visit.harvest(by: visit.ada)
      #expect(harvest.items.isEmpty)
      #expect(harvest.pages.count == 1)
    },
    Promise("a cursor of somebody else's is refused", [.harvest]) { visit in
      _ = try visit.title()
      let reason = try await refusal {
        try await visit.ada.harvest(from: HarvestCursor("17 apples"), in: visit.call)
      }
      #expect(reason?.code == "malformed_response")
    },
    Promise("a later harvest brings what changed, as often as it is asked", [.harvestSince]) {
      visit in
      _ = try visit.stock(20)
      let first = try await visit.harvest(by: visit.ada)
      visit.time.pass(days: 1)
      let added = try visit.title(21) { $0.changed = $0.added + 5 * LendingRules.day }
      try visit.inside { library, now in
        library.setCopies(.counted(9), of: visit.id(7), at: now)
      }
      let changed: Set = [added, visit.item(visit.id(7))]
      let second = try await visit.harvest(by: visit.ada, from: first.next)
      #expect(Set(second.items) == changed)
      let repeated = try await visit.harvest(by: visit.ada, from: first.next)
      #expect(Set(repeated.items) == changed)
      // A look may begin a while before the last one did, but not for ever in the same place.
      visit.time.pass(days: 1)
      let third = try await visit.harvest(by: visit.ada, from: second.next)
      #expect(changed.isSuperset(of: third.items))
      visit.time.pass(days: 1)
      let fourth = try await visit.harvest(by: visit.ada, from: third.next)
      #expect(fourth.items.isEmpty)
    },
    Promise("an edition has title, author, language and format", [.harvest]) { visit in
      let item = try visit.title { $0.language = "fr" }
      let page = try await visit.ada.harvest(from: nil, in: visit.call)
      let edition = try #require(page.editions.first)
      #expect(edition.item == item)
      #expect(edition.title == "The Quillon Ledger 1")
      #expect(edition.authors == ["Marit Ostrander"])
      #expect(edition.languages == ["fr"])
      #expect(!edition.formats.isEmpty)
      #expect(edition.owned != false)
    },
    Promise("no edition has another one's ISBN, nor one with a wrong digit", [.harvest]) { visit in
      _ = try visit.stock(40)
      let harvest = try await visit.harvest(by: visit.ada)
      let right = try visit.inside { library, _ in library.titles }
      for edition in harvest.pages.flatMap(\.editions) {
        let own = right.values.first { visit.item($0.id) == edition.item }?.isbn
        #expect(edition.isbns.allSatisfy { $0.digits == own }, "\(edition.item)")
      }
      #expect(harvest.pages.flatMap(\.editions).contains { !$0.isbns.isEmpty })
    },
  ]
}
