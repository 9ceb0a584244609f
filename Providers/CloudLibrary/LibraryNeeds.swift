import ProviderKit

extension Settings {
  /// What the settings of a library say, and the service's one address (§1).
  static let needs = LibraryNeeds(
    settings: [
      .init("library_id", "The library's short id at cloudLibrary", isSecret: false),
      .init("account_id", "The account that cloudLibrary gave you", isSecret: false),
      .init("account_key", "The key that goes with it", isSecret: true),
      .init(
        "pin_required", "false where cards have no PIN", isSecret: false, isRequired: false),
      .init(
        "renew_by_return", "true where a loan may be returned to be borrowed anew", isSecret: false,
        isRequired: false),
    ],
    environments: ["production": ["partner": "https://partner.yourcloudlibrary.com"]])
}
