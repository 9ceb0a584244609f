import Circulation
import Crypto
import Secrets

/// A slip as text: what it asks for, and a signature over that and the reader's name. The name itself
/// is not in it, so that it fits no other reader and tells none who this one is.
struct SlipText: Sendable, Hashable {
  static let numberLength = 12
  private static let signatureLength = 16
  private static let longest = 2_000

  let slip: Slip
  let number: [UInt8]
  /// Milliseconds since 1970.
  let until: Int64

  func signed(for patron: PatronID, _ key: Secret) -> String {
    let body = body
    return Base64.urlSafe.encode(Self.signature(body, patron, key) + body)
  }

  /// Nil for whatever this key did not sign for this reader.
  init?(_ text: String, for patron: PatronID, _ key: Secret) {
    guard text.utf8.count <= Self.longest, let bytes = try? Base64.urlSafe.decode(text),
      bytes.count > Self.signatureLength
    else { return nil }
    let body = Array(bytes.dropFirst(Self.signatureLength))
    guard
      constantTimeEqual(
        Array(bytes.prefix(Self.signatureLength)), Self.signature(body, patron, key))
    else { return nil }
    self.init(body: body)
  }

  init(slip: Slip, number: [UInt8], until: Int64) {
    (self.slip, self.number, self.until) = (slip, number, until)
  }

  // MARK: - The body

  /// The end, the number, and the words, apart by zero bytes, which stand in none of them.
  var body: [UInt8] {
    var body: [UInt8] = []
    for shift in stride(from: 56, through: 0, by: -8) {
      body.append(UInt8(truncatingIfNeeded: until >> Int64(shift)))
    }
    body += number
    let words = [
      slip.action.rawValue, slip.account.rawValue, slip.item.rawValue, slip.work.rawValue,
      slip.choice ?? "",
    ]
    return body + Array(words.joined(separator: "\0").utf8)
  }

  init?(body: [UInt8]) {
    let head = 8 + Self.numberLength
    guard body.count > head else { return nil }
    let words = body[head...].split(separator: 0, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard words.count == 5, let action = Slip.Action(rawValue: words[0]) else { return nil }
    until = body.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
    number = Array(body[8..<head])
    slip = Slip(
      action, ItemID(words[2]), on: AccountID(words[1]), of: WorkID(words[3]),
      choice: words[4].isEmpty ? nil : words[4])
  }

  private static func signature(_ body: [UInt8], _ patron: PatronID, _ key: Secret) -> [UInt8] {
    let bytes = Array("\(patron.rawValue)\0".utf8) + body
    return Array(Digest.sha256.authenticate(bytes, key: key).prefix(signatureLength))
  }
}
