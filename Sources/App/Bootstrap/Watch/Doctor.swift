import Circulation
import Database
import Facade
import HTTP
import HTTPClient
package import Items
import Machine
import ProviderKit
package import Setup
import TextSafety
import Vault

/// Looks at everything that the gateway stands on, and says of each how it is. It goes on after whatever
/// it finds: who asks wants to hear all of it.
struct Doctor: Sendable {
  let seat: Seat

  var configuration: Configuration { seat.configuration }
  var data: String { configuration.paths.data ?? seat.place.data }
  var cache: String { configuration.paths.cache ?? seat.place.cache }

  func examine() async -> [CheckupItem] {
    var found =
      settings() + environment() + permissions() + room() + [processLimits(), certificates()]
    let house: House
    do throws(HouseError) { house = try await House(seat) } catch {
      let item = ErrorItem(error)
      found.append(
        CheckupItem(
          item.library == nil ? "database" : "config", .fail,
          item.detail ?? "The house cannot be opened: \(item.code).",
          try: "carrel config show database"))
      return found + (await outside(nil))
    }
    found += await examine(house)
    let key = try? await GatewayKey.key(in: house.store)
    await house.close()
    return found + (await outside(key.map(GatewayIdentity.init)))
  }

  private func examine(_ house: House) async -> [CheckupItem] {
    let check = ReadinessCheck(house)
    let faults = await check.faults()
    var found = await database(house, faults)
    found += await backup(house)
    found += await vault(house, check.vault, faults)
    found += await scanner(house)
    found += await pictures(house)
    found += await libraries(house)
    found += await patronHosts(house)
    found += await signIn(house)
    found += await shortMessages(house)
    found += await linking(house)
    found += await clock(house, faults)
    found += await feeds(house)
    return found
  }

  // MARK: - Settings

  private func settings() -> [CheckupItem] {
    let files = Set(
      configuration.resolved.compactMap { resolved -> String? in
        if case .file(let path, _) = resolved.origin { path } else { nil }
      }
    ).sorted()
    let text = files.isEmpty ? "The settings are all as built in." : "The settings can be read."
    var found = [CheckupItem("config", files.first, .ok, text)]
    found += configuration.warnings.map {
      CheckupItem("config", .warn, "\($0).", try: "carrel config show --origin")
    }
    found += LibraryCheck.faults(of: configuration.libraries, endpoints: configuration.endpoints)
      .map { fault in
        CheckupItem(
          "config", fault.library, .fail, fault.description, try: "carrel config edit")
      }
    return found
  }

  /// Secrets in variables can be read by whoever may look at the process, and are inherited by every
  /// program it starts.
  private func environment() -> [CheckupItem] {
    var found: [CheckupItem] = []
    for resolved in configuration.resolved {
      guard case .variable(let name) = resolved.origin, resolved.spec.secrecy != .open,
        resolved.spec.shown(resolved.texts) != resolved.texts
      else { continue }
      found.append(
        CheckupItem(
          "environment", name, .warn, "A secret stands in the variable \(name).",
          try: "carrel config example"))
    }
    let own = Set(configuration.resolved.map(\.spec.variable))
    let words = ["PASSWORD", "SECRET", "TOKEN", "_PIN", "PASSPHRASE"]
    for name in seat.place.environment.keys.sorted()
    where name.hasPrefix("CARREL_") && !name.hasSuffix("_FILE") && !own.contains(name)
      && words.contains(where: name.contains)
    {
      found.append(
        CheckupItem(
          "environment", name, .warn, "A secret seems to stand in the variable \(name).",
          try: "unset \(name)"))
    }
    return found.isEmpty
      ? [CheckupItem("environment", .ok, "No secret stands in a variable.")] : found
  }

  // MARK: - Database and vault

  private func database(
    _ house: House, _ faults: [ReadinessFault]
  ) async -> [CheckupItem] {
    let kind = house.store.dialect == .sqlite ? "SQLite" : "PostgreSQL"
    let troubles = faults.filter { [.database, .migration].contains($0.kind) }
    var found = troubles.map {
      CheckupItem("database", .fail, "\(kind): \($0.text).", try: "carrel config show database")
    }
    if troubles.isEmpty {
      found.append(
        CheckupItem("database", .ok, "\(kind) takes writes and has all tables."))
    }
    guard house.store.dialect == .sqlite else { return found }
    do throws(DatabaseError) {
      let faults = try await house.store.integrityFaults(by: .now + .seconds(60))
      found += faults.prefix(5).map {
        CheckupItem("database", .fail, "Damaged: \($0).", try: "carrel help admin")
      }
      if faults.isEmpty {
        found.append(CheckupItem("database", .ok, "Its file is whole."))
      }
    } catch {
      found.append(
        CheckupItem("database", .warn, "Its file could not be read as a whole: \(error)."))
    }
    return found
  }

  /// The time of the last one as the database knows it, of whichever machine it was made on.
  private func backup(_ house: House) async -> [CheckupItem] {
    let known: Int64?
    do throws(DatabaseError) {
      known = try await house.store.read { tx throws(DatabaseError) in
        try tx.fact(.lastBackup)
      }
    } catch {
      // A database that does not answer was reported above.
      return []
    }
    guard let last = known else {
      return [
        CheckupItem(
          "backup", .warn, "None was made with carrel admin backup.",
          try: "carrel admin backup carrel.backup")
      ]
    }
    let moment = Timestamp(millisecondsSinceEpoch: last)
    let isOld = moment + .seconds(2 * 86_400) < house.time.now()
    return [
      CheckupItem(
        "backup", isOld ? .warn : .ok, "The last one is of \(moment.rfc3339()).",
        try: isOld ? "systemctl status carrel-backup.timer" : nil)
    ]
  }

  private func vault(
    _ house: House, _ state: VaultDoor.State?, _ faults: [ReadinessFault]
  ) async -> [CheckupItem] {
    func fail(_ words: String) -> [CheckupItem] {
      [CheckupItem("vault", .fail, words, try: "carrel config show vault")]
    }
    let fault = faults.first { $0.kind == .vault }
    switch state {
    case .locked(.sealed):
      return [
        CheckupItem(
          "vault", .warn,
          "It is locked with a passphrase, and nobody can be asked while the gateway runs.",
          try: "carrel config show vault")
      ]
    case .locked(let error):
      return fail("It does not open: \(fault?.whole ?? error.description).")
    case .unused, nil:
      return fault.map { fail("It does not open: \($0.text).") }
        ?? [CheckupItem("vault", .ok, "Nothing is sealed yet.")]
    case .open: break
    }
    if await house.door.isDueForNewKey(at: house.time.now().millisecondsSinceEpoch) {
      return [
        CheckupItem("vault", .warn, "Its key is due for a new one.", try: "carrel vault rotate")
      ]
    }
    return [CheckupItem("vault", .ok, "It opens.")]
  }
}

extension LinkedEngine {
  package func examine(at seat: Seat) async -> [CheckupItem] { await Doctor(seat: seat).examine() }
}
