import ProviderKit

extension Settings {
  /// What the settings of a library say, and the service's own addresses (§1).
  static let needs = LibraryNeeds(
    settings: [
      .init("library_id", "The library's prefix at the vendor", isSecret: false),
      .init("username", "The user name that the vendor gave you", isSecret: true),
      .init("password", "The password that goes with it", isSecret: true),
    ],
    environments: [
      "production": ["api": "https://axis360api.baker-taylor.com/Services/VendorAPI/"],
      "qa": ["api": "https://axis360apiqa.baker-taylor.com/Services/VendorAPI/"],
    ])
}
