import Conformance
import HathiTrustMock
import MockKit

@testable import HathiTrust

extension House {
  /// There are no readers, and no files: what is open is read at a page.
  static let hathiTrust = {
    var house = House(
      HathiTrustProvider.listing, playedBy: HathiTrustDialect.dialect, mockLibrary: "demo",
      openFormats: [], endpoints: ["catalog"], always: ["country": "us"])
    house.credentials = { _, _ in [:] }
    house.titleID = { number in
      let digits = String(number)
      return String(repeating: "0", count: 9 - digits.count) + digits
    }
    house.batch = 20
    house.turnsAway = []
    return house
  }()
}
