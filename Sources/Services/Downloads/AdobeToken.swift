import Circulation
import Machine
import Markup
import XML

/// The document that Adobe's programs exchange for a book: a matter of minutes, and then of asking
/// again. It is looked at and handed on as it came; its seal is between its maker and Adobe.
package struct AdobeToken: Sendable, Hashable {
  package let title: String?
  package let creator: String?
  /// The media type of the book.
  package let format: String?
  package let distributor: String?
  package let transaction: String?
  /// Until when it can be exchanged, in milliseconds since 1970; nil where it does not say.
  package let expires: Int64?

  static let longest = 256 << 10
  private static let namespace = "http://ns.adobe.com/adept"

  /// Nil for what is no such document.
  package init?(_ bytes: [UInt8]) {
    var options = XMLOptions.strict
    options.limits = XMLLimits(bytes: Self.longest, depth: 32, nodes: 2_000)
    guard bytes.count <= Self.longest, let root = try? XMLDocument(bytes, options).root,
      root.name == QualifiedName("fulfillmentToken", in: Self.namespace)
    else { return nil }
    func text(_ element: Element?) -> String? {
      guard let words = element?.text.split(whereSeparator: \.isWhitespace), !words.isEmpty else {
        return nil
      }
      return String(words.joined(separator: " ").prefix(1_000))
    }
    let metadata = root.child(named: "resourceItemInfo", in: Self.namespace)?
      .child(named: "metadata", in: Self.namespace)
    title = text(metadata?.child(named: "title"))
    creator = text(metadata?.child(named: "creator"))
    format = text(metadata?.child(named: "format"))
    distributor = text(root.child(named: "distributor", in: Self.namespace))
    transaction = text(root.child(named: "transaction", in: Self.namespace))
    expires = text(root.child(named: "expiration", in: Self.namespace))
      .flatMap { Timestamp(rfc3339: $0)?.millisecondsSinceEpoch }
  }

  package func isOver(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}

extension BookStore {
  /// What a fetched token says; nil for other files. Reads from the disk.
  package func adobeToken(of ticket: Ticket) -> AdobeToken? {
    guard ticket.state == .done, ticket.wish.format?.protection == .adobe,
      let digest = ticket.digest,
      let bytes = try? WholeFile.read(path(of: digest), upTo: AdobeToken.longest)
    else { return nil }
    return AdobeToken(bytes)
  }
}
