package import Circulation
package import HTTP
package import Machine
package import Secrets

/// One institution at a provider, as the configuration tells it: where its services are and what
/// the provider wants to know of us.
package struct Library: Sendable {
  package let id: LibraryID
  package let provider: ProviderID
  package let name: String
  package let endpoints: [String: Address]
  package let settings: [String: String]
  package let secrets: [String: Secret]
  /// By whose clocks its days end; nil for the machine's.
  package let zone: Zone?

  package init(
    id: LibraryID, provider: ProviderID, name: String, endpoints: [String: Address],
    settings: [String: String] = [:], secrets: [String: Secret] = [:], zone: Zone? = nil
  ) {
    (self.id, self.provider, self.name) = (id, provider, name)
    (self.endpoints, self.settings, self.secrets) = (endpoints, settings, secrets)
    self.zone = zone
  }
}

/// Why an adapter cannot be made of a library's settings.
package struct SettingsFault: Error, Sendable, Hashable, CustomStringConvertible {
  package let library: LibraryID
  package let key: String
  package let what: String

  package init(_ library: LibraryID, _ key: String, _ what: String) {
    (self.library, self.key, self.what) = (library, key, what)
  }

  package var description: String { "library \(library.rawValue): \(key) \(what)" }
}

extension Library {
  package func endpoint(_ name: String) throws(SettingsFault) -> Address {
    guard let address = endpoints[name] else {
      throw SettingsFault(id, "endpoints.\(name)", "is missing")
    }
    return address
  }

  package func setting(_ name: String) throws(SettingsFault) -> String {
    guard let text = settings[name], !text.isEmpty else {
      throw SettingsFault(id, name, "is missing")
    }
    return text
  }

  package func flag(_ name: String, default value: Bool) throws(SettingsFault) -> Bool {
    switch settings[name]?.lowercased() {
    case nil: return value
    case "true", "yes": return true
    case "false", "no": return false
    default: throw SettingsFault(id, name, "is neither true nor false")
    }
  }

  package func secret(_ name: String) throws(SettingsFault) -> Secret {
    guard let secret = secrets[name] else { throw SettingsFault(id, name, "is missing") }
    return secret
  }
}
