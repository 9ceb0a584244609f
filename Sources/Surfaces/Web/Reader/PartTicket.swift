import Circulation
import Crypto
import Downloads
import FrontDesk
import Registry

/// Lets whoever has it read the parts of one book for a few hours, and nothing else. The page of a
/// book has no origin of its own that cookies would go to, so its pictures are asked for by an address
/// that nobody guesses. It ends with the loan, because the loan is looked at each time.
struct PartTicket: Sendable, Hashable {
  let patron: PatronID
  let account: AccountID
  let item: ItemID
  let digest: String
  /// Milliseconds since 1970.
  let until: Int64

  private static let span: Int64 = 2 * 3_600_000

  /// The same for as long as it can be, so that browsers know what they have.
  init(_ file: BookStore.Book, now: Int64) {
    (patron, account, item, digest) = (file.patron, file.account, file.item, file.digest)
    until = (now / Self.span + 2) * Self.span
  }

  func text(_ signer: Signer) -> String {
    let body = Base64.urlSafe.encode(
      Array(
        [patron.rawValue, account.rawValue, item.rawValue, digest, "\(until)"]
          .joined(separator: "\n").utf8))
    return "\(body).\(signer.signature(of: "book part", body))"
  }

  /// Nil for what was not made here, or is over.
  init?(_ text: String, _ signer: Signer, now: Int64) {
    let sides = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard text.utf8.count <= 2_000, sides.count == 2,
      signer.vouches(for: sides[1], of: "book part", sides[0]),
      let bytes = try? Base64.urlSafe.decode(sides[0])
    else { return nil }
    let words = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 5, let until = Int64(words[4]), until > now else { return nil }
    (patron, account, item) = (PatronID(words[0]), AccountID(words[1]), ItemID(words[2]))
    (digest, self.until) = (words[3], until)
  }
}
