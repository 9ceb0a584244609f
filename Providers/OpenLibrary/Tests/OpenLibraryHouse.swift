import Conformance
import MockKit
import OpenLibraryMock
import Secrets

@testable import OpenLibrary

extension House {
  /// Readers sign in with keys. The shelf that books stand on is not the one that ratings lead to.
  static let openLibrary = {
    var house = House(
      OpenLibraryProvider.listing, playedBy: OpenLibraryDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["api"], settings: ["contact": "contact"])
    house.credentials = { card, pin in ["access": Secret(card), "secret": Secret(pin)] }
    house.titleID = { number in "OL\(number)W" }
    house.batch = 50
    house.turnsAway = [.wrongPIN]
    house.lists = ListNames(here: "want-to-read", there: "already-read", severalPages: 250)
    return house
  }()
}
