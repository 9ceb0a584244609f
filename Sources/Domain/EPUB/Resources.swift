import Compression
import Crypto
import LCP
import Zip

/// Why an entry of an open book cannot be had.
package enum ResourceError: Error, Sendable, Hashable {
  case missing
  case tooLarge
  case unreadable
  /// Behind a lock we have no key for.
  case locked
}

extension Book {
  /// An entry as its readers are meant to get it: veiled fonts are cleared, and what the license locks
  /// is opened, in memory alone.
  package func bytes(of path: String, upTo limit: Int = 32 << 20) throws(ResourceError) -> [UInt8] {
    guard let (entry, _) = container.archive.entry(named: path), !entry.isFolder else {
      throw .missing
    }
    let protection = container.protection
    if let lock = protection.locked[entry.name] ?? protection.locked[path] {
      return try opened(entry, lock, upTo: limit)
    }
    let bytes: [UInt8]
    do throws(ZipError) { bytes = try container.archive.read(entry, upTo: limit) } catch {
      // What was packed before it was veiled does not unpack until it is cleared.
      if let early = cleared(packed: entry, upTo: limit) { return early }
      if case .tooLarge = error { throw .tooLarge }
      throw .unreadable
    }
    guard let veil = protection.obfuscated[entry.name], let key = key(veil) else { return bytes }
    let clear = veil.clear(bytes, key: key)
    if Obfuscation.looksLikeFont(clear) { return clear }
    return cleared(packed: entry, upTo: limit) ?? clear
  }

  /// What the directory tells of an entry's length; nil where it is veiled or locked, so that only
  /// `bytes` gives it as it is meant.
  package func plainLength(of path: String) -> Int? {
    guard let (entry, _) = container.archive.entry(named: path), !entry.isFolder else { return nil }
    let protection = container.protection
    guard protection.locked[entry.name] == nil, protection.locked[path] == nil,
      protection.obfuscated[entry.name] == nil
    else { return nil }
    return entry.size
  }

  /// Such an entry piece by piece, until `take` has enough.
  package func read(
    _ path: String, upTo limit: Int, _ take: ([UInt8]) -> Bool
  ) throws(ResourceError) {
    guard let (entry, _) = container.archive.entry(named: path), !entry.isFolder else {
      throw .missing
    }
    do throws(ZipError) {
      try container.archive.read(entry, upTo: limit) { piece throws(ZipError) in take(piece) }
    } catch {
      if case .tooLarge = error { throw .tooLarge }
      throw .unreadable
    }
  }

  private func opened(
    _ entry: ZipEntry, _ lock: Protection.Lock, upTo limit: Int
  ) throws(ResourceError) -> [UInt8] {
    guard let contentKey, lock.isLCP else { throw .locked }
    if let length = lock.length, length > limit { throw .tooLarge }
    let sealed: [UInt8]
    // What does not pack well grows a little, and the lock adds two blocks.
    let most = limit + limit / 512 + 1024
    do throws(ZipError) { sealed = try container.archive.read(entry, upTo: most) } catch {
      if case .tooLarge = error { throw .tooLarge }
      throw .unreadable
    }
    guard var bytes = try? contentKey.open(sealed) else { throw .unreadable }
    if lock.isPacked {
      do throws(CompressionError) {
        bytes = try Inflater.inflate(bytes, as: .raw, limit: lock.length ?? limit)
      } catch {
        throw .unreadable
      }
    }
    // More or less than was announced is not what the lender locked.
    guard bytes.count == lock.length ?? bytes.count else { throw .unreadable }
    guard bytes.count <= limit else { throw .tooLarge }
    return bytes
  }

  /// The key of this book for veiled fonts.
  package func key(_ veil: Obfuscation) -> [UInt8]? {
    veil.key(
      unique: document.metadata.uniqueIdentifier,
      identifiers: document.metadata.identifiers.map(\.text))
  }

  /// Old tools packed fonts first and veiled them then.
  private func cleared(packed entry: ZipEntry, upTo limit: Int) -> [UInt8]? {
    guard let veil = container.protection.obfuscated[entry.name], let key = key(veil),
      !entry.isStored,
      let packed = try? container.archive.read(entry, upTo: limit, as: .packed),
      let font = try? Inflater.inflate(veil.clear(packed, key: key), as: .raw, limit: limit),
      Obfuscation.looksLikeFont(font)
    else { return nil }
    return font
  }
}
