package import Circulation
import Database
package import Secrets
import Vault

/// Passwords for devices.
extension Registry {
  /// The password is told here and never again.
  package func addDevice(
    named name: String, of patron: PatronID, scopes: Set<Device.Scope>,
    manner: Device.Manner = .told, request: String
  ) async throws(RegistryError) -> (device: Device, password: Secret) {
    guard AccountName.isSound(name) else { throw .badName(name) }
    let password = DevicePassword.new()
    let keys = try await deviceKeys()
    let mark = DevicePassword.mark(of: password, keys.password)
    let syncMark =
      scopes.contains(.sync)
      ? DevicePassword.mark(of: DevicePassword.syncKey(of: password), keys.sync) : nil
    let device = Device(
      patron: patron, name: name, scopes: scopes, manner: manner, madeAt: now())
    try await decide { tx throws(DatabaseError) -> Result<Void, RegistryError> in
      let isKnown =
        try tx.value(
          "SELECT count(*) FROM patron WHERE id = \(patron.rawValue)", as: Int.self) > 0
      guard isKnown else { return .failure(.noSuchPatron(patron.rawValue)) }
      let (there, most) = (
        try tx.value(
          "SELECT count(*) FROM registry_device WHERE patron = \(patron.rawValue)", as: Int.self),
        PatronLimits.standard.appPasswords
      )
      guard there < most else { return .failure(.tooManyDevices(most: most)) }
      let added = try tx.execute(
        """
        INSERT INTO registry_device
          (patron, folded_name, name, scopes, manner, mark, sync_mark, made_at)
        VALUES (\(patron.rawValue), \(AccountName.folded(name)), \(name), \(scopes.text),
          \(manner.rawValue), \(mark), \(syncMark), \(device.madeAt))
        ON CONFLICT (patron, folded_name) DO NOTHING
        """)
      guard added == 1 else { return .failure(.deviceNameTaken(name)) }
      try tx.note(
        .write, device, Asker(at: device.madeAt, who: patron.rawValue, request: request))
      return .success(())
    }
    return (device, password)
  }

  /// In the order of their names.
  package func devices(of patron: PatronID) async throws(RegistryError) -> [Device] {
    try await read { snapshot throws(DatabaseError) in
      try snapshot.rows(
        """
        SELECT \(Device.columns) FROM registry_device WHERE patron = \(patron.rawValue)
        ORDER BY folded_name\(.bytewise)
        """, Device.init(row:))
    }
  }

  /// From now on its password opens nothing, at any gateway, nor do sessions that began with it.
  @discardableResult
  package func revokeDevice(
    named name: String, of patron: PatronID, request: String
  ) async throws(RegistryError) -> Device {
    let now = now()
    return try await decide { tx throws(DatabaseError) -> Result<Device, RegistryError> in
      let gone = try tx.first(
        """
        DELETE FROM registry_device
        WHERE patron = \(patron.rawValue) AND folded_name = \(AccountName.folded(name))
        RETURNING \(Device.columns)
        """, Device.init(row:))
      guard let gone else { return .failure(.noSuchDevice(name)) }
      let asker = Asker(at: now, who: patron.rawValue, request: request)
      try tx.note(.delete, gone, asker)
      try end(.ofAppPassword(name), of: patron, by: asker, in: tx)
      return .success(gone)
    }
  }

  /// Whose password this is. The read is one step in an index, so nothing of the answer is
  /// remembered, and what was revoked anywhere is shut out at once.
  func device(with password: Secret) async throws(RegistryError) -> (Device, owner: String)? {
    let plain = DevicePassword.plain(password)
    guard plain.count == DevicePassword.length else { return nil }
    let mark = DevicePassword.mark(of: plain, try await deviceKeys().password)
    return try await device("d.mark = \(mark)")
  }

  func device(withSyncKey key: Secret) async throws(RegistryError) -> (Device, owner: String)? {
    guard key.count == 32 else { return nil }
    let folded = key.revealText { Secret($0.lowercased()) }
    let mark = DevicePassword.mark(of: folded, try await deviceKeys().sync)
    return try await device("d.sync_mark = \(mark)")
  }

  private func device(_ condition: SQL) async throws(RegistryError) -> (Device, owner: String)? {
    let found = try await read { snapshot throws(DatabaseError) in
      try snapshot.first(
        """
        SELECT d.patron, d.name, d.scopes, d.manner, d.made_at, d.last_used, p.name
        FROM registry_device d JOIN patron p ON p.id = d.patron WHERE \(condition)
        """
      ) { row throws(DatabaseError) -> (Device, String) in (try Device(row: row), try row[6]) }
    }
    guard let (device, owner) = found else { return nil }
    return (device, owner: owner)
  }

  /// Told by the hour only, so that a busy device does not write with each request.
  func noteUse(of device: Device) async throws(RegistryError) {
    let now = now()
    if let last = device.lastUsed, last > now - 3_600_000, last <= now { return }
    try await write { tx throws(DatabaseError) in
      try tx.execute(
        """
        UPDATE registry_device SET last_used = \(now)
        WHERE patron = \(device.patron.rawValue)
          AND folded_name = \(AccountName.folded(device.name))
        """)
    }
  }

  private func deviceKeys() async throws(RegistryError) -> (password: Secret, sync: Secret) {
    let vault = try await vault()
    do throws(VaultError) {
      return (
        try vault.subkey("carrel/device-password"), try vault.subkey("carrel/device-sync")
      )
    } catch {
      throw .vault(error)
    }
  }
}

extension Transaction {
  func revokeDevices(of patron: PatronID, by asker: Asker) throws(DatabaseError) {
    let gone = try rows(
      "DELETE FROM registry_device WHERE patron = \(patron.rawValue) RETURNING \(Device.columns)",
      Device.init(row:))
    for device in gone { try note(.delete, device, asker) }
  }

  fileprivate func note(
    _ action: AuditEntry.Action, _ device: Device, _ asker: Asker
  ) throws(DatabaseError) {
    try note(action, ["password"], of: AccountID("device/\(device.name)"), by: asker)
  }
}
