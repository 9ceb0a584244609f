import Crypto
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import Vault

/// A key table in memory, which several vaults may share.
final class MemoryPlace: Sendable {
  private let kept: Mutex<[UInt8]?>

  init(_ bytes: [UInt8]? = nil) { kept = Mutex(bytes) }

  var bytes: [UInt8]? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }

  var place: KeyTablePlace {
    KeyTablePlace(
      load: { () throws(VaultError) in self.bytes },
      replace: { old, new throws(VaultError) in
        self.kept.withLock { kept in
          guard kept == old else { return false }
          kept = new
          return true
        }
      })
  }
}

/// Lets a process die at a step: everything it asks from then on fails, and a replacement may have
/// been made or not.
final class Death: Sendable {
  private let left: Mutex<Int>

  init(atStep step: Int) { left = Mutex(step) }

  var hasCome: Bool { left.withLock { $0 < 0 } }

  private func step() throws(VaultError) {
    let isAlive = left.withLock { left in
      left -= 1
      return left >= 0
    }
    guard isAlive else { throw .placeFailed("interrupted") }
  }

  func threatening(_ place: KeyTablePlace) -> KeyTablePlace {
    KeyTablePlace(
      load: { () async throws(VaultError) in
        try self.step()
        return try await place.load()
      },
      replace: { old, new async throws(VaultError) in
        try self.step()
        let done = try await place.replace(old, new)
        try self.step()
        return done
      })
  }
}

/// Twenty secrets under their names, and a look whether all are still there.
struct Collection {
  private(set) var records: [(name: RecordName, blob: [UInt8])] = []

  static func secret(_ number: Int) -> String { "secret number \(number)" }

  mutating func add(_ count: Int, to vault: Vault) throws {
    for _ in 0..<count {
      let number = records.count
      let name = RecordName(owner: "reader-\(number)", provider: "some", field: "pin")
      let blob = try vault.seal(Secret(Self.secret(number)), as: name, version: 1)
      records.append((name, blob))
    }
  }

  func lost(in vault: Vault) -> [Int] {
    records.indices.filter { number in
      let text = try? vault.open(records[number].blob, as: records[number].name, version: 1)
        .revealText { $0 }
      return text != Self.secret(number)
    }
  }
}

let somebody = RecordName(owner: "reader-7", provider: "overdrive", field: "pin")

/// The cheapest that is accepted; a test need not wait longer.
func passphrase(_ text: String) -> RootSource { .passphrase(Secret(text), n: 1 << 15) }

/// A vault of its own, with a key nobody else has.
func newVault(in place: KeyTablePlace = MemoryPlace().place) throws -> Vault {
  let root = try Secret.random(32)
  return try Vault(try KeyRing.new(.keyFile, root, at: 0), from: passphrase("unused"), in: place)
}

func error<R>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async -> VaultError? {
  await #expect(throws: VaultError.self, sourceLocation: sourceLocation) { _ = try await body() }
}

extension Secret {
  var text: String { revealText { $0 } }
}
