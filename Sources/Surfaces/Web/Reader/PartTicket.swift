import Circulation
import Crypto
import Downloads
import FrontDesk
package import Registry

/// Names the parts of one book for a few hours. Its address cannot be guessed, and answers only with the
/// cookie of the session it was made for. It ends with that session and with the loan: both are looked
/// up each time.
package struct PartTicket: Sendable, Hashable {
  /// Of the vault's sub-key that signs tickets. A copy of the database does not have it.
  package static let keyLabel = "carrel/book-parts"

  let patron: PatronID
  let account: AccountID
  let item: ItemID
  let digest: String
  let session: SessionReference
  /// Milliseconds since 1970.
  let until: Int64

  private static let span: Int64 = 2 * 3_600_000

  /// The same for as long as it can be, so that browsers know what they have.
  init(_ file: BookStore.Book, for session: SessionReference, now: Int64) {
    (patron, account, item, digest) = (file.patron, file.account, file.item, file.digest)
    self.session = session
    until = (now / Self.span + 2) * Self.span
  }

  /// The first part is the same for as long as the loan: a service worker finds kept parts by it.
  func text(_ signer: Signer) -> String {
    let book = Self.encoded([patron.rawValue, account.rawValue, item.rawValue, digest])
    let bounds = Self.encoded([session.text, "\(until)"])
    return "\(book).\(bounds).\(signer.signature(of: "book part", book, bounds))"
  }

  /// Nil for what was not made here, is over, or would be good for longer than tickets are.
  init?(_ text: String, _ signer: Signer, now: Int64) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard text.utf8.count <= 2_000, parts.count == 3,
      signer.vouches(for: parts[2], of: "book part", parts[0], parts[1]),
      let book = Self.decoded(parts[0]), let bounds = Self.decoded(parts[1]),
      book.count == 4, bounds.count == 2, let session = SessionReference(bounds[0]),
      let until = Int64(bounds[1]), until > now, until <= now + 2 * Self.span
    else { return nil }
    (patron, account, item) = (PatronID(book[0]), AccountID(book[1]), ItemID(book[2]))
    (digest, self.session, self.until) = (book[3], session, until)
  }

  private static func encoded(_ words: [String]) -> String {
    Base64.urlSafe.encode(Array(words.joined(separator: "\n").utf8))
  }

  private static func decoded(_ text: String) -> [String]? {
    guard let bytes = try? Base64.urlSafe.decode(text) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
