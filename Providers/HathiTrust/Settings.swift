import Circulation
import HTTP
import ProviderKit

/// What this adapter needs to know, checked once.
struct Settings: Sendable {
  let catalog: Address
  let country: Country

  init(_ library: Library) throws(SettingsFault) {
    catalog = try library.endpoint("catalog")
    guard let country = Country(library.settings["country"]) else {
      throw SettingsFault(library.id, "country", "is not two letters")
    }
    self.country = country
  }

  static let needs = LibraryNeeds(
    settings: [
      .init(
        "country", "The country you read in, as two letters", isSecret: false, isRequired: false)
    ],
    environments: ["production": ["catalog": "https://catalog.hathitrust.org"]])
}

/// Where the reader is. Rights end at borders, so without a word only what is open everywhere is
/// offered (§2).
enum Country: Sendable, Hashable {
  case unitedStates, elsewhere, untold

  /// Nil for what is no country.
  init?(_ code: String?) {
    guard let code, !code.isEmpty else {
      self = .untold
      return
    }
    guard code.utf8.count == 2,
      code.utf8.allSatisfy({ ("a"..."z").contains(Character(.init($0 | 0x20))) })
    else { return nil }
    self = code.uppercased() == "US" ? .unitedStates : .elsewhere
  }
}
