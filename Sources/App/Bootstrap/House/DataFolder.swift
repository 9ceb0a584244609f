import Console
import Database
import JSON
import Machine
import Setup

/// The folder of all data. Whoever works with it holds it together with others; whoever puts a backup
/// in its place holds it alone.
struct DataFolder: Sendable {
  let path: String
  let database: Location

  init(_ configuration: Configuration, _ place: GatewayPlace) throws(HouseError) {
    path = configuration.paths.data ?? place.data
    do throws(FileError) { _ = try Folder.makePrivate(path) } catch { throw .folder(error) }
    do throws(DatabaseError) {
      database = try Location(configuration.database.url ?? "\(path)/carrel.sqlite")
    } catch {
      throw .database(error)
    }
  }

  var keyTable: String { "\(path)/vault.keys" }
  var books: String { "\(path)/books" }

  /// What the line of a gateway to PostgreSQL holds: "carrel", in numbers.
  static let presence: Int64 = 0x6361_7272_656C_0001

  func join() throws(HouseError) -> ProcessLock {
    if Files.exists(moves) {
      // Somebody was killed while changing the files over.
      let alone = try lock(shared: false)
      try filing { () throws(MachineError) in try finishMoves() }
      _ = consume alone
    }
    return try lock(shared: true)
  }

  func takeAlone() throws(HouseError) -> ProcessLock {
    let alone = try lock(shared: false)
    try filing { () throws(MachineError) in try finishMoves() }
    return alone
  }

  private func lock(shared: Bool) throws(HouseError) -> ProcessLock {
    do throws(ProcessLock.Failure) {
      return try ProcessLock(at: "\(path)/in-use.lock", shared: shared)
    } catch {
      switch error {
      case .held: throw .inUse("another process works with \(path)")
      case .failed(let error): throw .folder(.failed(error))
      }
    }
  }

  private func filing(_ body: () throws(MachineError) -> Void) throws(HouseError) {
    do throws(MachineError) { try body() } catch { throw .folder(.failed(error)) }
  }

  // MARK: - Changing several files over at once

  /// One file that takes the place of another.
  struct Move: Sendable, Hashable {
    let from: String
    let to: String
  }

  private var moves: String { "\(path)/restore.moves" }

  /// What is written here is done, by this process or by the next: all of it, or, before the file
  /// stands, none. A database comes without the log beside it, so an old log goes.
  func exchange(_ list: [Move]) throws(MachineError) {
    let json: JSONValue = .array(
      list.map { ["from": .string($0.from), "to": .string($0.to)] })
    try WholeFile.write(json.bytes(), to: moves)
    try finishMoves()
  }

  private func finishMoves() throws(MachineError) {
    guard let bytes = try? WholeFile.read(moves, upTo: 1 << 16),
      let list = (try? JSONValue(parsing: bytes))?.array
    else { return }
    for one in list {
      guard let from = one["from"]?.string, let to = one["to"]?.string, Files.exists(from) else {
        // Done before the process was killed.
        continue
      }
      for log in ["-wal", "-shm"] { try GuardedFile.remove(to + log) }
      try GuardedFile.move(from, over: to)
    }
    try GuardedFile.remove(moves)
  }
}
