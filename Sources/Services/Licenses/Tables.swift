package import Circulation
package import Database

extension Licenses {
  /// No key and no passphrase is in any table but sealed. What is known of a licence is kept by the
  /// loan it came with.
  package static let migrations = MigrationList(
    "licenses",
    [
      Migration(
        "keys-and-devices",
        [
          """
          CREATE TABLE license_key (
            patron \(.text) NOT NULL, provider \(.text) NOT NULL, reader \(.text) NOT NULL,
            sealed \(.blob) NOT NULL, changed_at \(.integer) NOT NULL,
            PRIMARY KEY (patron, provider, reader)
          )\(.strictTable)
          """,
          """
          CREATE TABLE license_device (
            place \(.integer) PRIMARY KEY, id \(.text) NOT NULL
          )\(.strictTable)
          """,
          """
          CREATE TABLE license_visit (
            patron \(.text) NOT NULL, license \(.text) NOT NULL, registered \(.boolean) NOT NULL,
            asked_at \(.integer) NOT NULL, PRIMARY KEY (patron, license)
          )\(.strictTable)
          """,
        ])
    ])

  package static func removals(of leaver: Leaver) -> [Removal] {
    let patron = leaver.patron.rawValue
    return [
      Removal("keys to licences", from: "license_key", where: "patron = \(patron)"),
      Removal("licences asked about", from: "license_visit", where: "patron = \(patron)"),
    ]
  }
}
