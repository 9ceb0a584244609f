import ProviderKit

extension Settings {
  /// What the settings of a library say, and the service's own addresses (§1). The hosts of OAuth are
  /// the same for both: the key decides what may be touched.
  static let needs = LibraryNeeds(
    settings: [
      .init("library_id", "The library's number at OverDrive", isSecret: false),
      .init("client_key", "The key that OverDrive gave you", isSecret: true),
      .init("client_secret", "The secret that goes with it", isSecret: true),
      .init("website_id", "The number of the library's website", isSecret: false),
      .init(
        "authorization_name", "The name of the system that checks the card", isSecret: false),
      .init(
        "pin_required", "false where cards have no PIN", isSecret: false, isRequired: false),
      .init(
        "advantage_id", "The number of an Advantage account", isSecret: false, isRequired: false),
      .init(
        "sign_in", "page where readers sign in at OverDrive", isSecret: false, isRequired: false),
      .init(
        "redirect_port", "The port of the registered way back", isSecret: false,
        isRequired: false),
    ],
    environments: [
      "production": [
        "discovery": "https://api.overdrive.com", "patron": "https://patron.api.overdrive.com",
        "oauth": "https://oauth.overdrive.com",
        "patron_oauth": "https://oauth-patron.overdrive.com",
      ],
      "integration": [
        "discovery": "https://integration.api.overdrive.com",
        "patron": "https://integration-patron.api.overdrive.com",
        "oauth": "https://oauth.overdrive.com",
        "patron_oauth": "https://oauth-patron.overdrive.com",
      ],
    ])
}
