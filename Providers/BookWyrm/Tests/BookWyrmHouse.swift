import BookWyrmMock
import Circulation
import Conformance
import MockKit
import Secrets

@testable import BookWyrm

extension House {
  /// At an instance that the settings name, so that a reader's name is enough.
  static let bookWyrm = {
    var house = House(
      BookWyrmProvider.listing, playedBy: BookWyrmDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["instance"])
    house.credentials = { card, _ in ["profile": Secret(Furnishing.user(of: card))] }
    house.titleID = { Furnishing.edition(50_000 + $0) }
    house.item = { title, base in ItemID("\(base)/bookwyrm/book/\(title)") }
    // Fifteen a page.
    house.lists.severalPages = 40
    // Nobody signs in.
    house.turnsAway = []
    return house
  }()
}
