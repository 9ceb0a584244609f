/// The name of a table or a column: a literal in the source, of a form that both engines take
/// unquoted and fold the same way, and quoted nevertheless, so that it may be a reserved word.
package struct SQLName: Sendable, Hashable, ExpressibleByStringLiteral {
  let text: String

  package init(stringLiteral value: StaticString) {
    text = value.description
  }

  /// A name that a database told of one of its own tables. It is held to the same form.
  init(told text: String) { self.text = text }

  /// PostgreSQL cuts names after 63 bytes, without an error.
  func quoted() throws(DatabaseError) -> String {
    let isLetter = { (byte: UInt8) in byte == 0x5F || (0x61...0x7A).contains(byte) }
    let isSound = text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
    guard let first = text.utf8.first, isLetter(first), isSound, text.utf8.count <= 63 else {
      throw DatabaseError(.misuse("not a lower-case SQL name: \(text)"))
    }
    return "\"\(text)\""
  }
}
