import Circulation
import Conformance
import HTTP
import OPDSMock
import ProviderKit

@testable import OPDSLibrary

extension House {
  /// A library that speaks OPDS 1.2 and asks for card and PIN with every request.
  static let atom = lender("lantern")
  /// One that speaks OPDS 2.0 and gives tokens for them.
  static let json = lender("beacon")

  private static func lender(_ name: String) -> House {
    var house = House(
      OPDSLibraryProvider.listing, playedBy: OPDSDialect.dialect, mockLibrary: name,
      openFormats: ["epub"], endpoints: ["catalog"])
    house.item = { title, _ in
      ItemID("works/URI/\(PercentCoding.encode(segment: "urn:uuid:\(title)"))")
    }
    // A page has fifty.
    house.severalPages = 130
    house.leavingAfterLook = "revoke"
    return house
  }
}
