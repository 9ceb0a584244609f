import Machine

/// How often a gateway on this data folder ended without a clean stop. Each gateway holds a file for as
/// long as it runs, and a clean stop removes it: a file that no process holds was left by a crash.
final class CrashCount: Sendable {
  /// When this gateway started.
  let total: Int
  /// Those that were found at this start.
  let found: Int

  private let own: String
  private let lock: ProcessLock

  private static let ending = ".run"
  private static let note = ".address"

  init(in data: String) throws(FileError) {
    let folder = "\(data)/running"
    try Folder.makePrivate(folder)
    do throws(MachineError) {
      (total, found) = try Self.counted(in: folder)
      own = "\(folder)/\(String(Chance.system.next(), radix: 36))\(Self.ending)"
      // Under its name only once it is held, or another start would count it.
      let draft = "\(own).new"
      lock = try Self.hold(draft)
      try GuardedFile.move(draft, over: own)
    } catch {
      throw .failed(error)
    }
  }

  /// A clean stop.
  func end() {
    try? GuardedFile.remove(own)
    try? GuardedFile.remove(own + Self.note)
  }

  /// Where this gateway answers, for commands on this machine that print links to it. It may have
  /// another port than the settings say.
  func note(address: String) {
    try? WholeFile.write(Array("\(address)\n".utf8), to: own + Self.note)
  }

  /// Where a gateway on this data folder answers now; nil where none runs.
  static func address(in data: String) -> String? {
    let folder = "\(data)/running"
    for file in CacheFolder(folder).all() where file.name.hasSuffix(ending) {
      let path = "\(folder)/\(file.name)"
      // What can be held was left by a crash.
      if let lock = try? ProcessLock(at: path) {
        _ = consume lock
        continue
      }
      guard let bytes = try? WholeFile.read(path + note, upTo: 1024) else { continue }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
    return nil
  }

  private static func hold(_ path: String) throws(MachineError) -> ProcessLock {
    do throws(ProcessLock.Failure) { return try ProcessLock(at: path) } catch {
      switch error {
      case .failed(let cause): throw cause
      case .held(let path, _): throw MachineError(code: 0, attempt: "lock", subject: path)
      }
    }
  }

  /// Two that start at the same time must not count one crash twice: the second leaves it to the first.
  private static func counted(in folder: String) throws(MachineError) -> (total: Int, found: Int) {
    let sum = "\(folder)/crashes"
    guard let turn = try? ProcessLock(at: "\(folder)/count.lock") else {
      return (written(in: sum), 0)
    }
    var left: [String] = []
    for file in CacheFolder(folder).all() where file.name.hasSuffix(ending) {
      let path = "\(folder)/\(file.name)"
      if let lock = try? ProcessLock(at: path) {
        left.append(path)
        _ = consume lock
      }
    }
    let total = written(in: sum) + left.count
    if !left.isEmpty {
      // First the sum: on a full disk the files stay, and a later start counts them.
      try WholeFile.write(Array("\(total)\n".utf8), to: sum)
      for path in left {
        try GuardedFile.remove(path)
        try? GuardedFile.remove(path + note)
      }
    }
    _ = consume turn
    return (total, left.count)
  }

  private static func written(in sum: String) -> Int {
    guard let bytes = try? WholeFile.read(sum, upTo: 64) else { return 0 }
    return Int(String(decoding: bytes, as: UTF8.self).prefix { $0.isNumber }) ?? 0
  }
}
