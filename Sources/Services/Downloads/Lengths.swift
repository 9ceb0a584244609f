package import Database

extension DownloadQueue {
  /// How many downloads there are in each state.
  package func lengths() async throws(DatabaseError) -> [Ticket.State: Int] {
    try await store.read { tx throws(DatabaseError) in
      var lengths: [Ticket.State: Int] = [:]
      let rows = try tx.rows("SELECT state, count(*) FROM download GROUP BY state") {
        row throws(DatabaseError) -> (String, Int) in (try row[0], try row[1])
      }
      for (word, count) in rows {
        guard let state = Ticket.State(rawValue: word) else { continue }
        lengths[state] = count
      }
      return lengths
    }
  }
}
