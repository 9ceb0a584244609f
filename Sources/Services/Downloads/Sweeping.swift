import Crypto
import Database
import Machine

/// What a broom found.
package struct Swept: Sendable, Hashable {
  /// Files that no row told of.
  package var strays = 0
  /// Rows whose file is gone, or is not what it was.
  package var lost = 0
  /// Parts that nobody will go on with.
  package var parts = 0
}

extension BookStore {
  /// Brings folder and tables together again, after kills and after hands. It is safe beside running
  /// downloads: files are looked at in the store's turn, and a part only goes when its ticket has no
  /// use for it, and nobody has written to it for a while.
  package func sweep(_ queue: DownloadQueue) async throws(StoreTrouble) -> Swept {
    var swept = Swept()
    swept.parts = try await sweepParts(queue.settings.lease.milliseconds)
    let turn = try await turn()
    defer { turn.end() }
    let sizes = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        try tx.rows("SELECT digest, size FROM book_file") { row throws(DatabaseError) in
          (digest: try row[0] as String, size: try row[1] as Int)
        }
      }
    }
    let known = Dictionary(sizes.map { ($0.digest, $0.size) }) { first, _ in first }
    let found = try await filesOnDisk()
    let strays = found.filter { known[$0.key] != $0.value.size }
    try await remove(strays.map(\.value.path))
    // A stray of the wrong size goes too, and then its row has no file.
    swept.strays = strays.count
    let lost = known.filter { found[$0.key]?.size != $0.value }.map(\.key)
    try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        for digest in lost { try tx.forget(digest) }
      }
    }
    swept.lost = lost.count
    return swept
  }

  private struct OnDisk: Sendable {
    let path: String
    let size: Int
  }

  private func filesOnDisk() async throws(StoreTrouble) -> [String: OnDisk] {
    let files = "\(folder)/files"
    return try await onDisk { () throws(FileError) in
      var found: [String: OnDisk] = [:]
      for shelf in 0...255 {
        let path = "\(files)/\(Hex.encode([UInt8(shelf)]))"
        for file in CacheFolder(path).all() {
          found[file.name] = OnDisk(path: "\(path)/\(file.name)", size: file.size)
        }
      }
      return found
    }
  }

  private func sweepParts(_ lease: Int64) async throws(StoreTrouble) -> Int {
    let (now, oldest) = (now(), now() - settings.partAge.milliseconds)
    let incoming = CacheFolder(incoming)
    let parts = try await onDisk { () throws(FileError) in incoming.all() }
    guard !parts.isEmpty else { return 0 }
    let owners = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        Dictionary(
          try tx.rows(
            """
            SELECT id, owner FROM download
            WHERE state <> 'done' AND (state <> 'failed' OR next_at IS NOT NULL)
            """
          ) { row throws(DatabaseError) -> (Int64, String?) in (try row[0], try row[1]) }
        ) { first, _ in first }
      }
    }
    let useless = parts.filter { part in
      // A file from the future was written before the clock was set back.
      let isQuiet = part.used < now - lease || part.used > now + lease
      guard let ticket = Self.ticket(of: part.name), let owner = owners[ticket] else {
        return isQuiet
      }
      // A whole file is its worker's alone, who may take long to look at it.
      if let worker = Self.owner(of: part.name) { return isQuiet && worker != owner }
      return isQuiet && (!part.name.contains(".part") || part.used < oldest)
    }
    try await remove(useless.map { "\(incoming.path)/\($0.name)" })
    return useless.count
  }

  // MARK: - Parts

  var incoming: String { "\(folder)/incoming" }

  func incoming(_ ticket: Ticket) -> String { "\(incoming)/t\(ticket.id)" }

  /// Of `t12.part`, `t12.part.note`, `t12` and `t12.whole-x`.
  private static func ticket(of name: String) -> Int64? {
    guard name.first == "t" else { return nil }
    return Int64(name.dropFirst().prefix { $0 != "." })
  }

  private static func owner(of name: String) -> String? {
    name.firstRange(of: ".whole-").map { String(name[$0.upperBound...]) }
  }

  func whole(_ claim: Claim) -> String { "\(incoming(claim.ticket)).whole-\(claim.owner)" }

  /// All there is of a download that nobody will go on with.
  func discard(_ ticket: Ticket) async throws(StoreTrouble) {
    let path = incoming(ticket)
    try await remove([path, "\(path).part", "\(path).part.note", "\(path).part.note.new"])
  }
}
