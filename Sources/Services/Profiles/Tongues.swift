package import Circulation
package import Database
package import Phrasebook

/// In which tongue a reader last had the pages, so that what is sent to them is in it too.
extension Profiles {
  /// Nil for whoever never came to the pages.
  package func tongue(of patron: PatronID) async throws(DatabaseError) -> Tongue? {
    try await store.read { snapshot throws(DatabaseError) in
      try snapshot.first(
        "SELECT tongue FROM profile_tongue WHERE patron = \(patron.rawValue)"
      ) { row throws(DatabaseError) -> String in try row[0] }
    }.flatMap { Tongue(rawValue: $0) }
  }

  /// Most readers never change it: then nothing is written.
  package func keep(tongue: Tongue, of patron: PatronID) async throws(DatabaseError) {
    guard try await self.tongue(of: patron) != tongue else { return }
    try await store.write { tx throws(DatabaseError) in
      _ = try tx.execute(
        """
        INSERT INTO profile_tongue (patron, tongue)
        VALUES (\(patron.rawValue), \(tongue.rawValue))
        ON CONFLICT (patron) DO UPDATE SET tongue = excluded.tongue
        """)
    }
  }
}
