package import Secrets

/// Bytes of any length sealed with a passphrase, piece by piece, so that a file larger than memory can
/// be read without trusting any of it before it was proved. After STREAM (Hoang, Reyhanitabar, Rogaway,
/// Vizár 2015) as age does it: the pieces are counted, and the last one says that it is.
///
///     head     "carrel-sealed/1\n", log2 N, r, p (1 byte each), salt (16), proof (32)
///     pieces   64 KiB and a tag each; the last may be shorter
package enum SealedStream {
  package static let mark = Array("carrel-sealed/1\n".utf8)
  package static let headLength = mark.count + 3 + saltLength + Digest.sha256.length
  package static let pieceLength = 64 << 10
  package static let sealedLength = pieceLength + AESGCM.tagLength

  fileprivate static let saltLength = 16

  package enum Failure: Error, Sendable, Hashable {
    /// It does not begin as such a file does.
    case notSealed
    case wrongPassphrase
    /// Changed, or put together from parts.
    case damaged
    case truncated
    /// Behind the last piece stands more.
    case trailing
    case crypto(CryptoError)
  }

  /// Two keys from one passphrase: one proves the head, one seals the pieces.
  fileprivate struct Keys {
    let head: [UInt8]
    let pieces: Secret

    init(
      _ passphrase: Secret, salt: [UInt8], cost: KeyDerivation.ScryptCost
    ) throws(CryptoError) {
      let root = try KeyDerivation.scrypt(
        passphrase, salt: salt, cost: cost, length: AESGCM.keyLength)
      let fields =
        mark + [UInt8(cost.n.trailingZeroBitCount), UInt8(cost.r), UInt8(cost.p)] + salt
      let proof = try KeyDerivation.hkdf(
        root, info: Array("carrel/sealed-head".utf8), length: AESGCM.keyLength)
      head = fields + Digest.sha256.authenticate(fields, key: proof)
      pieces = try KeyDerivation.hkdf(
        root, info: Array("carrel/sealed-pieces".utf8), length: AESGCM.keyLength)
    }

    /// The key is used for one file, so a number is as good as chance.
    static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
      [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        + [isLast ? 1 : 0]
    }
  }
}

/// Seals what it is given.
package struct StreamSealer: Sendable {
  /// Goes in front of everything.
  package let head: [UInt8]
  private let key: Secret
  private var number: UInt64 = 0
  private var waiting: [UInt8] = []

  package init(
    _ passphrase: Secret, cost: KeyDerivation.ScryptCost = .interactive
  ) throws(CryptoError) {
    let keys = try SealedStream.Keys(
      passphrase, salt: try randomBytes(SealedStream.saltLength), cost: cost)
    (head, key) = (keys.head, keys.pieces)
  }

  /// Whole pieces of what was given by now; the rest waits.
  package mutating func seal(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    waiting += bytes
    var out: [UInt8] = []
    var start = 0
    // The last piece must know that it is: one byte more has to be there.
    while waiting.count - start > SealedStream.pieceLength {
      out += try piece(
        Array(waiting[start..<start + SealedStream.pieceLength]), isLast: false)
      start += SealedStream.pieceLength
    }
    waiting.removeFirst(start)
    return out
  }

  package mutating func finish() throws(CryptoError) -> [UInt8] {
    defer { waiting = [] }
    return try piece(waiting, isLast: true)
  }

  private mutating func piece(_ bytes: [UInt8], isLast: Bool) throws(CryptoError) -> [UInt8] {
    defer { number += 1 }
    return try AESGCM.seal(
      bytes, key: key, nonce: SealedStream.Keys.nonce(number, isLast: isLast))
  }
}

/// Opens what was sealed, as it comes.
package struct StreamOpener: Sendable {
  private let key: Secret
  private var number: UInt64 = 0
  private var waiting: [UInt8] = []
  private var isOver = false

  /// The head of the file, `SealedStream.headLength` bytes.
  package init(_ passphrase: Secret, head: [UInt8]) throws(SealedStream.Failure) {
    let fields = SealedStream.mark.count
    guard head.count == SealedStream.headLength, head.starts(with: SealedStream.mark) else {
      throw .notSealed
    }
    // A changed head must not exhaust the machine before it is found out.
    guard head[fields] <= 20 else { throw .damaged }
    let keys: SealedStream.Keys
    do throws(CryptoError) {
      let cost = try KeyDerivation.ScryptCost(
        n: 1 << UInt64(head[fields]), r: UInt32(head[fields + 1]), p: UInt32(head[fields + 2]))
      keys = try SealedStream.Keys(
        passphrase, salt: Array(head[(fields + 3)...].prefix(SealedStream.saltLength)), cost: cost)
    } catch {
      throw .crypto(error)
    }
    guard constantTimeEqual(keys.head, head) else { throw .wrongPassphrase }
    key = keys.pieces
  }

  /// What is proved by now. The last piece is opened by `finish`.
  package mutating func open(_ bytes: [UInt8]) throws(SealedStream.Failure) -> [UInt8] {
    waiting += bytes
    var (out, start): ([UInt8], Int) = ([], 0)
    while waiting.count - start > SealedStream.sealedLength {
      out += try piece(Array(waiting[start..<start + SealedStream.sealedLength]), isLast: false)
      start += SealedStream.sealedLength
    }
    waiting.removeFirst(start)
    return out
  }

  package mutating func finish() throws(SealedStream.Failure) -> [UInt8] {
    defer { waiting = [] }
    guard waiting.count >= AESGCM.tagLength else { throw .truncated }
    return try piece(waiting, isLast: true)
  }

  private mutating func piece(
    _ bytes: [UInt8], isLast: Bool
  ) throws(SealedStream.Failure) -> [UInt8] {
    defer { number += 1 }
    if let plain = opened(bytes, isLast: isLast) { return plain }
    // A whole piece that stands last but is none: the file was cut between two.
    throw isLast && opened(bytes, isLast: false) != nil ? .truncated : .damaged
  }

  private func opened(_ bytes: [UInt8], isLast: Bool) -> [UInt8]? {
    try? AESGCM.open(bytes, key: key, nonce: SealedStream.Keys.nonce(number, isLast: isLast))
  }
}
