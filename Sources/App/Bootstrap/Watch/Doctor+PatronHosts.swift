import Database
import HTTP
import HTTPClient
import Items
import Setup
import TextSafety

/// Addresses that patrons linked before there was `http.patron_hosts`, and that stop working with the next
/// release unless the operator lists them.
extension Doctor {
  func patronHosts(_ house: House) async -> [CheckupItem] {
    let earlier: EarlierAddresses
    do throws(DatabaseError) { earlier = try await EarlierAddresses.linked(in: house.store) } catch
    {
      // A database that does not answer was reported above.
      return []
    }
    let strict = ClientConfiguration(
      patronsOf: configuration, seat.place.environment, EarlierAddresses())
    let lenient = ClientConfiguration(patronsOf: configuration, seat.place.environment, earlier)
    guard let client = try? Client(strict) else { return [] }
    var found: [String: CheckupItem] = [:]
    for address in earlier.catalogsWithCard + earlier.channels
    where !address.isSecure && !strict.unencrypted.lists(address) {
      found[address.place] = Self.item(address, "without encryption")
    }
    for address in earlier.catalogs + earlier.channels where found[address.place] == nil {
      guard lenient.gatesOfPlaces[address.place] != strict.gate,
        await isRefused(address, by: client)
      else { continue }
      found[address.place] = Self.item(address, "in a private network")
    }
    for address in earlier.services where found[address.place] == nil {
      guard await isRefused(address, by: client) else { continue }
      found[address.place] = Self.item(address, "in a private network")
    }
    await client.shutdown()
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func item(_ address: Address, _ how: String) -> CheckupItem {
    CheckupItem(
      "patron-hosts", address.place, .warn,
      "A patron linked \(address.place), \(how): it stops working with the next release unless "
        + "http.patron_hosts lists it.",
      try: "carrel config show http.patron_hosts")
  }

  /// Looks the name up and connects at most: nothing of the patron's is sent.
  private func isRefused(_ address: Address, by client: Client) async -> Bool {
    guard let root = try? Address(address.origin.description + "/") else { return false }
    var request = HTTPClient.Request(.head, root, deadline: .at(.now + configuration.http.deadline))
    request.redirects = .returned
    do throws(TransportError) { _ = try await client.send(request) } catch {
      if case .refusedAddress = error { return true }
    }
    return false
  }
}

extension AddressGate {
  fileprivate func lists(_ address: Address) -> Bool {
    names(address.host, port: address.effectivePort ?? 80)
  }
}
