/// What the settings of a library at this provider must tell, and where the provider is to be
/// found.
package struct LibraryNeeds: Sendable, Hashable {
  package let settings: [ProviderListing.Field]
  /// Addresses by the provider's names for them, in sets such as `production`.
  package let environments: [String: [String: String]]

  /// The provider's name for the one address that is all there is to know, so that a reader may
  /// give it in place of a library in the settings.
  package let addressEndpoint: String?
  /// Whether each patron names the host that is asked for them.
  package let hostsArePatrons: Bool
  /// The schemes of those addresses that are not the web's, by the provider's names for them.
  package let schemes: [String: Set<String>]
  /// The provider's names for addresses that stand in no set.
  package let ownAddresses: [String]
  /// How large a secret file may be: some hold a list.
  package let secretLimit: Int

  package init(
    settings: [ProviderListing.Field] = [], environments: [String: [String: String]] = [:],
    addressEndpoint: String? = nil, hostsArePatrons: Bool = false,
    schemes: [String: Set<String>] = [:],
    ownAddresses: [String] = [], secretLimit: Int = 1 << 16
  ) {
    (self.settings, self.environments) = (settings, environments)
    (self.addressEndpoint, self.schemes) = (addressEndpoint, schemes)
    self.hostsArePatrons = hostsArePatrons
    (self.ownAddresses, self.secretLimit) = (ownAddresses, secretLimit)
  }

  /// Every address that a library at this provider may name; empty where that is not known.
  package var addressNames: Set<String> {
    Set(environments.values.flatMap(\.keys)).union(schemes.keys).union(ownAddresses)
      .union([addressEndpoint].compactMap(\.self))
  }

  /// Whether a key or `endpoints.NAME` belongs to the settings of a library.
  package func knows(_ key: String) -> Bool {
    key.hasPrefix("endpoints.")
      || settings.contains { $0.name == key || $0.isSecret && "\($0.name)_file" == key }
  }

  package func isSecret(_ name: String) -> Bool {
    settings.contains { $0.name == name && $0.isSecret }
  }
}
