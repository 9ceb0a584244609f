import Crypto

/// The data keys, each wrapped with the root key, and what is needed to unwrap them. It holds nothing
/// that is secret by itself, and belongs into every backup; the root key belongs elsewhere.
struct KeyTable: Sendable, Hashable {
  struct Entry: Sendable, Hashable {
    let number: UInt16
    /// Milliseconds since 1970.
    let madeAt: Int64
    /// How often the key had sealed when the table was last written.
    var seals: UInt64
    let wrapped: [UInt8]
  }

  var root: RootForm
  /// By number. Number zero never seals: the keys for other jobs are derived from it, and so they
  /// stay the same when the root key changes.
  var entries: [Entry]
  /// A fixed text, sealed with the active key and bound to all of the above.
  var check: [UInt8] = []

  static let seedNumber: UInt16 = 0
  static let wrappedLength = AESGCM.keyLength + Sealing.overhead
  static let checkText = Array("carrel-check".utf8)
  static let checkLength = checkText.count + Sealing.overhead

  /// A new key is used at once, so the active one is always the last.
  var active: Entry { entries[entries.count - 1] }
}

/// As bytes:
///
///     12 bytes "carrel-keys\n", 1 byte format, 1 byte root: 0 key file, 1 passphrase
///     passphrase only: 8 bytes N, 4 bytes r, 4 bytes p, 16 bytes salt
///     2 bytes count, and for each key: 2 bytes number, 8 bytes time, 8 bytes seals, 60 bytes wrapped
///     40 bytes check value
///     32 bytes SHA-256 of all before
///
/// The sum at the end needs no key: it tells a file that was damaged from a key that is wrong.
extension KeyTable {
  static let magic = Array("carrel-keys\n".utf8)

  /// Everything that the check value is bound to.
  var body: [UInt8] {
    var bytes = Self.magic + [1]
    switch root {
    case .keyFile: bytes.append(0)
    case .passphrase(let stretching):
      bytes.append(1)
      bytes.append(bigEndian: stretching.cost.n)
      bytes.append(bigEndian: stretching.cost.r)
      bytes.append(bigEndian: stretching.cost.p)
      bytes += stretching.salt
    }
    bytes.append(bigEndian: UInt16(entries.count))
    for entry in entries {
      bytes.append(bigEndian: entry.number)
      bytes.append(bigEndian: entry.madeAt)
      bytes.append(bigEndian: entry.seals)
      bytes += entry.wrapped
    }
    return bytes
  }

  var bytes: [UInt8] {
    let counted = body + check
    return counted + Digest.sha256.hash(counted)
  }

  init(_ bytes: [UInt8]) throws(VaultError) {
    guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count + 32 else {
      throw .damaged(.keyTable)
    }
    guard Digest.sha256.hash(Array(bytes.dropLast(32))) == Array(bytes.suffix(32)) else {
      throw .damaged(.keyTable)
    }
    guard bytes[Self.magic.count] == 1 else { throw .otherFormat(.keyTable) }
    var reader = ByteReader(Array(bytes.dropFirst(Self.magic.count + 1).dropLast(32)))
    guard let root = try Self.root(&reader), let entries = Self.entries(&reader),
      let check = reader.take(Self.checkLength), reader.isAtEnd
    else { throw .damaged(.keyTable) }
    let numbers = entries.map(\.number)
    guard numbers.count >= 2, numbers[0] == Self.seedNumber,
      zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw .damaged(.keyTable) }
    (self.root, self.entries, self.check) = (root, entries, check)
  }

  private static func root(_ reader: inout ByteReader) throws(VaultError) -> RootForm? {
    switch reader.number(UInt8.self) {
    case 0: return .keyFile
    case 1:
      guard let n = reader.number(UInt64.self), let r = reader.number(UInt32.self),
        let p = reader.number(UInt32.self), let salt = reader.take(16)
      else { return nil }
      return .passphrase(try Stretching(n: n, r: r, p: p, salt: salt))
    default: return nil
    }
  }

  private static func entries(_ reader: inout ByteReader) -> [Entry]? {
    guard let count = reader.number(UInt16.self) else { return nil }
    var entries: [Entry] = []
    for _ in 0..<count {
      guard let number = reader.number(UInt16.self), let madeAt = reader.number(Int64.self),
        let seals = reader.number(UInt64.self), let wrapped = reader.take(wrappedLength)
      else { return nil }
      entries.append(Entry(number: number, madeAt: madeAt, seals: seals, wrapped: wrapped))
    }
    return entries
  }
}
