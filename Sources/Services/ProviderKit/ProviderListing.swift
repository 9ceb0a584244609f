package import Circulation

/// A kind of service that Carrel can talk to: what it is called, what it can do, what it needs to
/// know, and how an adapter is made. One line in `AllProviders.swift` each.
package struct ProviderListing: Sendable {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let label: String
    package let isSecret: Bool
    package let isRequired: Bool

    package init(_ name: String, _ label: String, isSecret: Bool, isRequired: Bool = true) {
      (self.name, self.label, self.isSecret) = (name, label, isSecret)
      self.isRequired = isRequired
    }
  }

  package let id: ProviderID
  package let title: String
  package let capabilities: Set<Capability>
  /// What an account needs, in the order a form asks for it.
  package let fields: [Field]
  /// How an account at this library is linked.
  package let signIn: @Sendable (Library) throws(SettingsFault) -> SignInWay
  package let decode: Decode
  package let make:
    @Sendable (Library, Credentials?, Session) throws(SettingsFault) -> any CirculationProvider

  package init(
    id: ProviderID, title: String, capabilities: Set<Capability>, fields: [Field],
    signIn: @escaping @Sendable (Library) throws(SettingsFault) -> SignInWay = { _ in .fields },
    decode: @escaping Decode = { _, _, _, _, _ in .unknownKind([]) },
    make:
      @escaping @Sendable (Library, Credentials?, Session) throws(SettingsFault) ->
      any CirculationProvider
  ) {
    (self.id, self.title, self.capabilities, self.fields) = (id, title, capabilities, fields)
    (self.signIn, self.decode, self.make) = (signIn, decode, make)
  }
}
