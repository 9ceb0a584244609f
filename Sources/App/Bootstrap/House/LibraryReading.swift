import Arguments
import Circulation
import HTTP
import Machine
import ProviderKit
import Secrets
import Setup

/// A library's settings, checked against what its provider needs. It goes on after a fault, so that
/// all of them are reported together.
struct LibraryReading {
  let settings: LibrarySettings
  let listing: ProviderListing
  private let file: EndpointsFile
  private let sets: [String: [String: String]]

  private(set) var faults: [ConfigurationFault] = []
  /// What the faults are about, so that nothing is reported twice.
  private(set) var faulty: Set<String> = []
  private var zone: Zone?
  private(set) var texts: [String: String] = [:]
  private(set) var secrets: [String: Secret] = [:]
  private(set) var addresses: [String: Address] = [:]

  init(_ settings: LibrarySettings, _ listing: ProviderListing, _ endpoints: EndpointsFile) {
    (self.settings, self.listing, file) = (settings, listing, endpoints)
    sets = listing.needs.environments.merging(endpoints.sets[listing.id.rawValue] ?? [:]) { $1 }
    readTimeZone()
    readKeys()
    readSettings()
    readAddresses()
  }

  /// The library for its adapter. Throws the first fault that keeps it from being used.
  func library() throws(HouseError) -> ProviderKit.Library {
    if let fault = ConfigurationError(faults).faults.first {
      throw .faulty(LibraryID(settings.id), fault.description)
    }
    return libraryAsRead
  }

  /// What could be read of it, faults or not.
  var libraryAsRead: ProviderKit.Library {
    ProviderKit.Library(
      id: LibraryID(settings.id), provider: listing.id, name: settings.name ?? settings.id,
      endpoints: addresses, settings: texts, secrets: secrets, zone: zone)
  }

  mutating func add(
    _ key: String, at place: ConfigurationFault.Place?, _ message: String,
    suggestion: String? = nil, effect: ConfigurationFault.Effect = .stopsStart
  ) {
    faulty.insert(key)
    let key = "libraries.\(settings.id).\(key)"
    faults.append(
      ConfigurationFault(
        place ?? settings.place, key: key, message.replacing("KEY", with: key, maxReplacements: 1),
        suggestion: suggestion.map { "libraries.\(settings.id).\($0)" }, effect: effect,
        library: settings.id))
  }

  // MARK: - Parts

  private mutating func readTimeZone() {
    guard let named = settings.timeZone else { return }
    zone = Zone(named: named.value)
    guard zone == nil else { return }
    add(
      "time_zone", at: named.place,
      "KEY must be a time zone of this system such as Europe/Berlin, not '\(named.value)'")
  }

  private mutating func readKeys() {
    let own = listing.needs.settings.map { $0.isSecret ? "\($0.name)_file" : $0.name }
    let known = own + LibrarySettings.commonKeys
    let addresses = listing.needs.addressNames.sorted()
    for (key, place) in settings.keys.sorted(by: { $0.key < $1.key }) {
      if key.hasPrefix("endpoints."), settings.settings[key] == nil {
        let name = String(key.dropFirst("endpoints.".count))
        // A mock names more addresses than an adapter needs, so a name that resembles none is accepted.
        guard !addresses.contains(name),
          let near = nearest(to: name, among: addresses).first.map({ "endpoints.\($0)" }),
          settings.keys[near] == nil
        else { continue }
        add(key, at: place, "unknown key 'KEY'", suggestion: misspelled(near))
      } else if listing.needs.isSecret(key) {
        add(
          key, at: place,
          "KEY must not stand in the settings: write it to a file and name that in \(key)_file")
      } else if !known.contains(key) {
        let near = misspelled(nearest(to: key, among: known).first)
        let advice = near == nil ? ": remove it; \(listing.id.rawValue) has no such setting" : ""
        add(key, at: place, "unknown key 'KEY'" + advice, suggestion: near)
      }
    }
  }

  /// A key that was written under a wrong name is not also missing.
  private mutating func misspelled(_ key: String?) -> String? {
    if let key, settings.keys[key] == nil { faulty.insert(key) }
    return key
  }

  private mutating func readSettings() {
    for field in listing.needs.settings {
      let key = field.isSecret ? "\(field.name)_file" : field.name
      guard let text = settings.settings[key] else {
        if field.isRequired, !faulty.contains(field.name), !faulty.contains(key) {
          let what = field.label.prefix(1).lowercased() + field.label.dropFirst()
          add(key, at: nil, "KEY is missing: " + (field.isSecret ? "a file with " : "") + what)
        }
        continue
      }
      if field.isSecret {
        secrets[field.name] = secret(in: text, key)
      } else {
        texts[key] = text.value
      }
    }
    if let port = settings.settings["redirect_port"], texts["redirect_port"] != nil,
      !(Int(port.value).map { (1...65535).contains($0) } ?? false)
    {
      add("redirect_port", at: port.place, "KEY must be a whole number from 1 to 65535")
    }
  }

  private mutating func secret(in path: LibrarySettings.Text, _ key: String) -> Secret? {
    do throws(FileError) {
      var bytes = try WholeFile.read(
        path.value, upTo: listing.needs.secretLimit, trusting: .ownerOnly)
      defer { wipe(&bytes) }
      while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
      return Secret(bytes)
    } catch {
      add(
        key, at: path.place,
        "KEY: \(error); library '\(settings.id)' is disabled until the file can be read",
        effect: .disablesLibrary)
      return nil
    }
  }

  private mutating func readAddresses() {
    var found = settings.endpoints
    if found.isEmpty {
      let name = settings.environment?.value ?? "production"
      guard let known = sets[name] else {
        // Without a set of its provider a library has its own addresses, if any.
        if sets.isEmpty, settings.environment == nil { return }
        let names = sets.keys.sorted()
        let choice =
          names.isEmpty
          ? "\(listing.id.rawValue) has none: write each address under it"
          : "known are \(names.joined(separator: ", "))"
        add(
          "endpoints", at: settings.environment?.place ?? settings.keys["endpoints"],
          "KEY: '\(name)' is no set of addresses; \(choice)")
        return
      }
      for (address, text) in known {
        let place =
          file.place(of: address, in: name, at: listing.id.rawValue)
          ?? settings.environment?.place ?? settings.place
        found[address] = LibrarySettings.Text(value: text, place: place)
      }
    }
    for (name, text) in found {
      let schemes = listing.needs.schemes[name] ?? ["http", "https"]
      if let address = try? Address(text.value), schemes.contains(address.scheme) {
        addresses[name] = address
        continue
      }
      let forms = listing.needs.schemes[name]?.sorted().map { "\($0)://HOST:PORT" }
      let form = forms?.joined(separator: " or ") ?? "a web address such as https://example.org"
      add(
        "endpoints.\(name)", at: text.place,
        "KEY must be \(form), not '\(text.value)'; library '\(settings.id)' is disabled until it is",
        effect: .disablesLibrary)
    }
  }

  /// Lending does not need that secret, so only a check of the settings reads it.
  mutating func tryAdobeSecret() {
    guard let adobe = settings.facts.adobe, Secret(inFile: adobe.secretFile) == nil else { return }
    add(
      "adobe_secret_file", at: adobe.place,
      "KEY: \(adobe.secretFile) cannot be read; until it can, library '\(settings.id)' makes no "
        + "tokens for Adobe's programs", effect: .disablesAdobe)
  }
}
