import Conformance
import GoogleBooksMock
import MockKit
import Secrets

@testable import GoogleBooks

extension House {
  /// Readers have granted access long ago.
  static let googleBooks = {
    var house = House(
      GoogleBooksProvider.listing, playedBy: GoogleBooksDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["api", "authorize", "token"],
      secrets: ["client_id": "client_id", "client_secret": "client_secret"])
    house.credentials = { card, pin in
      ["refresh_token": Secret(Furnishing.refreshToken(card: card, pin: pin))]
    }
    house.titleID = { number in
      let digits = String(number)
      return "vol_-" + String(repeating: "0", count: 7 - digits.count) + digits
    }
    house.secrets = [Furnishing.secret]
    house.lists = ListNames(here: "4", there: "2", severalPages: 95)
    return house
  }()
}
