import Circulation
import Items
import Membership
import Registry
import Setup
import TextSafety

extension Doctor {
  /// Libraries whose cards are linked by the number alone, and cards that several patrons linked there.
  func linking(_ house: House) async -> [CheckupItem] {
    let unproven = house.enrollment.unproven
    guard !unproven.isEmpty else { return [] }
    var found = unproven.filter(\.facts.patronsLink).map { library in
      CheckupItem(
        "linking", library.id.rawValue, .warn,
        "\(library.name) proves no PIN: a patron can link the card of another person by its number, "
          + "unless a patron linked it before, and then sees its loans and holds and can act on them. "
          + "With libraries.\(library.id.rawValue).patrons_link: false only the operator links cards there.",
        try: "carrel config edit")
    }
    guard await house.vaultTrouble() == nil else { return found }
    do throws(RegistryError) {
      let shared = try await house.registry.sharedCards(
        at: unproven.map(\.id), request: House.requestID())
      found += shared.map { card in
        CheckupItem(
          "linking", card.library.rawValue, .warn,
          "One card of \(card.library.rawValue) is linked by \(card.patrons.joined(separator: " and ")), "
            + "and the library proved to none of them that it is theirs.",
          try: "carrel unlink NAME --as PATRON")
      }
    } catch {
      found.append(
        CheckupItem("linking", .fail, "It cannot be looked up who shares a card: \(error)."))
    }
    return found
  }
}
