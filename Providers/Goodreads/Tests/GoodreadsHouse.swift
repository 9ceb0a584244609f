import Conformance
import GoodreadsMock
import MockKit
import Secrets

@testable import Goodreads

extension House {
  /// With a developer key, and readers who granted access: the mock knows a token of each card's.
  static let goodreads = {
    var house = House(
      GoodreadsProvider.listing, playedBy: GoodreadsDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["api"], secrets: ["key": "key", "secret": "secret"])
    house.credentials = { card, pin in
      [
        "token": Secret(card), "token_secret": Secret(pin),
        "user_id": Secret(Furnishing.userID(of: card)),
      ]
    }
    house.titleID = { String(700_000 + $0 * 2 + 1) }
    house.secrets = [Furnishing.secret, Furnishing.key]
    return house
  }()

  /// Without any key: what a profile shows to everybody.
  static let goodreadsFeed = {
    var house = House(
      GoodreadsFeedProvider.listing, playedBy: GoodreadsDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["feeds"])
    house.credentials = { card, _ in
      [
        "profile": Secret(
          "https://www.goodreads.com/user/show/\(Furnishing.userID(of: card))-reader")
      ]
    }
    house.titleID = { String(700_000 + $0 * 2 + 1) }
    house.turnsAway = []
    return house
  }()
}
