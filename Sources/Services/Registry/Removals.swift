package import Circulation
package import Database

extension Registry {
  /// What is kept of a patron and their accounts. The audit stays: it knows nobody's name.
  package static func removals(of leaver: Leaver) -> [Removal] {
    let (patron, accounts) = (leaver.patron.rawValue, leaver.accounts.map(\.rawValue))
    return [
      Removal("sealed secrets", from: "account_secret", where: "account IN (\(accounts))"),
      Removal("marks of PINs", from: "sign_in_pin", where: "account IN (\(accounts))"),
      Removal("known addresses", from: "sign_in_place", where: "account IN (\(accounts))"),
    ]
      + [
        Removal("browsers signed in", from: "registry_pass", where: "patron = \(patron)"),
        Removal("sign-in links", from: "sign_in_link", where: "patron = \(patron)"),
        Removal("recovery codes", from: "registry_spare", where: "patron = \(patron)"),
        Removal("second factors", from: "registry_factor", where: "patron = \(patron)"),
        Removal("devices", from: "registry_device", where: "patron = \(patron)"),
        Removal("calendar addresses", from: "registry_calendar", where: "patron = \(patron)"),
        Removal("names at libraries", from: "registry_member", where: "patron = \(patron)"),
        Removal("roles", from: "registry_operator", where: "patron = \(patron)"),
        Removal("catalogs linked of late", from: "registry_naming", where: "patron = \(patron)"),
        Removal("ways to sign in", from: "sign_in_way", where: "patron = \(patron)"),
        Removal("cards", from: "account", where: "patron = \(patron)"),
        Removal("names", from: "patron", where: "id = \(patron)"),
      ]
  }
}

extension Snapshot {
  /// Nil where there is no such patron.
  package func leaver(
    _ patron: PatronID
  ) throws(DatabaseError) -> (leaver: Leaver, name: String)? {
    let name = try first("SELECT name FROM patron WHERE id = \(patron.rawValue)") {
      row throws(DatabaseError) -> String in try row[0]
    }
    guard let name else { return nil }
    let accounts = try rows("SELECT id FROM account WHERE patron = \(patron.rawValue)") {
      row throws(DatabaseError) in AccountID(try row[0])
    }
    return (leaver: Leaver(patron, accounts), name: name)
  }
}
