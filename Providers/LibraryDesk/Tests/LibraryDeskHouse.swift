import Circulation
import Conformance
import LibraryDeskMock
import MockKit

@testable import LibraryDesk

extension House {
  /// A town whose desk is one system: it proves cards, lists titles and keeps holds.
  static let libraryDesk = {
    var house = House(
      LibraryDeskProvider.listing, playedBy: LibraryDeskDialect.dialect,
      mockLibrary: "bridgeport", openFormats: [], endpoints: ["koha"],
      settings: ["koha_client_id": "client_id"], secrets: ["koha_client_secret": "client_secret"],
      always: ["sign_in": "koha", "titles": "koha", "holds": "koha", "fine_limit": "10.00"])
    house.titleID = { String(2000 + $0) }
    house.item = { ItemID("title-\($0)") }
    house.medium = "book"
    house.batch = 20
    house.branch = "CPL"
    house.secrets = ["bridgeport-api-secret"]
    // A block keeps nobody from their loans.
    house.turnsAway = [.wrongPIN]
    house.holdsBack = [.expiredCard, .blockedCard]
    return house
  }()
}
