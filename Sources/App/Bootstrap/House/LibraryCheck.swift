import Arguments
import Circulation
import HTTP
import HTTPClient
import Lines
import ProviderKit
import Secrets
package import Setup

/// Finds every fault under `libraries:`. `config check`, `serve`, SIGHUP and `doctor` all use it, so
/// that none of them accepts what another refuses.
enum LibraryCheck {
  static func faults(
    of libraries: [LibrarySettings], endpoints: EndpointsFile
  ) -> [ConfigurationFault] {
    let found = libraries.flatMap { settings -> [ConfigurationFault] in
      guard let listing = allProviders.first(where: { $0.id.rawValue == settings.provider.value })
      else { return [unknownProvider(of: settings)] }
      var reading = LibraryReading(settings, listing, endpoints)
      reading.tryAdapter()
      reading.tryAdobeSecret()
      return reading.faults
    }
    return ConfigurationError(found).faults
  }

  private static func unknownProvider(of settings: LibrarySettings) -> ConfigurationFault {
    let known = allProviders.map(\.id.rawValue)
    let near = nearest(to: settings.provider.value, among: known).first
    let key = "libraries.\(settings.id).provider"
    return ConfigurationFault(
      settings.provider.place, key: key,
      "\(key): there is no provider '\(settings.provider.value)'"
        + (near == nil ? "; there are \(known.sorted().joined(separator: ", "))" : ""),
      suggestion: near, library: settings.id)
  }
}

extension LibraryReading {
  /// Adds the faults that the adapter itself reports. It stops at its first one, so it is tried again
  /// with that one corrected until it accepts the rest.
  mutating func tryAdapter() {
    var draft = Draft(libraryAsRead)
    let session = ProviderKit.Session(
      provider: listing.id,
      transport: Transport { _ throws(TransportError) in throw TransportError.stopped },
      lines: LineClient())
    defer { session.fittings.drop() }
    var tried: Set<String> = []
    while true {
      do throws(SettingsFault) {
        let whole = draft.library(of: self)
        _ = try listing.signIn(whole)
        _ = try listing.make(whole, nil, session)
        return
      } catch {
        // Reported again although it was corrected: the adapter has nothing more to say.
        guard tried.insert(error.key).inserted else { return }
        note(error)
        draft.correct(error.key, listing.needs)
      }
    }
  }

  private mutating func note(_ fault: SettingsFault) {
    let isSecret = listing.needs.isSecret(fault.key)
    let key = isSecret ? "\(fault.key)_file" : fault.key
    guard !faulty.contains(key), !faulty.contains(fault.key) else { return }
    if let name = key.dropping(prefix: "endpoints.") {
      // All addresses may be wrong because their set is.
      guard !faulty.contains("endpoints") else { return }
      let isGiven = addresses[name] != nil
      add(
        key, at: settings.endpoints[name]?.place ?? settings.keys["endpoints"],
        isGiven
          ? "KEY \(fault.what); library '\(settings.id)' is disabled until this is fixed"
          : "KEY is missing: write the address of the service there",
        effect: isGiven ? .disablesLibrary : .stopsStart)
    } else if key.hasSuffix("_file"), secrets[String(key.dropLast(5))] != nil {
      add(
        key, at: settings.settings[key]?.place,
        "KEY \(fault.what); library '\(settings.id)' is disabled until this is fixed",
        effect: .disablesLibrary)
    } else {
      add(key, at: settings.settings[key]?.place, "KEY \(fault.what)")
    }
  }

  fileprivate static func placeholder(_ schemes: Set<String>?) -> Address? {
    try? Address("\(schemes?.min() ?? "https")://placeholder.invalid:1/")
  }

  /// A library whose faults are corrected one by one.
  private struct Draft {
    var texts: [String: String]
    var secrets: [String: Secret]
    var addresses: [String: Address]

    init(_ library: ProviderKit.Library) {
      (texts, secrets, addresses) = (library.settings, library.secrets, library.endpoints)
    }

    func library(of reading: LibraryReading) -> ProviderKit.Library {
      let read = reading.libraryAsRead
      return ProviderKit.Library(
        id: read.id, provider: read.provider, name: read.name, endpoints: addresses,
        settings: texts, secrets: secrets, zone: read.zone)
    }

    /// A wrong text is left out, as if the operator had not written it; what is missing is filled in.
    mutating func correct(_ key: String, _ needs: LibraryNeeds) {
      if let name = key.dropping(prefix: "endpoints.") {
        addresses[name] = LibraryReading.placeholder(needs.schemes[name])
      } else if texts.removeValue(forKey: key) != nil {
        return
      } else if needs.isSecret(key) {
        secrets[key] = Secret("x")
      } else if key.hasSuffix("_file") {
        secrets[String(key.dropLast(5))] = Secret("x")
      } else {
        texts[key] = "x"
      }
    }
  }
}

extension String {
  fileprivate func dropping(prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

extension HouseError {
  /// What an adapter refuses of a library's settings.
  init(_ fault: SettingsFault) {
    self = .faulty(
      fault.library, "libraries.\(fault.library.rawValue).\(fault.key) \(fault.what)")
  }
}

extension LinkedEngine {
  package func faults(
    of libraries: [LibrarySettings], endpoints: EndpointsFile
  ) -> [ConfigurationFault] {
    LibraryCheck.faults(of: libraries, endpoints: endpoints)
  }
}
