package import Secrets

extension Vault {
  /// Opens the vault whose key table is kept there.
  package static func open(
    _ source: RootSource, in place: KeyTablePlace
  ) async throws(VaultError) -> Vault {
    guard let bytes = try await place.load() else { throw .noKeyTable }
    return try await open(bytes, source, place)
  }

  private static func open(
    _ bytes: [UInt8], _ source: RootSource, _ place: KeyTablePlace
  ) async throws(VaultError) -> Vault {
    let ring = try ring(opening: bytes, from: source)
    if case .keyFile(let path) = source {
      try await KeyFile(path: path).settleUnlessBusy(in: place)
    }
    return try Vault(ring, from: source, in: place)
  }

  /// Makes the first key table, and never a second one: without the old one, everything that was
  /// sealed before would be lost.
  package static func make(
    _ source: RootSource, in place: KeyTablePlace, at now: Int64
  ) async throws(VaultError) -> Vault {
    guard try await place.load() == nil else { throw .keyTableExists }
    let (form, root) = try source.forNewTable()
    let ring = try KeyRing.new(form, root, at: now)
    let vault = try Vault(ring, from: source, in: place)
    guard try await place.replace(nil, ring.bytes) else { throw .keyTableExists }
    return vault
  }

  /// For a first start: makes what is missing. Several gateways may do so at once; the slower ones
  /// open what the fastest has made. A missing key file is made only where nothing is locked yet.
  package static func openOrMake(
    _ source: RootSource, in place: KeyTablePlace, at now: Int64
  ) async throws(VaultError) -> Vault {
    if let bytes = try await place.load() { return try await open(bytes, source, place) }
    if case .keyFile(let path) = source { try KeyFile(path: path).makeIfMissing() }
    do throws(VaultError) {
      return try await make(source, in: place, at: now)
    } catch {
      guard error == .keyTableExists else { throw error }
      return try await open(source, in: place)
    }
  }

  static func ring(
    opening bytes: [UInt8], from source: RootSource
  ) throws(VaultError) -> KeyRing {
    // The form is read first: hashing a passphrase takes a third of a second.
    let table = try KeyTable(bytes)
    for root in try source.candidates(for: table.root) {
      if let ring = try ring(opening: bytes, with: root) { return ring }
    }
    throw .wrongKey
  }

  /// Nil where the key is another one; a damaged table is an error.
  static func ring(opening bytes: [UInt8], with root: Secret) throws(VaultError) -> KeyRing? {
    do throws(VaultError) {
      return try KeyRing(opening: bytes, with: root)
    } catch {
      guard error == .wrongKey else { throw error }
      return nil
    }
  }
}
