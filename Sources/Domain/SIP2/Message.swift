/// One message as it means to be, whichever bytes it came in: what it is, its parts of fixed length,
/// and its fields in their order, with repeats and with codes that nobody has heard of. It prints
/// without a value, for logs must not hold readers' names and passwords.
package struct Message: Sendable, Hashable {
  package let kind: MessageKind
  /// As many and as long as the kind says.
  private let fixed: [String]
  package private(set) var fields: [Field]

  package struct Field: Sendable, Hashable {
    package let code: FieldCode
    package let value: String

    package init(_ code: FieldCode, _ value: String) { (self.code, self.value) = (code, value) }

    /// The value as a person reads it: some servers write a separator inside a text as HTML would.
    package var text: String {
      guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
      return value.split(separator: "&#124;", omittingEmptySubsequences: false)
        .joined(separator: "|")
    }
  }

  /// Parts that are not said are blank, those that are too short end in blanks.
  package init(_ kind: MessageKind, _ parts: [FixedPart: String] = [:], _ fields: [Field] = []) {
    self.kind = kind
    self.fields = fields
    fixed = kind.fixedParts.map { part in
      let text = parts[part] ?? ""
      let missing = part.length - text.utf8.count
      return missing > 0 ? text + String(repeating: " ", count: missing) : text
    }
  }

  /// Nil where the kind has no such part.
  package subscript(part: FixedPart) -> String? {
    kind.fixedParts.firstIndex(of: part).map { fixed[$0] }
  }

  /// The first of that code, as it stands in the message.
  package subscript(code: FieldCode) -> String? { fields.first { $0.code == code }?.value }

  /// All of that code, in their order.
  package func values(_ code: FieldCode) -> [String] {
    fields.lazy.filter { $0.code == code }.map(\.value)
  }

  /// The first of that code as a person reads it; nil where it is missing or blank.
  package func text(_ code: FieldCode) -> String? {
    fields.first { $0.code == code }.flatMap { Self.ink($0.text) }
  }

  /// All of that code in which something stands.
  package func texts(_ code: FieldCode) -> [String] {
    fields.lazy.filter { $0.code == code }.compactMap { Self.ink($0.text) }
  }

  /// A field that says yes or no. Where it is there more than once it must say the same each time: a
  /// message of somebody else's must not overrule it.
  package func flag(_ code: FieldCode) -> Bool? {
    let said = Set(values(code).map { Self.ink($0)?.uppercased() })
    guard said.count == 1, let word = said.first else { return said.isEmpty ? nil : false }
    switch word {
    case "Y": return true
    case nil: return nil
    default: return false
    }
  }

  /// A whole number without sign; nil where there are blanks.
  package func number(_ part: FixedPart) -> Int? { self[part].flatMap(Self.number) }
  package func number(_ code: FieldCode) -> Int? { text(code).flatMap(Self.number) }

  private static func number(_ text: String) -> Int? {
    guard let digits = ink(text), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }

  /// Without the blanks around it; nil where nothing else is there.
  static func ink(_ text: String) -> String? {
    let start = text.utf8.drop { $0 == 0x20 }
    guard let last = start.lastIndex(where: { $0 != 0x20 }) else { return nil }
    return String(Substring(start[...last]))
  }
}

extension Message: CustomStringConvertible, CustomReflectable {
  /// What it is, and which fields of which length are in it.
  package var description: String {
    ([kind.rawValue] + fields.map { "\($0.code)(\($0.value.utf8.count))" }).joined(separator: " ")
  }

  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Message.Field: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(code)(\(value.utf8.count))" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
