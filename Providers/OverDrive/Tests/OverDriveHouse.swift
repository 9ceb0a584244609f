import Conformance
import OverDriveMock

@testable import OverDrive

extension House {
  /// A consortium whose readers have cards and PINs; one address plays all four of its hosts.
  static let overDrive = {
    var house = House(
      OverDriveProvider.listing, playedBy: OverDriveDialect.dialect, mockLibrary: "4225",
      openFormats: ["ebook-overdrive", "ebook-epub-open"],
      endpoints: ["discovery", "patron", "oauth", "patron_oauth"],
      settings: [
        "library_id": "library_id", "website_id": "website_id", "authorization_name": "ils_name",
      ],
      secrets: ["client_key": "client_key", "client_secret": "client_secret"])
    // A page has three hundred.
    house.severalPages = 650
    house.secrets = ["mock-secret"]
    return house
  }()
}
