import Catalog
import Circulation
import Database
import Desk
import HTTP
import HTTPClient
import HTTPServer
import Items
import Machine
import Membership
import ProviderKit
import Registry
import Setup
import TextSafety

/// The libraries: their names, their certificates, a card at each, and when they last answered.
extension Doctor {
  func libraries(_ house: House) async -> [CheckupItem] {
    let accounts = (try? await house.registry.accounts()) ?? []
    let named = configuration.libraries.map { LibraryID($0.id) }
    let wanted = Set(named + accounts.map(\.library)).sorted()
    guard !wanted.isEmpty else {
      return [
        CheckupItem(
          "library", .warn, "No library is configured, and no card is linked.",
          try: "carrel provider list")
      ]
    }
    let found = await concurrently(wanted) { library in
      await examine(library, accounts.filter { $0.library == library }, house)
    }
    return found.flatMap(\.self)
  }

  private func examine(
    _ id: LibraryID, _ accounts: [Account], _ house: House
  ) async -> [CheckupItem] {
    let library: ProviderKit.Library
    do throws(HouseError) { library = try house.counter.library(id) } catch {
      // The settings were judged before; a card at a library that is gone from them is news.
      guard !configuration.libraries.contains(where: { $0.id == id.rawValue }) else { return [] }
      return [
        CheckupItem(
          "library", id.rawValue, .warn,
          "\(accounts.count) cards are linked at '\(id.rawValue)', which is not configured.",
          try: "carrel account list")
      ]
    }
    var found = unencrypted(library, house)
    for address in Self.doors(of: library) { found.append(await knock(at: address, of: id, house)) }
    if let account = accounts.first(where: { $0.status == .linked }) ?? accounts.first {
      found.append(await check(account, house))
    }
    return found + (await lastSuccess(id, accounts, house))
  }

  /// Addresses in the settings to which cards go without encryption, but for those on this machine.
  private func unencrypted(
    _ library: ProviderKit.Library, _ house: House
  ) -> [CheckupItem] {
    guard configuration.libraries.contains(where: { $0.id == library.id.rawValue }),
      case .fields(let fields)? = try? house.enrollment.way(to: library.id),
      fields.contains(where: \.isSecret)
    else { return [] }
    return library.endpoints.sorted { $0.key < $1.key }.compactMap { key, address in
      guard address.scheme == "http", !Self.isHere(address.host.text) else { return nil }
      let setting = "libraries.\(library.id).endpoints.\(key)"
      return CheckupItem(
        "encryption", library.id.rawValue, .warn,
        "Cards go to \(address.scheme)://\(address.authority) without encryption: \(setting) should "
          + "begin with https.", try: "carrel config edit")
    }
  }

  private static func isHere(_ host: String) -> Bool {
    guard let address = IPAddress(host) else { return host == "localhost" }
    return address.v4.map { $0 >> 24 == 127 } ?? (address == IPAddress("::1"))
  }

  /// Each host once, however many addresses a library has there.
  private static func doors(of library: ProviderKit.Library) -> [Address] {
    var seen: Set<String> = []
    return library.endpoints.sorted { $0.key < $1.key }.map(\.value).filter { address in
      ["http", "https"].contains(address.scheme)
        && seen.insert("\(address.scheme)://\(address.authority)").inserted
    }
  }

  /// Any answer will do: the host has a name, takes connections, and its certificate is good.
  private func knock(at address: Address, of id: LibraryID, _ house: House) async -> CheckupItem {
    let place = "\(address.scheme)://\(address.authority)"
    guard let root = try? Address(place + "/") else {
      return CheckupItem("network", id.rawValue, .fail, "\(place) is no address.")
    }
    var request = HTTPClient.Request(.head, root, deadline: .at(.now + configuration.http.deadline))
    request.redirects = .returned
    let began = ContinuousClock.now
    do throws(TransportError) {
      _ = try await house.outward.transport(for: id).send(request)
    } catch {
      let (what, attempt) = Self.words(for: error, host: address.host.text)
      return CheckupItem("network", id.rawValue, .fail, "\(place): \(what).", try: attempt)
    }
    let took = began.duration(to: .now).milliseconds
    if let days = daysLeft(house.certificates.end(of: address)) {
      return CheckupItem(
        "network", id.rawValue, .warn, "\(place): its certificate expires in \(days) days.")
    }
    let secured = address.scheme == "https" ? ", and its certificate is good" : ""
    return CheckupItem("network", id.rawValue, .ok, "\(place) answers in \(took) ms\(secured).")
  }

  /// Until a certificate expires, where that is soon.
  func daysLeft(_ end: Int64?) -> Int64? {
    guard let end else { return nil }
    let days = (end - Time.system.now().secondsSinceEpoch) / 86_400
    return days < 14 ? days : nil
  }

  static func words(for error: TransportError, host: String) -> (String, ShellCommand?) {
    switch error {
    case .cannotResolve: ("its name is not known", "getent hosts \(host)")
    case .cannotConnect: ("it takes no connection", "curl -v https://\(host)/")
    case .tls(let fault, _):
      ("its certificate is not good (\(fault))", "openssl s_client -connect \(host):443")
    case .timedOut, .deadlineExceeded: ("it does not answer in time", nil)
    case .refusedAddress:
      ("it is in a private network, and no setting allows it", "carrel config show http")
    case .proxyRefused(let status): ("the proxy answers \(status.code)", "carrel config show http")
    case .connectionLost: ("the connection breaks", nil)
    default: (error.description, nil)
    }
  }

  private func check(_ account: Account, _ house: House) async -> CheckupItem {
    let call = house.call(account.patron)
    do throws(EnrollmentError) {
      _ = try await house.enrollment.check(account, in: call)
      return CheckupItem("sign-in", account.library.rawValue, .ok, "A linked card is taken.")
    } catch {
      let item = ErrorItem(error)
      let isOurs = ["vault_locked", "vault_key_wrong", "vault_unusable"].contains(item.code)
      return CheckupItem(
        "sign-in", account.library.rawValue, isOurs ? .warn : .fail,
        "A linked card is not taken: \(item.code).", try: "carrel account check")
    }
  }

  /// As the gateway's own work found it.
  private func lastSuccess(
    _ id: LibraryID, _ accounts: [Account], _ house: House
  ) async -> [CheckupItem] {
    let heard = (try? await house.desk.freshness(of: accounts.map(\.id))) ?? []
    let tally = try? await house.catalog.tally(of: id)
    let synced = heard.compactMap { $0.goodAt?.milliseconds }.max()
    guard let last = [synced, tally?.ended].compactMap({ $0 }).max() else {
      guard !accounts.isEmpty else { return [] }
      return [
        CheckupItem(
          "last-success", id.rawValue, .warn, "It was never read.", try: "carrel sync")
      ]
    }
    let age = (house.time.now().millisecondsSinceEpoch - last) / 1000
    let moment = Timestamp(millisecondsSinceEpoch: last).rfc3339()
    return [
      CheckupItem(
        "last-success", id.rawValue, age > 2 * 86_400 ? .warn : .ok,
        "It was last read at \(moment).",
        try: age > 2 * 86_400 ? "carrel sync" : nil)
    ]
  }
}
