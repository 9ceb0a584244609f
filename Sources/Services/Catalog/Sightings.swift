package import Circulation
package import Database

/// What was last heard of one edition, without what the edition is.
package struct Sighting: Sendable, Hashable {
  package let work: WorkID
  package let library: LibraryID
  package let provider: ProviderID
  package let item: ItemID
  /// Nil where nobody ever asked.
  package let availability: Availability?
}

extension Catalog {
  /// Of all editions of these works, at all libraries. Made for thousands of works: no record is
  /// opened.
  package func sightings(of works: [WorkID]) async throws(DatabaseError) -> [Sighting] {
    var rest = works.compactMap(\.number)[...]
    var found: [Sighting] = []
    while !rest.isEmpty {
      let part = Array(rest.prefix(2000))
      rest = rest.dropFirst(2000)
      found += try await store.read { snapshot throws(DatabaseError) in
        try snapshot.rows(
          """
          SELECT e.work, l.name, e.provider, e.item,
            a.status, a.total, a.available, a.holds, a.as_of
          FROM catalog_edition e
          JOIN catalog_library l ON l.id = e.library
          LEFT JOIN catalog_availability a ON a.library = e.library AND a.item = e.item
          WHERE e.work \(.among(part)) AND e.state <> \(EditionState.gone)
          ORDER BY e.work, e.id
          """
        ) { row throws(DatabaseError) in
          Sighting(
            work: WorkID(number: try row[0]), library: LibraryID(try row[1]),
            provider: ProviderID(try row[2]), item: ItemID(try row[3]),
            availability: try Availability(row, from: 4))
        }
      }
    }
    return found
  }
}
