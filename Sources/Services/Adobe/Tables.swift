package import Circulation
package import Database

extension AdobeDesk {
  package static let migrations = MigrationList(
    "adobe",
    [
      Migration("readers-and-activations", readers + activations),
      Migration("ended-numbers", ended),
    ])

  /// Numbers that are no patron's any more, for as long as a token that names one could be good.
  private static var ended: [SQL] {
    [
      """
      CREATE TABLE adobe_ended (
        library \(.text) NOT NULL, anonymous \(.text) NOT NULL, ended_at \(.integer) NOT NULL,
        PRIMARY KEY (library, anonymous))\(.strictTable)
      """
    ]
  }

  /// The number that tokens name a reader by, another one for each library.
  private static var readers: [SQL] {
    [
      """
      CREATE TABLE adobe_reader (
        patron \(.text) NOT NULL, library \(.text) NOT NULL, anonymous \(.text) NOT NULL UNIQUE,
        made_at \(.integer) NOT NULL, PRIMARY KEY (patron, library))\(.strictTable)
      """
    ]
  }

  /// What Adobe knows that number by, for ever: activations are counted against it. It names no reader,
  /// so it stays when one is forgotten, and is never given to another.
  private static var activations: [SQL] {
    [
      """
      CREATE TABLE adobe_activation (
        library \(.text) NOT NULL, anonymous \(.text) NOT NULL, adobe \(.text) NOT NULL UNIQUE,
        made_at \(.integer) NOT NULL, PRIMARY KEY (library, anonymous))\(.strictTable)
      """
    ]
  }

  /// What binds a reader to it all.
  package static func removals(of leaver: Leaver) -> [Removal] {
    [Removal("Adobe IDs", from: "adobe_reader", where: "patron = \(leaver.patron.rawValue)")]
  }
}
