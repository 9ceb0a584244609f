/// What the settings of a library at this provider must tell, and where the provider is to be found.
package struct LibraryNeeds: Sendable, Hashable {
  package let settings: [ProviderListing.Field]
  /// Addresses by the provider's names for them, in sets such as `production`.
  package let environments: [String: [String: String]]

  /// The provider's name for the one address that is all there is to know, so that a reader may give
  /// it in place of a library in the settings.
  package let addressEndpoint: String?

  package init(
    settings: [ProviderListing.Field] = [], environments: [String: [String: String]] = [:],
    addressEndpoint: String? = nil
  ) {
    (self.settings, self.environments) = (settings, environments)
    self.addressEndpoint = addressEndpoint
  }

  package func isSecret(_ name: String) -> Bool {
    settings.contains { $0.name == name && $0.isSecret }
  }
}
