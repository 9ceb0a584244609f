import Conformance
import GutenbergMock
import MockKit

@testable import Gutenberg

extension House {
  /// Everything for everybody: no cards, no copies to be counted, and files that are just handed
  /// out.
  static let gutenberg = {
    var house = House(
      GutenbergProvider.listing, playedBy: GutenbergDialect.dialect, mockLibrary: "gutenberg",
      openFormats: ["epub", "txt"], endpoints: ["feeds", "mirror", "site"],
      always: ["page_records": "20"])
    house.credentials = { _, _ in [:] }
    house.titleID = { String($0) }
    house.batch = 1000
    house.severalPages = 50
    house.turnsAway = []
    return house
  }()
}
