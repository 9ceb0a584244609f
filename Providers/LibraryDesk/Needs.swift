import ProviderKit

extension Settings {
  /// What each part wants besides stands beside it.
  static let needs = LibraryNeeds(
    settings: desk + cards + Koha.needs + Millennium.needs + SirsiDynix.needs + CardList.needs
      + SRU.needs + Profile.needs,
    schemes: ["sip2": ["sip2", "sip2s"]],
    ownAddresses: ["kansas", "koha", "patron_api", "sirsidynix", "sru"],
    secretLimit: 1 << 20)

  private static let desk: [ProviderListing.Field] = [
    field("sign_in", "Who proves card and PIN: koha, sip2, millennium, kansas, sirsidynix or list"),
    field("titles", "Who finds titles and copies: koha or sru"),
    field("holds", "Who keeps holds and loans: koha or sip2"),
    field("branches", "Where copies are fetched: CODE = Name; CODE = Name"),
  ]

  private static let cards: [ProviderListing.Field] = [
    field("proof", "What is given with the card: pin, family_name or none"),
    field("card_label", "What the card number is called"),
    field("pin_label", "What the PIN is called"),
    field("card_pattern", "What card numbers look like, as a pattern"),
    field("pin_pattern", "What PINs look like, as a pattern"),
    field("card_length", "The most signs of a card number"),
    field("pin_length", "The most bytes of a PIN"),
    field("pin_trimmed", "Whether blanks around a PIN are cut off"),
    field("restriction", "Whose readers are welcome: none, regex, prefix, string or list"),
    field("restriction_field", "What that looks at: card, home or type"),
    field("restriction_value", "The pattern, the beginning, the word or the words"),
    field("fine_limit", "How much may be owed"),
    field("currency", "The currency of what is owed, such as USD"),
    field("block_rules", "Rules of your own that keep readers from borrowing, one a line"),
  ]

  static func field(_ name: String, _ label: String, isSecret: Bool = false)
    -> ProviderListing.Field
  {
    ProviderListing.Field(name, label, isSecret: isSecret, isRequired: false)
  }
}
