import Arguments
import Circulation
import HTTP
import Machine
import ProviderKit
import Secrets
import Setup

/// A library's settings, held against what its provider asks for.
struct LibraryReading {
  private let settings: LibrarySettings
  private let listing: ProviderListing
  private let sets: [String: [String: String]]

  init(_ settings: LibrarySettings, _ listing: ProviderListing, _ endpoints: EndpointsFile) {
    (self.settings, self.listing) = (settings, listing)
    sets = listing.needs.environments.merging(endpoints.sets[listing.id.rawValue] ?? [:]) { $1 }
  }

  func library() throws(HouseError) -> ProviderKit.Library {
    let zone = settings.timeZone.flatMap { Zone(named: $0.value) }
    if let named = settings.timeZone, zone == nil {
      throw .library(
        LibraryID(settings.id),
        "time_zone as this system knows one, such as Europe/Berlin, and not '\(named.value)' "
          + "(\(named.place.description))")
    }
    var texts: [String: String] = [:]
    var secrets: [String: Secret] = [:]
    for (key, text) in settings.settings {
      if let field = listing.needs.settings.first(where: { $0.name == key }) {
        guard !field.isSecret else {
          throw fault("\(key)_file: secrets do not stand in the settings themselves")
        }
        texts[key] = text.value
      } else if key.hasSuffix("_file"), listing.needs.isSecret(String(key.dropLast(5))) {
        secrets[String(key.dropLast(5))] = try secret(in: text.value, key)
      } else {
        let known = listing.needs.settings.map { $0.isSecret ? "\($0.name)_file" : $0.name }
        let near = nearest(to: key, among: known).first.map { ", but '\($0)'" } ?? ""
        throw fault("no setting '\(key)'\(near)")
      }
    }
    for field in listing.needs.settings
    where field.isRequired && texts[field.name] == nil && secrets[field.name] == nil {
      throw fault(field.isSecret ? "\(field.name)_file" : field.name)
    }
    return ProviderKit.Library(
      id: LibraryID(settings.id), provider: listing.id, name: settings.name ?? settings.id,
      endpoints: try endpoints(), settings: texts, secrets: secrets, zone: zone)
  }

  private func endpoints() throws(HouseError) -> [String: Address] {
    var texts = settings.endpoints.mapValues(\.value)
    if texts.isEmpty {
      let name = settings.environment?.value ?? "production"
      guard let known = sets[name] else {
        if sets.isEmpty, let needed = listing.needs.addressEndpoint {
          throw fault("endpoints.\(needed), which must be a web address")
        }
        // A library of its own make has its own addresses, if any.
        if sets.isEmpty, settings.environment == nil { return [:] }
        let names = sets.keys.sorted().joined(separator: " or ")
        throw fault("endpoints: '\(name)' is not known, only \(names)")
      }
      texts = known
    }
    var addresses: [String: Address] = [:]
    for (name, text) in texts {
      let schemes = listing.needs.schemes[name] ?? ["http", "https"]
      guard let address = try? Address(text), schemes.contains(address.scheme) else {
        let others = listing.needs.schemes[name]?.sorted().map { "\($0)://HOST:PORT" }
        throw fault(
          "endpoints.\(name), which must be "
            + (others?.joined(separator: " or ") ?? "a web address"))
      }
      addresses[name] = address
    }
    return addresses
  }

  private func secret(in path: String, _ key: String) throws(HouseError) -> Secret {
    do throws(FileError) {
      var bytes = try WholeFile.read(path, upTo: listing.needs.secretLimit, trusting: .ownerOnly)
      defer { wipe(&bytes) }
      while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
      return Secret(bytes)
    } catch {
      throw fault("a readable \(key): \(error)")
    }
  }

  private func fault(_ what: String) -> HouseError {
    .library(LibraryID(settings.id), what + " (\(settings.place.description))")
  }
}
