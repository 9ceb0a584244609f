/// Header fields in the order they were written, looked up without regard to case. Repeats are
/// kept apart: joining them is only right for lists, and wrong for `Set-Cookie`.
package struct Headers: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field($0.0, $0.1) }
  }

  /// The first value of that name.
  package subscript(name: String) -> String? {
    for field in fields where Headers.same(field.name, name) { return field.value }
    return nil
  }

  package func all(_ name: String) -> [String] {
    fields.filter { Headers.same($0.name, name) }.map(\.value)
  }

  /// Every value of that name as one comma-separated list (RFC 9110 §5.3).
  package func joined(_ name: String) -> String? {
    let values = all(name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name, value))
  }

  /// Replaces every field of that name by one, or by none.
  package mutating func set(_ name: String, _ value: String?) {
    fields.removeAll { Headers.same($0.name, name) }
    if let value { fields.append(Field(name, value)) }
  }

  package var isEmpty: Bool { fields.isEmpty }

  package static func same(_ one: String, _ other: String) -> Bool {
    let (left, right) = (one.utf8, other.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).allSatisfy { lowered($0) == lowered($1) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (65...90).contains(byte) ? byte | 0x20 : byte
  }
}
