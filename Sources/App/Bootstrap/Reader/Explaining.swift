import Catalog
import Circulation
import Database
package import Items
import Matching
import Registry
package import Setup

extension LinkedEngine {
  package func explain(_ title: String, at seat: Seat)
    async throws(ErrorItem) -> ExplanationItem
  {
    try await visit(seat) { visit throws(ErrorItem) in
      let offers = try await Offers(visit)
      let entry = try await Finding(visit, offers).whole(title)
      let watching = try await offers.watching([entry])
      var item = ExplanationItem(work: watching.work(entry))
      let told = try await toldOfDatabase { () throws(DatabaseError) in
        try await visit.house.catalog.matchWaiting()
        return try await visit.house.catalog.explain(entry.work)
      }
      // An item that was never harvested is a work of nobody's.
      guard let told else { return item }
      let names = Names(offers.accounts)
      item.editions = told.members.map { EditionItem($0, names) }
      item.near = told.near.map { NearItem($0, names) }
      item.decisions = told.rulings.map { DecisionItem($0, names) }
      return item
    }
  }
}

/// Editions by the names that a reader can type.
struct Names {
  private let accounts: [Account]

  init(_ accounts: [Account]) { self.accounts = accounts }

  func text(_ name: ItemName) -> String {
    let account = accounts.first { $0.library.rawValue == name.library }
    return "\(account?.name ?? name.library):\(name.item)"
  }
}

extension EditionItem {
  fileprivate init(_ name: ItemName, _ edition: Edition, _ names: Names) {
    self.init(
      id: names.text(name), library: name.library, title: edition.title,
      medium: edition.medium.rawValue)
    authors = edition.authors
    languages = edition.languages
  }

  fileprivate init(_ member: WorkExplanation.Member, _ names: Names) {
    self.init(member.name, member.edition, names)
    switch member.because {
    case .first: because = "first"
    case .same(let other, let verdict):
      because = "same"
      like = names.text(other)
      score = verdict.score
      why = verdict.why
    case .ruling(let ruling):
      because = "decision"
      why = ["decision \(ruling.id) of a reader joined them"]
    }
  }
}

extension NearItem {
  fileprivate init(_ near: WorkExplanation.Near, _ names: Names) {
    var edition = EditionItem(near.name, near.edition, names)
    edition.because = near.verdict.verdict.rawValue
    edition.like = names.text(near.to)
    edition.score = near.verdict.score
    edition.why = near.verdict.why
    self.init(edition: edition, work: near.work.rawValue)
    against = near.against.map { names.text($0.name) }
    contradiction = near.against?.why
  }
}
