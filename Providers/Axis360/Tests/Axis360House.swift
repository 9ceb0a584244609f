import Axis360Mock
import Conformance
import MockKit
import Secrets

@testable import Axis360

extension House {
  /// A library whose readers have cards, and leave an address for notices when they link one.
  static let axis360 = {
    var house = House(
      Axis360Provider.listing, playedBy: Axis360Dialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["api"], settings: ["library_id": "library_id"],
      secrets: ["username": "username", "password": "password"])
    house.credentials = { card, _ in
      ["card": Secret(card), "email": Secret("reader@example.org")]
    }
    house.titleID = { number in
      let digits = String(number)
      return String(repeating: "0", count: 10 - digits.count) + digits
    }
    house.batch = 125
    // A page has five hundred.
    house.severalPages = 1050
    house.secrets = ["mock-vendor-secret"]
    house.turnsAway = []
    house.commandsByGet = ["checkIn", "addToHold", "removeHold", "suspendHold", "activateHold"]
    return house
  }()
}
