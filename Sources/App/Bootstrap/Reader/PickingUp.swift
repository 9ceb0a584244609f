import Catalog
import Circulation
import Desk
import Items
import Registry
import Setup

// Copies on paper: where they stand, and where one waits for its reader.

extension House {
  var paper: PaperRule { configuration.catalog.paper == .always ? .always : .otherwise }
}

extension Visit {
  /// The branch that was named, or the only one. Nil for what is no paper.
  func pickup(_ way: Offers.Way, at name: String?) async throws(ErrorItem) -> BranchID? {
    guard way.listed.edition.isPaper else { return nil }
    let places = try await copies(of: way).pickups
    guard let name else {
      if let only = places.first, places.count == 1 { return only.id }
      throw branchNeeded(way, places, "")
    }
    let exact = places.first { $0.id.rawValue == name }
    let folded = name.lowercased()
    let named = places.filter { $0.name.lowercased() == folded }
    let begun = places.filter { $0.name.lowercased().hasPrefix(folded) }
    if let exact { return exact.id }
    for few in [named, begun] where few.count == 1 { return few[0].id }
    throw branchNeeded(way, places, name)
  }

  func copies(of way: Offers.Way) async throws(ErrorItem) -> CopyList {
    do throws(DeskError) {
      return try await house.desk.copies(
        of: way.listed.edition.item, on: way.account.id, in: call())
    } catch {
      throw ErrorItem(error).about(way.account, in: house, title: way.listed.edition.title)
    }
  }

  /// A library that does not tell it in time is left without.
  func tellCopies(of ways: [Offers.Way], in work: inout WorkItem) async {
    for index in work.offers.indices where work.offers[index].terms == "physical" {
      let offer = work.offers[index]
      let way = ways.first {
        $0.account.name == offer.account && $0.listed.edition.item.rawValue == offer.item
      }
      guard let way, let list = try? await copies(of: way) else { continue }
      work.offers[index].take(list)
    }
  }

  private func branchNeeded(
    _ way: Offers.Way, _ places: [Branch], _ name: String
  ) -> ErrorItem {
    var error = ErrorItem("branch_needed")
    error.title = way.listed.edition.title
    error.library = house.counter.name(of: way.account.library)
    error.detail = name
    error.choices = places.map { "\($0.id)  \($0.name)" }
    return error
  }

  /// For whoever wants to borrow what has to be fetched.
  func onPaper(_ way: Offers.Way) -> ErrorItem {
    var error = ErrorItem("on_paper")
    error.title = way.listed.edition.title
    error.library = house.counter.name(of: way.account.library)
    error.detail = "\(way.account.name):\(way.listed.edition.item)"
    return error
  }
}

extension OfferItem {
  /// Where its copies stand, as far as the library tells it in time.
  mutating func take(_ list: CopyList) {
    copies = list.copies.map { copy in
      CopyItem(
        branch: copy.branch?.id.rawValue, branchName: copy.branch?.name, place: copy.place,
        callNumber: copy.callNumber, state: copy.state.rawValue, due: copy.due?.rfc3339)
    }
    pickups = list.pickups.map { branch in
      BranchItem(
        id: branch.id.rawValue, name: branch.name, address: branch.address,
        onShelf: list.onShelf(at: branch.id))
    }
  }
}
