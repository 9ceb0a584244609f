import CloudLibraryMock
import Conformance
import MockKit

@testable import CloudLibrary

extension House {
  /// A city library whose readers have cards and PINs, and which lets loans be returned to be
  /// borrowed anew.
  static let cloudLibrary = {
    var house = House(
      CloudLibraryProvider.listing, playedBy: CloudLibraryDialect.dialect, mockLibrary: "qs7tmf",
      openFormats: [], endpoints: ["partner"],
      settings: ["library_id": "library_id", "account_id": "account_id"],
      secrets: ["account_key": "account_key"], always: ["renew_by_return": "true"])
    // A page has fifty.
    house.severalPages = 130
    house.secrets = ["quayside-mock-key"]
    return house
  }()
}
