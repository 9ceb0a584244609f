package import Secrets
import Synchronization

/// The second net under the types: it knows the secrets now in use, in every spelling in which they
/// could slip into a text, and replaces them by dots wherever they stand.
package final class Redactor: Sendable {
  private let known = Mutex(KnownSpellings())

  package init() {}

  /// From now on this secret is looked for. Under four characters it is not: it would blank half of
  /// every line, and only types protect it.
  package func learn(_ secret: Secret) {
    let spellings = SecretSpellings(of: secret)
    known.withLock { $0.add(spellings) }
  }

  /// The secret is no longer in use, as after an account is unlinked.
  package func forget(_ secret: Secret) {
    let spellings = SecretSpellings(of: secret)
    known.withLock { $0.remove(spellings) }
  }

  package func redacted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard let cleaned = redacted(bytes) else { return text }
    return String(decoding: cleaned, as: UTF8.self)
  }

  /// Nil where nothing had to be replaced. One pass over the text, and nobody waits for it: the
  /// lock is held only to take hold of what is known.
  package func redacted(_ bytes: [UInt8]) -> [UInt8]? {
    let known = known.withLock { $0 }
    guard !known.isEmpty else { return nil }
    var out: [UInt8] = []
    var (copied, index) = (0, 0)
    while index + SecretSpellings.shortest <= bytes.count {
      guard let match = known.match(in: bytes, at: index) else {
        index += 1
        continue
      }
      out += bytes[copied..<index]
      index += match.count
      if match.isPartial {
        while let last = out.last, Self.isBase64(last) { out.removeLast() }
        while index < bytes.count, Self.isBase64(bytes[index]) { index += 1 }
      }
      out += Self.dots
      copied = index
    }
    guard copied > 0 else { return nil }
    return out + bytes[copied...]
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    SecretSpellings.isAlphanumeric(byte) || "+/-_=".utf8.contains(byte)
  }

  private static let dots = Array("•••".utf8)
}

/// All spellings now looked for. A value, so that a text can be gone through without the lock.
private struct KnownSpellings {
  private struct Spelling {
    let bytes: [UInt8]
    let isPartial: Bool
    var owners: Int
  }

  /// By their first two bytes, longest first.
  private var byStart: [UInt16: [Spelling]] = [:]
  /// One bit for each possible start: nearly every place of a text ends here.
  private var starts = [UInt64](repeating: 0, count: 1024)

  var isEmpty: Bool { byStart.isEmpty }

  mutating func add(_ spellings: SecretSpellings) {
    for bytes in spellings.whole { add(bytes, isPartial: false) }
    for bytes in spellings.partial { add(bytes, isPartial: true) }
  }

  mutating func remove(_ spellings: SecretSpellings) {
    for bytes in spellings.whole { remove(bytes, isPartial: false) }
    for bytes in spellings.partial { remove(bytes, isPartial: true) }
  }

  private mutating func add(_ bytes: [UInt8], isPartial: Bool) {
    let start = Self.start(of: bytes, at: 0)
    var bucket = byStart[start] ?? []
    if let place = bucket.firstIndex(where: { $0.bytes == bytes && $0.isPartial == isPartial }) {
      bucket[place].owners += 1
    } else {
      bucket.append(Spelling(bytes: bytes, isPartial: isPartial, owners: 1))
      bucket.sort { $0.bytes.count > $1.bytes.count }
    }
    byStart[start] = bucket
    starts[Int(start >> 6)] |= 1 << UInt64(start & 63)
  }

  private mutating func remove(_ bytes: [UInt8], isPartial: Bool) {
    let start = Self.start(of: bytes, at: 0)
    guard var bucket = byStart[start],
      let place = bucket.firstIndex(where: { $0.bytes == bytes && $0.isPartial == isPartial })
    else { return }
    bucket[place].owners -= 1
    if bucket[place].owners == 0 { bucket.remove(at: place) }
    byStart[start] = bucket.isEmpty ? nil : bucket
    if bucket.isEmpty { starts[Int(start >> 6)] &= ~(1 << UInt64(start & 63)) }
  }

  func match(in bytes: [UInt8], at index: Int) -> (count: Int, isPartial: Bool)? {
    let start = Self.start(of: bytes, at: index)
    guard starts[Int(start >> 6)] >> UInt64(start & 63) & 1 == 1,
      let spelling = byStart[start]?.first(where: { stands($0, in: bytes, at: index) })
    else { return nil }
    return (spelling.bytes.count, spelling.isPartial)
  }

  private func stands(_ spelling: Spelling, in bytes: [UInt8], at index: Int) -> Bool {
    let end = index + spelling.bytes.count
    guard end <= bytes.count, bytes[index..<end].elementsEqual(spelling.bytes) else { return false }
    // A short one, a PIN of four digits say, counts only as a word of its own: a year in a date or
    // a part of a duration is none.
    guard !spelling.isPartial, spelling.bytes.count < 8 else { return true }
    return !(index > 0 && isWordPart(bytes[index - 1]))
      && !(end < bytes.count && isWordPart(bytes[end]))
  }

  private func isWordPart(_ byte: UInt8) -> Bool {
    SecretSpellings.isAlphanumeric(byte) || byte >= 0x80
  }

  private static func start(of bytes: [UInt8], at index: Int) -> UInt16 {
    UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
  }
}
