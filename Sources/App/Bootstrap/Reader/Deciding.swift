import Catalog
import Circulation
import Database
import FoundationEssentials
package import Items
import Registry
package import Setup

extension LinkedEngine {
  package func decide(_ order: WorkOrder, at seat: Seat) async throws(ErrorItem) -> DecisionItem {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let catalog = visit.house.catalog
      try await toldOfDatabase { () throws(DatabaseError) in try await catalog.matchWaiting() }
      switch order {
      case .join(let one, let two):
        let finding = Finding(visit, offers)
        let (first, second) = (try await finding.whole(one), try await finding.whole(two))
        let ruling = try await toldOfDatabase { () throws(DatabaseError) in
          try await catalog.join(first.work, second.work)
        }
        guard let ruling else { throw Self.nothing("'\(one)' and '\(two)' are one work already") }
        return try await visit.told(ruling, offers.accounts, as: first.work)
      case .split(let titles):
        var names: [ItemName] = []
        for title in titles { names.append(try await Self.name(title, visit, offers)) }
        let ruling = try await toldOfDatabase { () throws(DatabaseError) in
          try await catalog.split(names)
        }
        guard let ruling else {
          throw Self.nothing("they are not some of the editions of one work")
        }
        return try await visit.told(ruling, offers.accounts)
      case .undo(let number):
        let ruling = try await toldOfDatabase { () throws(DatabaseError) in
          try await catalog.undo(number.map(Int64.init))
        }
        guard let ruling else { throw Self.nothing("there is no such decision") }
        return try await visit.told(ruling, offers.accounts)
      }
    }
  }

  package func decisions(at seat: Seat) async throws(ErrorItem) -> [DecisionItem] {
    try await visit(seat) { visit throws(ErrorItem) in
      let accounts = try await visit.accounts()
      let rulings = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.catalog.rulings()
      }
      var items: [DecisionItem] = []
      for ruling in rulings { items.append(try await visit.told(ruling, accounts)) }
      return items
    }
  }

  private static func nothing(_ why: String) -> ErrorItem {
    var error = ErrorItem("nothing_to_decide")
    error.detail = why
    return error
  }

  /// One edition: a split takes editions out of a work, so that a work is no answer.
  private static func name(
    _ title: String, _ visit: Visit, _ offers: Offers
  ) async throws(ErrorItem) -> ItemName {
    let found = try await Finding(visit, offers).one(title)
    if found.account != nil || found.entry.editions.count == 1 {
      let listed = found.entry.editions[0]
      return ItemName(listed.library, listed.edition.item)
    }
    let names = Names(offers.accounts)
    var error = ErrorItem("several_matches")
    error.detail = title
    error.choices = found.entry.editions.prefix(10).map { listed in
      names.text(ItemName(listed.library, listed.edition.item)) + "  \(listed.edition.title)"
    }
    throw error
  }
}

extension Visit {
  /// A decision with the work that its first edition is in now.
  fileprivate func told(
    _ ruling: Ruling, _ accounts: [Account], as work: WorkID? = nil
  ) async throws(ErrorItem) -> DecisionItem {
    var item = DecisionItem(ruling, Names(accounts))
    guard let first = ruling.one.first else { return item }
    let entry = try await toldOfDatabase { () throws(DatabaseError) in
      try await house.catalog.edition(ItemID(first.item), at: LibraryID(first.library))
    }
    item.work = entry?.work.rawValue
    item.title = entry?.editions[0].edition.title
    return item
  }
}

extension DecisionItem {
  init(_ ruling: Ruling, _ names: Names) {
    self.init(
      number: Int(ruling.id), kind: ruling.kind.rawValue,
      made: Date(milliseconds: ruling.made).rfc3339,
      one: ruling.one.map(names.text), two: ruling.two.map(names.text))
  }
}
