package import Circulation
package import Database
package import Machine

/// Why the store did not do what it was to do.
package enum StoreTrouble: Error, Sendable {
  case database(DatabaseError)
  case file(FileError)
}

/// A file that has come and is good.
struct Arrival: Sendable {
  let path: String
  let digest: String
  let size: Int
  let kind: FileKind
  /// Nil where no scanner is set.
  var mark: ScanMark?
}

enum Shelved: Sendable {
  case stored(Ticket)
  /// It does not fit, even without what could be let go.
  case noRoom
  /// Nobody waits for it any more.
  case unwanted
}

extension BookStore {
  /// Puts the file in its place, then writes down that it is there and for whom, together with what
  /// `settle` writes. One at a time over all processes, so that none removes what another one puts.
  func shelve(
    _ arrival: Arrival, for wish: Wish,
    _ settle: @escaping @Sendable (Transaction) throws(DatabaseError) -> Ticket?
  ) async throws(StoreTrouble) -> Shelved {
    let turn = try await turn()
    defer { turn.end() }
    guard try await room(for: arrival.size, arrival.digest) else { return .noRoom }
    try await place(arrival)
    let now = now()
    let ticket: Ticket? = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        guard let ticket = try settle(tx) else { return nil }
        try tx.write(arrival, for: wish, at: now)
        return ticket
      }
    }
    guard let ticket else {
      try await drop([arrival.digest], ifUnknown: true)
      return .unwanted
    }
    return .stored(ticket)
  }

  func place(_ arrival: Arrival) async throws(StoreTrouble) {
    let target = path(of: arrival.digest)
    let parent = String(target.dropLast(arrival.digest.count + 1))
    try await onDisk { () throws(FileError) in
      try Folder.makePrivate(parent)
      do throws(MachineError) { try GuardedFile.move(arrival.path, over: target) } catch {
        throw .failed(error)
      }
    }
  }

  // MARK: - Room

  /// Whether so much more fits, if need be after what no loan holds was let go, the longest unread
  /// first. Where that would not be enough, nothing is let go.
  func hasRoom(for size: Int) async throws(StoreTrouble) -> Bool {
    let turn = try await turn()
    defer { turn.end() }
    return try await room(for: size, nil)
  }

  private func room(for size: Int, _ digest: String?) async throws(StoreTrouble) -> Bool {
    let (now, budget) = (now(), settings.budget)
    let freed: [String]? = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        if let digest, try tx.hasFile(digest) { return [] }
        var missing = try tx.bytesOfFiles() + size - budget
        guard missing > 0 else { return [] }
        var freed: [String] = []
        for (digest, size) in try tx.unheldFiles(at: now) where missing > 0 {
          freed.append(digest)
          missing -= size
        }
        guard missing <= 0 else { return nil }
        for digest in freed { try tx.forget(digest) }
        return freed
      }
    }
    guard let freed else { return false }
    try await drop(freed, ifUnknown: false)
    return true
  }

  /// The most that any file may have now: all that is free, or could be.
  func mostFitting() async throws(StoreTrouble) -> Int {
    let (now, budget) = (now(), settings.budget)
    return try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in
        let unheld = try tx.unheldFiles(at: now).reduce(0) { $0 + $1.size }
        return max(0, budget - (try tx.bytesOfFiles()) + unheld)
      }
    }
  }

  // MARK: - The end of a loan

  /// The loan is over: its file goes, unless another loan holds it or it is free for everybody.
  package func release(
    _ item: ItemID, on account: AccountID
  ) async throws(StoreTrouble) {
    let turn = try await turn()
    defer { turn.end() }
    let freed = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        try tx.release(item, on: account)
      }
    }
    try await drop(freed, ifUnknown: false)
  }

  /// The files of loans on these accounts, or on all, that are over although nobody said so: a process ended
  /// between the end of the loan and theirs, or the book was in no list that was followed.
  package func releaseLeft(on accounts: [AccountID]? = nil) async throws(StoreTrouble) {
    let left = try await database { () throws(DatabaseError) in
      try await store.read { tx throws(DatabaseError) in try tx.leftHoldings(on: accounts) }
    }
    guard !left.isEmpty else { return }
    let turn = try await turn()
    defer { turn.end() }
    let freed = try await database { () throws(DatabaseError) in
      try await store.write { tx throws(DatabaseError) in
        var freed: [String] = []
        // They may have been borrowed anew meanwhile.
        for (account, item) in try tx.leftHoldings(on: accounts) {
          freed += try tx.release(item, on: account)
        }
        return freed
      }
    }
    try await drop(freed, ifUnknown: false)
  }

  // MARK: - Steps

  func turn() async throws(StoreTrouble) -> Turn {
    let folder = folder
    try await onDisk { () throws(FileError) in try Folder.makePrivate(folder) }
    do throws(MachineError) { return try await Turn.taken(at: "\(folder)/lock") } catch {
      throw .file(.failed(error))
    }
  }

  /// Takes files away that no row tells of; with the second word, only if that is so.
  private func drop(_ digests: [String], ifUnknown: Bool) async throws(StoreTrouble) {
    var digests = digests
    if ifUnknown {
      let all = digests
      digests = try await database { () throws(DatabaseError) in
        try await store.read { tx throws(DatabaseError) in
          var unknown: [String] = []
          for digest in all where try !tx.hasFile(digest) { unknown.append(digest) }
          return unknown
        }
      }
    }
    let paths = digests.map { path(of: $0) }
    try await remove(paths)
  }

  func remove(_ paths: [String]) async throws(StoreTrouble) {
    guard !paths.isEmpty else { return }
    try await onDisk { () throws(FileError) in
      for path in paths {
        do throws(MachineError) { try GuardedFile.remove(path) } catch {
          if !error.isMissing { throw .failed(error) }
        }
      }
    }
  }

  @discardableResult
  func onDisk<T: Sendable>(
    _ work: @escaping @Sendable () throws(FileError) -> T
  ) async throws(StoreTrouble) -> T {
    let result = await OwnThread.run { Result { () throws(FileError) in try work() } }
    do throws(FileError) { return try result.get() } catch { throw .file(error) }
  }

  func database<T: Sendable>(
    _ body: () async throws(DatabaseError) -> T
  ) async throws(StoreTrouble) -> T {
    do throws(DatabaseError) { return try await body() } catch { throw .database(error) }
  }
}
