/// The version of a representation (RFC 9110 §8.8.3): strong when equal tags promise equal bytes,
/// weak when they promise only the same meaning.
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
  package let opaque: String
  package let isWeak: Bool

  /// Bytes that cannot stand between the quotes are dropped.
  package init(_ opaque: String, weak: Bool = false) {
    self.opaque = String(
      decoding: opaque.utf8.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }, as: UTF8.self)
    isWeak = weak
  }

  package init?(parsing text: String) {
    var scanner = FieldScanner(text)
    scanner.skipBlanks()
    guard let tag = EntityTag(from: &scanner) else { return nil }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { return nil }
    self = tag
  }

  init?(from scanner: inout FieldScanner) {
    var weak = false
    if scanner.skip(UInt8(ascii: "W")) {
      guard scanner.skip(UInt8(ascii: "/")) else { return nil }
      weak = true
    }
    // No escapes here: a backslash is an ordinary byte of a tag.
    guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
    let opaque = scanner.take { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
    self.init(opaque, weak: weak)
  }

  /// RFC 9110 §8.8.3.2: for `If-Match` and `If-Range`.
  package func matchesStrongly(_ other: EntityTag) -> Bool {
    !isWeak && !other.isWeak && opaque == other.opaque
  }

  /// For `If-None-Match`.
  package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

  package var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

  /// The value of `If-Match` and `If-None-Match`.
  package enum List: Sendable, Hashable {
    case any
    case tags([EntityTag])

    /// Elements that are no tags are passed over.
    package init(_ field: String) {
      var scanner = FieldScanner(field)
      scanner.skipBlanks()
      if scanner.skip(UInt8(ascii: "*")) {
        self = .any
        return
      }
      var tags: [EntityTag] = []
      while !scanner.isAtEnd, tags.count < 256 {
        scanner.skipBlanks()
        if let tag = EntityTag(from: &scanner) { tags.append(tag) }
        scanner.skipElement()
      }
      self = .tags(tags)
    }
  }
}
