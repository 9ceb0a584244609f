import Machine
package import Secrets

/// Opens the vault when the first secret is needed, once: everybody who comes meanwhile waits for the
/// same opening, since hashing a passphrase takes 128 MiB each time. Without a passphrase the program
/// runs, and only what needs a secret is refused.
package actor VaultDoor {
  private var source: RootSource?
  private let place: KeyTablePlace
  private let now: @Sendable () -> Int64
  private var opening: Task<Result<Vault, VaultError>, Never>?
  /// A passphrase that was wrong: it is not kept, and why the vault stays locked is.
  private var wasWrong = false

  /// Nothing as source: sealed, until `unseal`.
  package init(
    _ source: RootSource?, in place: KeyTablePlace, now: @escaping @Sendable () -> Int64
  ) {
    (self.source, self.place, self.now) = (source, place, now)
  }

  package func vault() async throws(VaultError) -> Vault {
    if let opening { return try await opening.value.get() }
    guard let source else { throw .sealed }
    let (place, now) = (place, now)
    let task = Task { await Self.open(source, place, now) }
    opening = task
    let result = await task.value
    switch result {
    case .success:
      // The vault keeps what it needs of it; a passphrase need not live any longer.
      self.source = source.rereadable
    case .failure(let error):
      // Meanwhile somebody may have come with another passphrase.
      guard opening == task else { break }
      opening = nil
      // A wrong passphrase stays wrong.
      if error == .wrongKey {
        self.source = source.rereadable
        wasWrong = true
      }
    }
    return try result.get()
  }

  package func unseal(_ passphrase: Secret) async throws(VaultError) {
    while let opening {
      if case .success = await opening.value { return }
      // Of several who waited one has begun another, perhaps.
      if self.opening == opening { self.opening = nil }
    }
    source = .passphrase(passphrase)
    _ = try await vault()
  }

  /// Whether secrets can be sealed and opened.
  package enum State: Sendable, Hashable {
    /// There is no table of keys: nothing was sealed yet.
    case unused
    case open
    case locked(VaultError)
  }

  /// Opens the vault if there is one, and makes none. A vault that is open stays so for as long as it
  /// has the keys, whatever becomes of the root key meanwhile.
  package func check() async -> State {
    if let opening, case .success(let vault) = await opening.value {
      return await vault.hasAllKeys() ? .open : .locked(.wrongKey)
    }
    do throws(VaultError) {
      guard try await place.load() != nil else { return .unused }
      _ = try await vault()
      return .open
    } catch {
      return .locked(error == .sealed && wasWrong ? .wrongKey : error)
    }
  }

  /// Before a clean stop: writes down how often the keys have sealed. A vault that was never opened
  /// has nothing to tell, and what a crash loses are a few of 2^28.
  package func leave() async throws(VaultError) {
    guard let opening, case .success(let vault) = await opening.value else { return }
    try await vault.keepCount()
  }

  /// Whether the key has sealed so much, or for so long, that a new one should follow; false while
  /// the vault is shut.
  package func isDueForNewKey(at now: Int64) async -> Bool {
    guard let opening, case .success(let vault) = await opening.value else { return false }
    return vault.isDueForNewKey(at: now)
  }

  private static func open(
    _ source: RootSource, _ place: KeyTablePlace, _ now: @Sendable () -> Int64
  ) async -> Result<Vault, VaultError> {
    do throws(VaultError) {
      return .success(try await Vault.openOrMake(source, in: place, at: now()))
    } catch {
      return .failure(error)
    }
  }
}
